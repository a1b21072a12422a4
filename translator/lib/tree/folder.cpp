#include "translator/lib/tree/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "translator/lib/error.h"
#include "translator/lib/parallel.h"

namespace musashim::translator {
namespace {

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

struct OpenFolder {
  explicit OpenFolder(int opened) : fd(opened) {}
  ~OpenFolder() {
    if (fd >= 0) close(fd);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  const int fd;
};

void list(Folder& folder, const NearFolder& near, const GoesInto& goesInto) {
  folder.list = std::make_unique<const FolderList>(folder.path, near);
  for (const FolderList::Entry& entry : folder.list->entries()) {
    if (entry.type != DT_DIR) continue;
    std::string path = folder.path + std::string(entry.name);
    folder.below.push_back(nullptr);
    if (goesInto(path, entry.name))
      folder.below.back() = std::make_unique<Folder>(Folder{path + "/", {}, {}});
  }
}

}  // namespace

FolderList::FolderList(const std::string& path, const NearFolder& near) {
  read(path, near);
  // The names follow each other in names_, each with a zero; only now does it not move any more.
  const char* at = names_.data();
  for (Entry& entry : entries_) {
    entry.name = at;
    at += entry.name.size() + 1;
    if (entry.type == DT_UNKNOWN) entry.type = typeOf(path + std::string(entry.name));
  }
  std::sort(entries_.begin(), entries_.end(), comesBefore);
}

void FolderList::read(const std::string& path, const NearFolder& near) {
  const OpenFolder folder(near.open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.fd < 0) throw systemError(path, "list", errno);
  alignas(dirent64) std::array<char, 1 << 15> room;
  constexpr std::size_t kUsual = 16, kNameLength = 24;
  entries_.reserve(kUsual);
  names_.reserve(kUsual * kNameLength);
  for (;;) {
    const ssize_t got = getdents64(folder.fd, room.data(), room.size());
    if (got < 0) throw systemError(path, "list", errno);
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

Folder listFolders(const std::string& path, const NearFolder& near, unsigned threads,
                   const GoesInto& goesInto) {
  constexpr std::size_t kWorthThread = 8;  // folders
  Folder root{path, {}, {}};
  std::vector<Folder*> level = {&root};
  while (!level.empty()) {
    const auto most = static_cast<unsigned>(std::min<std::size_t>(threads, 1 + level.size() / kWorthThread));
    parallelFor(level.size(), most, [&](std::size_t i) { list(*level[i], near, goesInto); });
    std::vector<Folder*> next;
    for (const Folder* folder : level) {
      for (const std::unique_ptr<Folder>& below : folder->below) {
        if (below) next.push_back(below.get());
      }
    }
    level = std::move(next);
  }
  return root;
}

}  // namespace musashim::translator
