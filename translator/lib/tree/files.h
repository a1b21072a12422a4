#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>

#include "translator/lib/room.h"

namespace musashim::translator {

/// An open folder, from where the files below it are found sooner than from the root of all.
class NearFolder {
 public:
  /// `path`: absolute, with a slash at the end. Where it cannot be opened, nothing is near.
  explicit NearFolder(const std::string& path);
  ~NearFolder();
  NearFolder(const NearFolder&) = delete;
  NearFolder& operator=(const NearFolder&) = delete;

  /// As open(), for it or a file below it.
  int open(const char* path, int flags) const;

 private:
  int fd_;
  std::size_t length_;
};

/// A file open for reading. Throws PortError.
class ReadHandle {
 public:
  /// `near`: a folder that holds it somewhere, or null.
  explicit ReadHandle(const char* path, const NearFolder* near = nullptr);
  ~ReadHandle();
  ReadHandle(const ReadHandle&) = delete;
  ReadHandle& operator=(const ReadHandle&) = delete;

  /// Up to `size` bytes; 0 at the end.
  std::size_t read(char* data, std::size_t size) const;
  struct stat status() const;
  /// The size that the file says it has.
  std::size_t sizeHint() const;
  int descriptor() const { return fd_; }

 private:
  const char* path_;
  int fd_;
};

/// Room for one file after the other, so that it is neither cleared nor allocated anew for each.
class FileBuffer {
 public:
  /// Reads the whole file; the bytes stay until the next read. `status`: of the file, if wanted. `near`: as
  /// of ReadHandle. Throws PortError.
  std::string_view read(const char* path, struct stat* status = nullptr, const NearFolder* near = nullptr);

 private:
  static constexpr std::size_t kUsual = std::size_t{1} << 16;

  Room<char> room_;
  std::size_t size_ = 0;
};

/// The whole file as bytes. Throws PortError.
std::string readFile(const std::filesystem::path& path);

/// Feeds the file to `sink` in pieces, for files that need not be in memory at once. Throws PortError.
void readPieces(const std::filesystem::path& path, const std::function<void(std::string_view)>& sink);

}  // namespace musashim::translator
