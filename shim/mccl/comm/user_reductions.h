// The reduction operations that a user made for one rank: mcclRedOpCreatePreMulSum.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "mccl.h"

namespace musashim::mccl {

struct UserReduction {
  mcclDataType_t type = mcclInt8;
  uint64_t factor = 0;                 // an element in the low bytes
  const void* deviceFactor = nullptr;  // if set, read there when the collective runs
};

class UserReductions {
 public:
  UserReductions();

  mcclRedOp_t add(const UserReduction& reduction);
  bool find(mcclRedOp_t handle, UserReduction& reduction) const;
  bool remove(mcclRedOp_t handle);

 private:
  struct Entry {
    bool used = false;
    UserReduction reduction;
  };
  int indexOf(mcclRedOp_t handle) const;

  // Part of each handle, so that one of another communicator is recognised.
  const uint32_t tag_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace musashim::mccl
