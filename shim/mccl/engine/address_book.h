// Where the ranks' buffers lie in this process.
#pragma once

#include <span>

#include "mccl/engine/task.h"

namespace musashim::mccl {

class AddressBook {
 public:
  virtual ~AddressBook() = default;

  struct Wanted {
    int rank;
    const Buffer* buffer;
  };
  // The address here of each of the ranks' buffers; null where it cannot be reached. May block while memory
  // of other processes is mapped.
  virtual void find(std::span<const Wanted> wanted, std::span<void*> found) = 0;
};

// Every rank is of this process.
class OwnAddresses final : public AddressBook {
 public:
  void find(std::span<const Wanted> wanted, std::span<void*> found) override {
    for (size_t i = 0; i < wanted.size(); ++i) found[i] = wanted[i].buffer->pointer;
  }
};

}  // namespace musashim::mccl
