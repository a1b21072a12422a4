// Code of our own on the host that reads or writes devices' memory.
#pragma once

#include "interface/backend.h"

namespace musashim::backend {

// Until the end of the scope, the calling thread may touch all devices' memory.
class MemoryAccessScope {
 public:
  explicit MemoryAccessScope(Backend& backend) : backend_(backend), before_(backend.openMemoryToThread()) {}
  ~MemoryAccessScope() { backend_.restoreThread(before_); }
  MemoryAccessScope(const MemoryAccessScope&) = delete;
  MemoryAccessScope& operator=(const MemoryAccessScope&) = delete;

 private:
  Backend& backend_;
  const uint32_t before_;
};

}  // namespace musashim::backend
