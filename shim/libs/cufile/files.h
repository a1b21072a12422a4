// Registered files.
#pragma once

#include <cufile.h>

#include <memory>

namespace musashim::cufile {

// The descriptor stays the user's. One that was opened with O_DIRECT can only be read and written by whole
// pages, so what is not of whole pages, in the file and in memory, goes through a second descriptor of the
// same file, of ours.
class File {
 public:
  // CU_FILE_SUCCESS and `file`, or why there is none.
  static CUfileOpError open(int descriptor, std::shared_ptr<File>& file);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }
  bool isSameAs(const File& other) const;
  // For `bytes` at `offset` to or from `address`; -1, with errno, where the user's was closed.
  int descriptorFor(size_t bytes, off_t offset, const void* address) const;

 private:
  File() = default;

  int descriptor_ = -1;
  int unaligned_ = -1;  // without O_DIRECT
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// Null when there is no such handle.
std::shared_ptr<File> findFile(CUfileHandle_t handle);

// The driver is closed.
void forgetFiles();

}  // namespace musashim::cufile
