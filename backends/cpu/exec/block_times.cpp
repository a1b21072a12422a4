#include "cpu/exec/block_times.h"

#include <bit>

namespace musashim::backend::cpu {

namespace {

// Of the kernel and its blocks' shape: blocks of more threads take longer.
uint64_t hashOf(const KernelLaunch& launch) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
  uint64_t hash = reinterpret_cast<uintptr_t>(launch.kernel->info);
  for (uint32_t extent : {launch.block.x, launch.block.y, launch.block.z}) hash = (hash + extent) * kOdd;
  return hash ^ hash >> 32;
}

}  // namespace

BlockTimes& BlockTimes::instance() {
  static BlockTimes times;
  return times;
}

float BlockTimes::of(const KernelLaunch& launch) const {
  const uint64_t hash = hashOf(launch), entry = entries_[hash % kEntries].load(std::memory_order_relaxed);
  return entry >> 32 == hash >> 32 ? std::bit_cast<float>(static_cast<uint32_t>(entry)) : 0;
}

void BlockTimes::learn(const KernelLaunch& launch, float nanoseconds) {
  const uint64_t hash = hashOf(launch);
  entries_[hash % kEntries].store((hash & ~uint64_t{UINT32_MAX}) | std::bit_cast<uint32_t>(nanoseconds),
                                  std::memory_order_relaxed);
}

}  // namespace musashim::backend::cpu
