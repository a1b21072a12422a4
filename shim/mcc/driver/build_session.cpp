#include "build_session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/file_lock.h"
#include "core/whole_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using llvm::StringRef;

constexpr StringRef kBuildTools[] = {"make",  "gmake", "bmake", "ninja", "ninja-build", "samu",
                                     "cmake", "meson", "scons", "bazel", "b2"};

struct Process {
  std::string name;
  int parent = 0;
  std::string start;  // with the number, never another process's
};

std::optional<Process> processOf(int number) {
  const std::string text = core::contentOf("/proc/" + std::to_string(number) + "/stat");
  const size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  llvm::SmallVector<StringRef, 24> fields;  // from the third on
  StringRef(text).drop_front(close + 1).trim().split(fields, ' ');
  Process process{text.substr(open + 1, close - open - 1), 0, ""};
  if (fields.size() < 20 || fields[1].getAsInteger(10, process.parent)) return std::nullopt;
  process.start = fields[19].str();
  return process;
}

std::string fileName(int number, const Process& process) {
  return std::to_string(number) + "-" + process.start;
}

// Files of builds that have ended.
void removeOld(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    int number = 0;
    if (StringRef(name).split('-').first.getAsInteger(10, number)) continue;
    const std::optional<Process> process = processOf(number);
    if (!process || fileName(number, *process) != name) fs::remove(entry.path(), error);
  }
}

// A folder of this user's alone in the temporary one; empty when there can be none.
std::string ownFolder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) return {};
  const std::string folder = (place / ("mcc-builds-" + std::to_string(getuid()))).string();
  mkdir(folder.c_str(), 0700);
  struct stat found{};
  const bool isOurs =
      lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == getuid();
  return isOurs ? folder : std::string();
}

// An open file, locked against other commands.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path)
      : lock_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600)) {}

  bool isOpen() const { return lock_.isOpen(); }

  std::string read() const {
    std::string text;
    char part[4096];
    for (ssize_t size = 0; (size = ::read(lock_.descriptor(), part, sizeof part)) > 0;)
      text.append(part, static_cast<size_t>(size));
    return text;
  }

  bool append(const std::string& text) const {
    return ::write(lock_.descriptor(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

 private:
  core::FileLock lock_;
};

}  // namespace

std::string buildFile(const std::string& folder, int process) {
  std::string file;
  for (int number = process; number > 0;) {
    const std::optional<Process> found = processOf(number);
    if (!found) break;
    if (llvm::is_contained(kBuildTools, found->name)) file = folder + "/" + fileName(number, *found);
    number = found->parent;
  }
  return file;
}

std::optional<std::set<std::string>> firstInBuild(const std::set<std::string>& names) {
  const std::string folder = ownFolder();
  const std::string path = folder.empty() ? std::string() : buildFile(folder, getppid());
  if (path.empty()) return std::nullopt;
  if (!fs::exists(path)) removeOld(folder);
  const LockedFile file(path);
  if (!file.isOpen()) return std::nullopt;
  const std::string text = file.read();
  llvm::SmallVector<StringRef, 16> known;
  StringRef(text).split(known, '\n');
  std::set<std::string> fresh;
  std::string lines;
  for (const std::string& name : names) {
    if (llvm::is_contained(known, StringRef(name)) || !fresh.insert(name).second) continue;
    lines += name + "\n";
  }
  if (!lines.empty() && !file.append(lines)) return std::nullopt;
  return fresh;
}

}  // namespace musashim::mcc
