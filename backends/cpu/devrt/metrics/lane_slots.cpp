#include "cpu/devrt/metrics/lane_slots.h"

#include <algorithm>
#include <cstring>

#include "cpu/devrt/metrics/warp_records.h"

namespace musashim::devrt::metrics {

void add(uint64_t& counter, uint64_t value) {
  if (value != 0) __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
}

void LaneSlots::begin(const MusaBlockContext& block, const MusaMetricsKernel& kernel) {
  block_ = &block;
  threads_ = block.block_dim.x * block.block_dim.y * block.block_dim.z;
  width_ = block.warp_size;
  // A line more, so that slots of blocks of usual sizes do not all lie at the same place in a cache.
  constexpr uint64_t kLineWords = 8;
  const uint64_t words = (threads_ + kMostLanes - 1) / kMostLanes * kMostLanes + kLineWords;
  if (&kernel == kernel_ && words == words_) return;
  kernel_ = &kernel;
  words_ = words;
  if (slots_.size() < kernel.slot_count * words_) slots_.resize(kernel.slot_count * words_);
  patterns_.assign(kernel.slot_count, {});
}

template <typename Take>
void LaneSlots::forEachWarp(uint64_t* slot, Take take) const {
  for (uint32_t first = 0; first < threads_; first += width_)
    take(slot + first, std::min(width_, threads_ - first));
}

uint64_t LaneSlots::takeRounds(const MusaMetricsSlots& slots) {
  uint64_t warps = 0, all = 0, furthest = 0;
  forEachWarp(slot(slots.first), [&](const uint64_t* rounds, uint32_t lanes) {
    uint64_t most = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      all += rounds[lane];
      most = std::max(most, rounds[lane]);
    }
    warps += most;
    furthest = std::max(furthest, most);
  });
  if (furthest == 0) return 0;
  std::memset(slot(slots.first), 0, threads_ * sizeof(uint64_t));
  auto& step = *static_cast<MusaMetricsStep*>(slots.row);
  add(step.warps, warps);
  add(step.lanes, all);
  return furthest;
}

void LaneSlots::takeSteps(const MusaMetricsSlots& slots, uint32_t rounds) {
  uint64_t warps = 0, all = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    uint64_t* const marks = slot(slots.first + round);
    forEachWarp(marks, [&](const uint64_t* mark, uint32_t lanes) {
      const uint32_t present = countPresent(mark, lanes);
      all += present;
      warps += present != 0 ? 1 : 0;
    });
    std::memset(marks, 0, threads_ * sizeof(uint64_t));
  }
  auto& step = *static_cast<MusaMetricsStep*>(slots.row);
  add(step.warps, warps);
  add(step.lanes, all);
}

void LaneSlots::takeAccesses(const MusaMetricsSlots& slots, uint32_t rounds) {
  auto& access = *static_cast<MusaMetricsAccess*>(slots.row);
  const bool counted = access.space != MUSA_MEMORY_CONSTANT, atomic = access.kind == MUSA_ACCESS_ATOMIC;
  const uint64_t shared = reinterpret_cast<uint64_t>(block_->shared);
  const uint64_t sharedBytes =
      access.space == MUSA_MEMORY_DEVICE ? block_->dynamic_shared_offset + block_->dynamic_shared_bytes : 0;
  MusaMetricsTraffic sums[2] = {};
  for (uint32_t round = 0; round < rounds; ++round) {
    uint64_t* const addresses = slot(slots.first + round);
    forEachWarp(addresses, [&](const uint64_t* of, uint32_t lanes) {
      MusaMetricsTraffic* sum = nullptr;
      // Behind the block's last lane there are zeros.
      for (uint32_t first = 0; first < lanes; first += kLanesTogether) {
        const uint32_t present = countPresent(of + first, kLanesTogether);
        if (present == 0) continue;
        if (sum == nullptr) {
          const uint64_t* some = of + first;
          while (*some == 0) ++some;
          sum = &sums[*some - shared < sharedBytes ? 1 : 0];
          ++sum->requests;
        }
        sum->lanes += present;
        if (!counted) continue;
        const Parts parts = patterns_[slots.first].partsOf(of + first, access.bytes, sum == &sums[1], atomic);
        sum->parts += parts.count;
        sum->least += parts.least;
        sum->serial += parts.serial;
      }
    });
    std::memset(addresses, 0, threads_ * sizeof(uint64_t));
  }
  for (size_t i = 0; i < 2; ++i) {
    MusaMetricsTraffic& traffic = access.traffic[i];
    add(traffic.requests, sums[i].requests);
    add(traffic.lanes, sums[i].lanes);
    add(traffic.parts, sums[i].parts);
    add(traffic.least, sums[i].least);
    add(traffic.serial, sums[i].serial);
  }
}

void LaneSlots::turn(const MusaMetricsGroup& group) {
  for (uint32_t i = 0; i < group.count; ++i) {
    const MusaMetricsSlots& slots = group.slots[i];
    if (slots.rounds == 0) continue;
    slots.is_access != 0 ? takeAccesses(slots, slots.rounds) : takeSteps(slots, slots.rounds);
  }
}

void LaneSlots::settle(const MusaMetricsGroup& group) {
  uint64_t furthest = group.kind == MUSA_SLOTS_ONCE ? 1 : 0;
  for (uint32_t i = 0; i < group.count; ++i) {
    if (group.slots[i].rounds == 0) furthest = std::max(furthest, takeRounds(group.slots[i]));
  }
  if (furthest == 0) return;
  uint64_t used = std::min<uint64_t>(furthest, group.rounds);
  if (group.kind == MUSA_SLOTS_IN_TURN) used = (furthest - 1) % group.rounds + 1;
  for (uint32_t i = 0; i < group.count; ++i) {
    const MusaMetricsSlots& slots = group.slots[i];
    if (slots.rounds == 0) continue;
    const auto rounds = static_cast<uint32_t>(used);
    slots.is_access != 0 ? takeAccesses(slots, rounds) : takeSteps(slots, rounds);
  }
}

void LaneSlots::settleAll() {
  for (uint64_t i = 0; i < kernel_->group_count; ++i) settle(kernel_->groups[i]);
}

void LaneSlots::drop() { std::fill(slots_.begin(), slots_.end(), 0); }

}  // namespace musashim::devrt::metrics
