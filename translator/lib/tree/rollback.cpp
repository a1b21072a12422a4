#include "translator/lib/tree/rollback.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

bool holdsFile(const fs::path& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

}  // namespace

Rollback::~Rollback() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!step->from.empty()) std::rename(step->path.c_str(), step->from.c_str());
    if (!step->old.empty()) std::rename(step->old.c_str(), step->path.c_str());
  }
}

fs::path Rollback::besides(const fs::path& path) const {
  return path.parent_path() /
         (".musaport-" + std::to_string(getpid()) + "-" + std::to_string(steps_.size()) + ".old");
}

void Rollback::rename(const fs::path& from, const fs::path& path) {
  Step step{path, {}, from};
  if (holdsFile(path)) {
    // A second name leaves no moment without the file; not every file system has such.
    const fs::path old = besides(path);
    if (link(path.c_str(), old.c_str()) != 0 && std::rename(path.c_str(), old.c_str()) != 0)
      throw systemError(path, "write", errno);
    step.old = old;
  }
  if (std::rename(from.c_str(), path.c_str()) != 0) {
    const int error = errno;
    if (!step.old.empty()) std::rename(step.old.c_str(), path.c_str());
    if (!step.old.empty()) unlink(step.old.c_str());  // of two names of one file, rename() leaves both
    throw systemError(path, "write", error);
  }
  steps_.push_back(std::move(step));
}

void Rollback::remove(const fs::path& path) {
  const fs::path old = besides(path);
  if (fs::is_directory(fs::symlink_status(path))) throw systemError(path, "remove", EISDIR);
  if (std::rename(path.c_str(), old.c_str()) == 0) {
    steps_.push_back({path, old, {}});
  } else if (errno != ENOENT) {
    throw systemError(path, "remove", errno);
  }
}

void Rollback::keep() {
  for (const Step& step : steps_) {
    if (!step.old.empty()) unlink(step.old.c_str());
  }
  steps_.clear();
}

}  // namespace musashim::translator
