// Where the ranks' buffers lie in this process.
#pragma once

#include "mccl/engine/task.h"

namespace musashim::mccl {

class AddressBook {
 public:
  virtual ~AddressBook() = default;

  // The address here of `buffer` of `rank`; null when it cannot be reached. May block while
  // memory of another process is mapped.
  virtual void* find(int rank, const Buffer& buffer) = 0;
};

// Every rank is of this process.
class OwnAddresses final : public AddressBook {
 public:
  void* find(int, const Buffer& buffer) override { return buffer.pointer; }
};

}  // namespace musashim::mccl
