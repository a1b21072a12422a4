#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace musashim::translator {

/// A file open for reading. Throws PortError.
class ReadHandle {
 public:
  explicit ReadHandle(const std::filesystem::path& path);
  ~ReadHandle();
  ReadHandle(const ReadHandle&) = delete;
  ReadHandle& operator=(const ReadHandle&) = delete;

  /// Up to `size` bytes; 0 at the end.
  std::size_t read(char* data, std::size_t size) const;
  /// The size that the file says it has.
  std::size_t sizeHint() const;
  int descriptor() const { return fd_; }

 private:
  const std::filesystem::path& path_;
  int fd_;
};

/// The whole file as bytes. Throws PortError.
std::string readFile(const std::filesystem::path& path);

/// Feeds the file to `sink` in pieces, for files that need not be in memory at once. Throws PortError.
void readPieces(const std::filesystem::path& path, const std::function<void(std::string_view)>& sink);

}  // namespace musashim::translator
