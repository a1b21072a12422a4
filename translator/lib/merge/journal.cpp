#include "translator/lib/merge/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

void writeSynced(const fs::path& path, mode_t mode, std::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode & 0777);
  if (fd < 0) throw systemError(path, "write", errno);
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put >= 0) bytes.remove_prefix(static_cast<std::size_t>(put));
    if (put < 0 && errno != EINTR) error = errno;
  }
  if (error == 0 && fsync(fd) != 0) error = errno;
  if (close(fd) != 0 && error == 0) error = errno;
  if (error != 0) throw systemError(path, "write", error);
}

void syncFolder(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw systemError(path, "sync", errno);
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  if (error != 0 && error != EINVAL) throw systemError(path, "sync", error);
}

/// All names of the file system: those of a set may be in any of its folders.
void syncNames(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw systemError(path, "sync", errno);
  const int error = syncfs(fd) == 0 ? 0 : errno;
  close(fd);
  if (error != 0) throw systemError(path, "sync", error);
}

void giveName(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) throw systemError(to, "write", errno);
}

}  // namespace

Journal::Journal(fs::path state) : state_(std::move(state)) {
  fs::create_directories(state_);
  if (fs::exists(list())) {
    entries_ = readFile(list());
    apply();
  }
  fs::remove_all(stage());
  fs::create_directory(stage());
}

void Journal::write(const fs::path& path, mode_t mode, std::string_view bytes) {
  const std::string number = std::to_string(count_++);
  writeSynced(stage() / number, mode, bytes);
  entries_ += number + '\0' + belowRoot(path) + '\0';
}

void Journal::remove(const fs::path& path) { entries_ += '\0' + belowRoot(path) + '\0'; }

void Journal::commit() {
  if (entries_.empty()) return;
  syncFolder(stage());
  writeSynced(state_ / "journal.tmp", 0644, entries_);
  giveName(state_ / "journal.tmp", list());
  syncFolder(state_);
  apply();
}

/// So that a tree which was moved is finished where it is.
std::string Journal::belowRoot(const fs::path& path) const {
  return path.lexically_relative(state_.parent_path()).native();
}

/// May have been done in part before: what is not staged any more has its name.
void Journal::apply() {
  auto next = [rest = std::string_view(entries_)]() mutable {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return std::pair(field, rest.empty());
  };
  for (bool last = entries_.empty(); !last;) {
    const std::string number(next().first);
    const auto [name, end] = next();
    last = end;
    const fs::path path = state_.parent_path() / name;
    if (number.empty()) {
      if (unlink(path.c_str()) != 0 && errno != ENOENT) throw systemError(path, "remove", errno);
    } else if (fs::exists(stage() / number)) {
      fs::create_directories(path.parent_path());
      giveName(stage() / number, path);
    }
  }
  syncNames(state_);  // before the list of them goes
  if (unlink(list().c_str()) != 0) throw systemError(list(), "remove", errno);
  entries_.clear();
}

}  // namespace musashim::translator
