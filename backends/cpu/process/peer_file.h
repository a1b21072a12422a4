// Files in memory, without a name in any file system, that another process of the
// same user can open: by the number of the process and of its descriptor.
//
// Nothing has to be cleaned up: when the last process that has such a file open or
// mapped ends, whichever way, the kernel frees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "interface/sharing.h"
#include "interface/status.h"

namespace musashim::backend::cpu {

// A descriptor, closed at the end.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() {
    int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

// Where another process finds a file of this one.
struct PeerFileName {
  int32_t process = 0;
  int32_t descriptor = -1;
  uint64_t inode = 0;

  bool operator==(const PeerFileName&) const = default;
  auto operator<=>(const PeerFileName&) const = default;
};

// A file of `bytes` that only this user may open and nobody can shrink.
Status createMemoryFile(const std::string& name, uint64_t bytes, UniqueFd& file);

PeerFileName nameOf(int fd);

// A small file of this kind that holds `word`, as a descriptor of the caller's own.
Status makeDescriptor(const ShareTicket& word, int& fd);
Status readDescriptor(int fd, ShareTicket& word);

// Opens a file of another process (or of this one, as a description of its own).
// kNotFound when the process or the file is gone, or is not what createMemoryFile()
// makes; `leastBytes` is what it must at least have.
Status openPeerFile(const PeerFileName& name, uint64_t leastBytes, UniqueFd& file);

// False when the process has ended, waited for or not.
bool isProcessAlive(int32_t process, uint64_t startTime);
// When a process began, in the kernel's ticks; tells two apart that had one number.
uint64_t startTimeOf(int32_t process);  // 0: there is none

// A number that no other process guesses or meets by accident.
uint64_t randomKey();

}  // namespace musashim::backend::cpu
