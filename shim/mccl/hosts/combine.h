// The arithmetic of a collective across hosts: what the ranks here give, and what comes from others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mccl/engine/task.h"
#include "mccl/kernels/reduce.h"

namespace musashim::mccl {

class Combiner {
 public:
  // `sends`: the ranks' buffers here, in their order; `factors`: theirs. `ranks`: of the communicator.
  // `orders`: others in which the ranks here may be combined.
  void begin(const CollectiveTask& task, const std::vector<const void*>& sends,
             const std::vector<uint64_t>& factors, int ranks, std::span<const std::vector<int>> orders);

  // Combines, in this order, `before`, what the ranks here give from byte `offset` on, and `after`, into
  // `out`, which may be one of these. `order`: one of begin()'s; without any, the ranks' own.
  void run(void* out, std::span<const void* const> before, size_t offset, std::span<const void* const> after,
           size_t bytes, size_t order) const;

  // What is left to do with the sum of all.
  void complete(void* data, size_t bytes) const;

 private:
  CollectiveTask task_;
  struct Given {
    std::vector<const void*> sends;
    std::vector<uint64_t> factors;
  };
  std::vector<Given> given_;  // by order
  size_t element_ = 1;
  int ranks_ = 1;
  ReduceKernel local_ = nullptr, combine_ = nullptr;
};

}  // namespace musashim::mccl
