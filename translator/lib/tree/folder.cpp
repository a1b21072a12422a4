#include "translator/lib/tree/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

/// Folders with longer paths are not kept open, so that there are never too many.
constexpr std::size_t kDeep = 1024;

/// The last part of a path that ends with a slash, with that.
const char* lastPart(const std::string& path) { return path.c_str() + path.rfind('/', path.size() - 2) + 1; }

/// For file systems that do not tell it with the name.
unsigned char typeOf(const std::string& path) {
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0) throw systemError(path, "read", errno);
  return S_ISLNK(status.st_mode)   ? DT_LNK
         : S_ISDIR(status.st_mode) ? DT_DIR
         : S_ISREG(status.st_mode) ? DT_REG
                                   : DT_UNKNOWN;
}

/// As if a slash followed the names of folders, as it does in the paths below them.
bool comesBefore(const FolderList::Entry& a, const FolderList::Entry& b) {
  const std::size_t common = std::min(a.name.size(), b.name.size());
  if (const int order = std::memcmp(a.name.data(), b.name.data(), common); order != 0) return order < 0;
  const auto next = [&](const FolderList::Entry& entry) {
    return common < entry.name.size() ? static_cast<unsigned char>(entry.name[common])
           : entry.type == DT_DIR     ? int{'/'}
                                      : -1;
  };
  return next(a) < next(b);
}

}  // namespace

FolderList::FolderList(const std::string& path, const FolderList* parent) {
  open(path, parent);
  read(path);
  if (path.size() > kDeep) close();
  // The names follow each other in names_, each with a zero; only now does it not move any more.
  const char* at = names_.data();
  for (Entry& entry : entries_) {
    entry.name = at;
    at += entry.name.size() + 1;
    if (entry.type == DT_UNKNOWN) entry.type = typeOf(path + std::string(entry.name));
  }
  std::sort(entries_.begin(), entries_.end(), comesBefore);
}

FolderList::~FolderList() { close(); }

void FolderList::open(const std::string& path, const FolderList* parent) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const bool near = parent && parent->fd_ >= 0;
  fd_ = near ? openat(parent->fd_, lastPart(path), kFlags) : ::open(path.c_str(), kFlags);
  if (fd_ < 0) throw systemError(path, "list", errno);
}

void FolderList::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void FolderList::read(const std::string& path) {
  alignas(dirent64) std::array<char, 1 << 15> room;
  constexpr std::size_t kUsual = 16, kNameLength = 24;
  entries_.reserve(kUsual);
  names_.reserve(kUsual * kNameLength);
  for (;;) {
    const ssize_t got = getdents64(fd_, room.data(), room.size());
    if (got < 0) {
      const int error = errno;
      close();
      throw systemError(path, "list", error);
    }
    if (got == 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* const entry = reinterpret_cast<const dirent64*>(room.data() + at);
      at += entry->d_reclen;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      names_.append(name).push_back('\0');
      entries_.push_back({{}, entry->d_type});
    }
  }
}

}  // namespace musashim::translator
