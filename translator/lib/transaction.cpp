#include "translator/lib/transaction.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

class WriteHandle {
 public:
  WriteHandle(const fs::path& temporary, const fs::path& shown)
      : shown_(shown),
        fd_(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (fd_ < 0) throw systemError(shown, "write", errno);
  }
  ~WriteHandle() {
    if (fd_ >= 0) close(fd_);
  }
  WriteHandle(const WriteHandle&) = delete;
  WriteHandle& operator=(const WriteHandle&) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
      if (put >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(put));
      } else if (errno != EINTR) {
        throw systemError(shown_, "write", errno);
      }
    }
  }
  /// Some file systems report a full disk only now.
  void finish(mode_t mode) {
    if (fchmod(fd_, mode & 07777) != 0 || fsync(fd_) != 0) throw systemError(shown_, "write", errno);
    const int fd = fd_;
    fd_ = -1;
    if (close(fd) != 0) throw systemError(shown_, "write", errno);
  }

 private:
  const fs::path& shown_;
  int fd_;
};

}  // namespace

Transaction::~Transaction() {
  for (const Staged& file : staged_) unlink(file.temporary.c_str());
  for (auto folder = createdFolders_.rbegin(); folder != createdFolders_.rend(); ++folder)
    rmdir(folder->c_str());
}

void Transaction::write(const fs::path& path, mode_t mode, const std::function<void(const Sink&)>& produce) {
  createFolders(path.parent_path());
  staged_.push_back({temporaryBeside(path), path});
  WriteHandle file(staged_.back().temporary, path);
  produce([&](std::string_view bytes) { file.write(bytes); });
  file.finish(mode);
}

void Transaction::link(const fs::path& path, const fs::path& target) {
  createFolders(path.parent_path());
  staged_.push_back({temporaryBeside(path), path});
  if (symlink(target.c_str(), staged_.back().temporary.c_str()) != 0) throw systemError(path, "link", errno);
}

void Transaction::commit() {
  for (Staged& file : staged_) {
    if (std::rename(file.temporary.c_str(), file.final.c_str()) != 0)
      throw systemError(file.final, "write", errno);
  }
  for (const fs::path& path : removals_) {
    if (unlink(path.c_str()) != 0) throw systemError(path, "remove", errno);
  }
  staged_.clear();
  createdFolders_.clear();
  removals_.clear();
}

fs::path Transaction::temporaryBeside(const fs::path& path) {
  return path.parent_path() /
         (".musaport-" + std::to_string(getpid()) + "-" + std::to_string(counter_++) + ".tmp");
}

void Transaction::createFolders(const fs::path& path) {
  if (path.empty() || fs::is_directory(path)) return;
  createFolders(path.parent_path());
  if (mkdir(path.c_str(), 0777) == 0) {
    createdFolders_.push_back(path);
  } else if (errno != EEXIST || !fs::is_directory(path)) {
    throw systemError(path, "create the folder", errno);
  }
}

}  // namespace musashim::translator
