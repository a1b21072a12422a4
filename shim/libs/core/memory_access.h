// Device memory is kept from host code, by the processor where it can. The libraries' work is the device's.
#pragma once

namespace musashim::libs {

// Until the end of the scope the calling thread may touch all devices' memory.
class MemoryAccess {
 public:
  MemoryAccess();
  ~MemoryAccess();
  MemoryAccess(const MemoryAccess&) = delete;
  MemoryAccess& operator=(const MemoryAccess&) = delete;

 private:
  const unsigned before_;
};

}  // namespace musashim::libs
