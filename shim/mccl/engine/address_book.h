// Where the ranks' buffers lie in this process.
#pragma once

#include <span>

#include "mccl/engine/task.h"

namespace musashim::mccl {

class AddressBook {
 public:
  virtual ~AddressBook() = default;

  // The address here of `buffer` of `rank`; null when it cannot be reached. May block while
  // memory of another process is mapped.
  virtual void* find(int rank, const Buffer& buffer) = 0;

  struct Wanted {
    int rank;
    const Buffer* buffer;
  };
  // Maps what is not mapped yet of all these at one go; find() tells what came of it.
  virtual void reach(std::span<const Wanted> wanted) = 0;
};

// Every rank is of this process.
class OwnAddresses final : public AddressBook {
 public:
  void* find(int, const Buffer& buffer) override { return buffer.pointer; }
  void reach(std::span<const Wanted>) override {}
};

}  // namespace musashim::mccl
