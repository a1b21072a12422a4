// A piece of the device's memory as the runtime gave it, and how it is used: what
// torch.musa.memory_snapshot() tells.
#pragma once

#include <cstddef>
#include <vector>

#include "torch_musa/csrc/memory/History.h"

namespace c10::musa {

struct Segment {
  struct Piece {
    std::size_t size;
    std::size_t requested_size;
    bool allocated;
    bool active;  // or given back while other streams use it
    Stack stack;  // who took it, if that was recorded
  };

  std::size_t address = 0;
  std::size_t total_size = 0;
  std::size_t allocated_size = 0;
  std::size_t active_size = 0;
  void* stream = nullptr;
  bool is_large = false;
  PoolId pool;
  std::vector<Piece> blocks;
};

}  // namespace c10::musa
