// Grids that device code launches (dynamic parallelism).
//
// They run when the grid that launched them has ended: nothing in a grid may wait for what
// it launched (CUDA's rules since 12), so any later time will do. In the order of the
// launches, which keeps the order of every stream; launches into the tail stream come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "abi/musa_device_abi.h"
#include "cpu/devrt/export.h"

namespace musashim::devrt {

struct ChildLaunch {
  const MusaKernelInfo* kernel = nullptr;
  MusaDim3 grid{}, block{};
  uint32_t sharedBytes = 0;  // dynamic
  std::vector<std::byte> params;
};

// Of one grid; blocks add to it from several host threads.
class ChildLaunches {
 public:
  // CUDA's limit of grids that are nested, the host's not counted.
  static constexpr unsigned kDeepest = 24;

  // `depth`: of the grid, 0 for one that the host launched. `sharedLimit`: bytes of shared memory
  // that a block may have.
  ChildLaunches(unsigned depth, size_t sharedLimit) : depth_(depth), sharedLimit_(sharedLimit) {}

  // Returns a musaError_t.
  int32_t add(ChildLaunch launch, uint64_t stream);
  // What was launched, in the order in which it is to run. The grid has ended.
  MUSADEVRT_API std::vector<ChildLaunch> take();
  unsigned depth() const { return depth_; }

 private:
  const unsigned depth_;
  const size_t sharedLimit_;
  std::mutex mutex_;
  std::vector<ChildLaunch> launches_, tail_;
};

}  // namespace musashim::devrt
