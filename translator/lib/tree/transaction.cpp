#include "translator/lib/tree/transaction.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/rollback.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

/// The bits that new files do not get; asking changes it for a moment, so it is asked once.
mode_t maskedBits() {
  static const mode_t bits = [] {
    const mode_t old = umask(077);
    umask(old);
    return old;
  }();
  return bits;
}

class WriteHandle {
 public:
  WriteHandle(const fs::path& temporary, const fs::path& shown, mode_t mode)
      : shown_(shown),
        mode_(mode & 07777),
        fd_(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode_ & 0777)) {
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

  /// False if this pair of file systems cannot; then nothing was written.
  bool copyFrom(int source) const {
    for (bool first = true;; first = false) {
      const ssize_t copied = copy_file_range(source, nullptr, fd_, nullptr, std::size_t{1} << 30, 0);
      if (copied == 0) return !first;  // an empty file of a pseudo file system may have content
      if (copied > 0 || errno == EINTR) continue;
      if (first && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP))
        return false;
      throw systemError(shown_, "write", errno);
    }
  }

  /// Some file systems report a full disk only when a file is closed.
  void finish(const FileStamp& stamp) {
    if ((mode_ & 07000 || mode_ & maskedBits()) && fchmod(fd_, mode_) != 0)
      throw systemError(shown_, "write", errno);
    if (stamp.modified) {
      const std::timespec times[2] = {{0, UTIME_OMIT}, *stamp.modified};
      if (futimens(fd_, times) != 0) throw systemError(shown_, "write", errno);
    }
    const int fd = fd_;
    fd_ = -1;
    if (close(fd) != 0) throw systemError(shown_, "write", errno);
  }

 private:
  const fs::path& shown_;
  mode_t mode_;
  int fd_;
};

bool isBelow(const fs::path& path, const fs::path& folder) {
  return path.native().starts_with(folder.native()) &&
         (path.native().size() == folder.native().size() || path.native()[folder.native().size()] == '/');
}

/// Folders that killed runs left, of which nothing is anybody's.
void removeStages(const fs::path& root) {
  const std::string beginning = "." + root.filename().string() + ".musaport-";
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning)) continue;
    const std::string number = name.substr(beginning.size());
    if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    if (kill(std::stoi(number), 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

Transaction::~Transaction() {
  std::error_code ignored;
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
  for (const auto& [path, temporary] : staged_) unlink(temporary.c_str());
  for (auto folder = createdFolders_.rbegin(); folder != createdFolders_.rend(); ++folder)
    rmdir(folder->c_str());
}

void Transaction::createWhole(const fs::path& root) {
  createFolders(root.parent_path());
  removeStages(root);
  const fs::path stage =
      root.parent_path() / ("." + root.filename().string() + ".musaport-" + std::to_string(getpid()));
  if (mkdir(stage.c_str(), 0777) != 0) throw systemError(root, "create the folder", errno);
  stage_ = stage;
  root_ = root;
}

void Transaction::write(const fs::path& path, const FileStamp& stamp,
                        const std::function<void(const Sink&)>& produce) {
  WriteHandle file(place(path), path, stamp.mode);
  produce([&](std::string_view bytes) { file.write(bytes); });
  file.finish(stamp);
}

struct stat Transaction::copy(const fs::path& path, const fs::path& source) {
  const ReadHandle from(source.c_str());
  const struct stat status = from.status();
  WriteHandle file(place(path), path, status.st_mode);
  if (!file.copyFrom(from.descriptor()))
    readPieces(source, [&](std::string_view bytes) { file.write(bytes); });
  file.finish({status.st_mode, status.st_mtim});
  return status;
}

void Transaction::link(const fs::path& path, const fs::path& target) {
  if (symlink(target.c_str(), place(path).c_str()) != 0) throw systemError(path, "link", errno);
}

void Transaction::folder(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  createFolders(stage_.empty() ? path : stage_ / path.lexically_relative(root_));
}

void Transaction::remove(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  removals_.insert(path);
}

void Transaction::forget(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const auto staged = staged_.find(path.native());
  if (staged == staged_.end()) return;
  unlink(staged->second.c_str());
  staged_.erase(staged);
}

void Transaction::commit() {
  std::vector<WorkStep> steps;
  // What is new first: a backup is there before what it is of goes.
  for (const bool isNew : {true, false}) {
    for (const auto& [path, temporary] : staged_) {
      if (!fs::exists(fs::symlink_status(path)) == isNew) steps.push_back({temporary, path});
    }
  }
  for (const fs::path& path : removals_) steps.push_back({{}, path});
  pending_.decide(steps);
  Rollback done;
  for (const WorkStep& step : steps)
    step.from.empty() ? done.remove(step.path) : done.rename(step.from, step.path);
  if (!stage_.empty() && std::rename(stage_.c_str(), root_.c_str()) != 0)
    throw systemError(root_, "write", errno);
  done.keep();
  if (pending_.begun()) pending_.end();
  stage_.clear();
  staged_.clear();
  createdFolders_.clear();
  removals_.clear();
}

/// Where the bytes of `path` go until commit().
fs::path Transaction::place(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  if (!stage_.empty() && isBelow(path, root_)) {
    fs::path result = stage_.native() + path.native().substr(root_.native().size());
    createFolders(result.parent_path());
    return result;
  }
  createFolders(path.parent_path());
  const auto [entry, fresh] = staged_.try_emplace(path.native());
  if (fresh) {
    if (!workFolder_.empty() && !pending_.begun()) pending_.begin(workFolder_);
    pending_.uses(path.parent_path());
    entry->second = path.parent_path() /
                    (".musaport-" + std::to_string(getpid()) + "-" + std::to_string(counter_++) + ".tmp");
  }
  return entry->second;
}

void Transaction::createFolders(const fs::path& path) {
  if (path.empty() || !knownFolders_.insert(path.native()).second || fs::is_directory(path)) return;
  createFolders(path.parent_path());
  if (mkdir(path.c_str(), 0777) == 0) {
    if (stage_.empty() || !isBelow(path, stage_)) createdFolders_.push_back(path);
  } else if (errno != EEXIST || !fs::is_directory(path)) {
    knownFolders_.erase(path.native());
    throw systemError(path, "create the folder", errno);
  }
}

}  // namespace musashim::translator
