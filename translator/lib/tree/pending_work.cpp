#include "translator/lib/tree/pending_work.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

/// Of the machine since it was started: steps of before a power failure may name files that never reached the
/// disk.
std::string bootName() {
  std::error_code error;
  const fs::path place = "/proc/sys/kernel/random/boot_id";
  return fs::exists(place, error) ? readFile(place) : std::string();
}

/// By which an edit since then is told; "-" if nothing is there.
std::string stampOf(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return "-";
  return std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) + "." +
         std::to_string(status.st_size) + "." + std::to_string(status.st_ino);
}

void writeAll(int descriptor, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put >= 0) bytes.remove_prefix(static_cast<std::size_t>(put));
    if (put < 0 && errno != EINTR) throw systemError(path, "write", errno);
  }
}

/// Texts between zeros.
std::vector<std::string> fieldsOf(std::string_view text) {
  std::vector<std::string> fields;
  for (std::size_t end = 0; (end = text.find('\0')) != std::string_view::npos;) {
    fields.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return fields;
}

void append(std::string& out, std::string_view field) {
  out += field;
  out += '\0';
}

void takeStep(const fs::path& from, const fs::path& path, const std::string& stamp) {
  const std::string now = stampOf(path);
  const bool edited = now != stamp && now != "-";  // since the kill: that counts more
  if (from.empty()) {
    if (!edited && unlink(path.c_str()) != 0 && errno != ENOENT) throw systemError(path, "remove", errno);
  } else if (!edited && stampOf(from) != "-") {
    if (std::rename(from.c_str(), path.c_str()) != 0) throw systemError(path, "write", errno);
  }
}

void finish(const fs::path& steps) {
  const std::vector<std::string> fields = fieldsOf(readFile(steps));
  if (fields.empty() || fields[0] != bootName()) return;
  for (std::size_t i = 1; i + 2 < fields.size(); i += 3) takeStep(fields[i], fields[i + 1], fields[i + 2]);
}

void clearAway(const std::vector<std::string>& work) {
  if (work.empty()) return;
  const std::string beginning = ".musaport-" + work[0] + "-";
  for (std::size_t i = 1; i < work.size(); ++i) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(work[i], error)) {
      if (entry.path().filename().native().starts_with(beginning)) fs::remove(entry.path(), error);
    }
  }
}

bool settleIn(const fs::path& folder) {
  const fs::path work = folder / kWorkName, steps = folder / kStepsName;
  const int descriptor = open(work.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return false;
  const bool isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (!isFree) {
    close(descriptor);
    throw PortError(folder.string() + ": another musaport is at work here; wait until it has ended");
  }
  try {
    if (fs::exists(steps)) finish(steps);
    clearAway(fieldsOf(readFile(work)));
    fs::remove(steps);
    fs::remove(work);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
  return true;
}

}  // namespace

PendingWork::~PendingWork() {
  if (begun()) end();
}

bool PendingWork::settle(const fs::path& folder) {
  bool found = false;
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) found |= settleIn(at);
  return found;
}

void PendingWork::begin(const fs::path& folder) {
  const fs::path place = folder / kWorkName;
  const int descriptor = open(place.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) throw systemError(place, "write", errno);
  flock(descriptor, LOCK_EX | LOCK_NB);
  folder_ = folder;
  descriptor_ = descriptor;
  std::string line;
  append(line, std::to_string(getpid()));
  writeAll(descriptor_, place, line);
}

void PendingWork::uses(const fs::path& folder) {
  if (!begun() || !used_.insert(folder.native()).second) return;
  std::string line;
  append(line, folder.native());
  writeAll(descriptor_, folder_ / kWorkName, line);
}

void PendingWork::decide(const std::vector<WorkStep>& steps) {
  if (!begun()) return;
  std::string text;
  append(text, bootName());
  for (const WorkStep& step : steps) {
    append(text, step.from.native());
    append(text, step.path.native());
    append(text, stampOf(step.path));
  }
  const fs::path place = folder_ / kStepsName;
  const fs::path written = folder_ / (".musaport-" + std::to_string(getpid()) + "-steps.tmp");
  uses(folder_);
  const int descriptor = open(written.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) throw systemError(place, "write", errno);
  try {
    writeAll(descriptor, place, text);
  } catch (...) {
    close(descriptor);
    unlink(written.c_str());
    throw;
  }
  if (close(descriptor) != 0 || std::rename(written.c_str(), place.c_str()) != 0) {
    const int error = errno;
    unlink(written.c_str());
    throw systemError(place, "write", error);
  }
}

void PendingWork::end() {
  unlink((folder_ / kStepsName).c_str());
  unlink((folder_ / kWorkName).c_str());
  close(descriptor_);
  descriptor_ = -1;
  used_.clear();
}

}  // namespace musashim::translator
