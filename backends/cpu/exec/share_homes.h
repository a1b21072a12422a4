// Which processor began with which share of a grid's blocks last: its caches may still have what those need.
// Threads can be fewer than the processors that they are on by turns; then the number of a processor does not
// tell, and who comes first would take what the other has in its caches. (Two threads on sixteen processors
// of a Xeon: six kernels of tests/benchmarks at quick sizes 1.1 times as fast in the mean, matmul32 1.25.)
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace musashim::backend::cpu {

class ShareHomes {
 public:
  // `cacheGroups`: of each processor; see support/cache_groups.h.
  explicit ShareHomes(std::vector<uint16_t> cacheGroups = {}) : groups_(std::move(cacheGroups)) {
    for (unsigned share = 0; share < kMost; ++share) begun(share, share);
  }

  // The share of `shares` that the processor began with last; `shares` if there is none.
  unsigned of(unsigned processor, unsigned shares) const {
    const unsigned likely = processor % shares;
    if (processorOf(likely) == processor) return likely;
    for (unsigned share = 0; share < shares && share < kMost; ++share) {
      if (processorOf(share) == processor) return share;
    }
    return shares;
  }

  // Whether those who began with the two shares last have a cache in common.
  bool areNear(unsigned one, unsigned other) const {
    return groupOf(processorOf(one)) == groupOf(processorOf(other));
  }

  void note(unsigned share, unsigned processor) {
    if (share < kMost && processorOf(share) != processor) begun(share, processor);
  }

 private:
  static constexpr unsigned kMost = 1024;  // threads that compute at once

  unsigned processorOf(unsigned share) const {
    return share < kMost ? processors_[share].load(std::memory_order_relaxed) : UINT32_MAX;
  }
  void begun(unsigned share, unsigned processor) {
    processors_[share].store(static_cast<uint16_t>(processor), std::memory_order_relaxed);
  }

  unsigned groupOf(unsigned processor) const { return processor < groups_.size() ? groups_[processor] : 0; }

  const std::vector<uint16_t> groups_;
  std::array<std::atomic<uint16_t>, kMost> processors_{};
};

}  // namespace musashim::backend::cpu
