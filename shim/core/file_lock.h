// A lock on an open file or folder against other processes (flock), which ends with them.
#pragma once

#include <sys/file.h>
#include <unistd.h>

#include <cstdint>

namespace musashim::core {

class FileLock {
 public:
  enum class IfTaken : uint8_t { kWait, kGiveUp };

  // Takes over `descriptor`, which open() has returned.
  explicit FileLock(int descriptor, IfTaken ifTaken = IfTaken::kWait) : descriptor_(descriptor) {
    if (isOpen()) isHeld_ = flock(descriptor_, LOCK_EX | (ifTaken == IfTaken::kGiveUp ? LOCK_NB : 0)) == 0;
  }
  ~FileLock() {
    if (isOpen()) close(descriptor_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool isOpen() const { return descriptor_ >= 0; }
  bool isHeld() const { return isHeld_; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  bool isHeld_ = false;
};

}  // namespace musashim::core
