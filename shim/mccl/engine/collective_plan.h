// What one collective does to the buffers of all ranks, cut into pieces that any of the
// ranks' threads may do, in any order and at the same time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mccl/engine/task.h"

namespace musashim::mccl {

class CollectivePlan {
 public:
  // Resolves the ranks' tasks, which agree in sameSignature(). Keeps nothing of them by reference.
  void prepare(std::span<const CollectiveTask> tasks);

  size_t chunks() const { return chunks_; }
  void run(size_t chunk) const;

 private:
  void reduceRange(size_t begin, size_t end) const;
  void copyRange(size_t begin, size_t end) const;
  void deliver(const std::byte* data, size_t begin, size_t end) const;
  void copyTo(int rank, size_t unit, const std::byte* data, size_t units) const;

  CollectiveKind kind_ = CollectiveKind::kAllReduce;
  int ranks_ = 0;
  int root_ = 0;
  size_t element_ = 1;  // bytes
  size_t count_ = 0;    // elements per rank
  size_t units_ = 0;    // elements in all: the space that is cut into chunks
  size_t chunkUnits_ = 1;
  size_t chunks_ = 0;
  ReduceKernel kernel_ = nullptr;
  std::vector<const void*> send_;
  std::vector<void*> recv_;
  std::vector<uint64_t> factors_;
};

}  // namespace musashim::mccl
