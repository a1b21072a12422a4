#include "translator/lib/tree/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

std::string remedyFor(int error) {
  switch (error) {
    case ENOENT:
      return "; check the path";
    case EACCES:
    case EPERM:
      return "; check the permissions";
    case EISDIR:
      return "; a file is expected here";
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another output";
    case EFBIG:
      return "; the file size limit is reached (ulimit -f)";
    case EROFS:
      return "; choose an output on a writable file system";
    default:
      return "";
  }
}

}  // namespace

PortError systemError(const std::filesystem::path& path, const std::string& verb, int error) {
  return PortError(path.string() + ": cannot " + verb + ": " + std::generic_category().message(error) +
                   remedyFor(error));
}

NearFolder::NearFolder(const std::string& path)
    : fd_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), length_(path.size()) {}

NearFolder::~NearFolder() {
  if (fd_ >= 0) close(fd_);
}

int NearFolder::open(const char* path, int flags) const {
  if (fd_ < 0) return ::open(path, flags);
  const char* const below = path + length_;
  return openat(fd_, *below != '\0' ? below : ".", flags);
}

ReadHandle::ReadHandle(const char* path, const NearFolder* near)
    : path_(path), fd_(near ? near->open(path, O_RDONLY | O_CLOEXEC) : open(path, O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) throw systemError(path, "read", errno);
}

ReadHandle::~ReadHandle() { close(fd_); }

std::size_t ReadHandle::read(char* data, std::size_t size) const {
  for (;;) {
    const ssize_t got = ::read(fd_, data, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw systemError(path_, "read", errno);
  }
}

struct stat ReadHandle::status() const {
  struct stat status{};
  if (fstat(fd_, &status) != 0) throw systemError(path_, "read", errno);
  return status;
}

std::size_t ReadHandle::sizeHint() const {
  const struct stat now = status();
  return S_ISREG(now.st_mode) ? static_cast<std::size_t>(now.st_size) : 0;
}

std::string_view FileBuffer::read(const char* path, struct stat* status, const NearFolder* near) {
  const ReadHandle file(path, near);
  std::size_t size = 0;
  const auto grow = [&](std::size_t wanted) {
    if (size_ >= wanted) return;
    Room<char> room = makeRoom<char>(wanted);
    if (size > 0) std::memcpy(room.get(), room_.get(), size);
    room_ = std::move(room);
    size_ = wanted;
  };
  if (status) *status = file.status();
  const bool known = status && S_ISREG(status->st_mode);
  grow(known ? static_cast<std::size_t>(status->st_size) + 1 : kUsual);
  while (const std::size_t got = file.read(room_.get() + size, size_ - size)) {
    size += got;
    if (size == size_) grow(2 * size_);
  }
  return {room_.get(), size};
}

std::string readFile(const std::filesystem::path& path) {
  const ReadHandle file(path.c_str());
  std::string content;
  std::size_t size = 0;
  content.resize(file.sizeHint() + 1);
  while (const std::size_t got = file.read(content.data() + size, content.size() - size)) {
    size += got;
    if (size == content.size()) content.resize(2 * size);
  }
  content.resize(size);
  return content;
}

void readPieces(const std::filesystem::path& path, const std::function<void(std::string_view)>& sink) {
  const ReadHandle file(path.c_str());
  std::vector<char> buffer(1 << 20);
  while (const std::size_t got = file.read(buffer.data(), buffer.size())) sink({buffer.data(), got});
}

}  // namespace musashim::translator
