#include "cpu/devrt/metrics/lane_slots.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/devrt/metrics/warp_records.h"

namespace musashim::devrt::metrics {

void add(uint64_t& counter, uint64_t value) {
  if (value != 0) __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
}

namespace {

void clear(uint64_t* lanes) { std::memset(lanes, 0, kLanesTogether * sizeof *lanes); }

}  // namespace

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

// Of each warp the lanes that are served together. Behind the block's last lane there are zeros.
template <typename Take>
void LaneSlots::forEachWarp(uint64_t* slot, Take take) const {
  for (uint32_t first = 0; first < threads_; first += width_)
    take(slot + first, slot + std::min(first + width_, threads_));
}

uint64_t LaneSlots::takeRounds(const MusaMetricsSlots& slots) {
  uint64_t warps = 0, all = 0, furthest = 0;
  forEachWarp(slot(slots.first), [&](uint64_t* lanes, const uint64_t* end) {
    uint64_t most = 0;
    for (; lanes < end; lanes += kLanesTogether) {
      const LaneRounds rounds = laneLoops.rounds(lanes);
      if (rounds.most == 0) continue;
      clear(lanes);
      all += rounds.sum;
      most = std::max(most, rounds.most);
    }
    warps += most;
    furthest = std::max(furthest, most);
  });
  auto& step = *static_cast<MusaMetricsStep*>(slots.row);
  add(step.warps, warps);
  add(step.lanes, all);
  return furthest;
}

void LaneSlots::takeSteps(const MusaMetricsSlots& slots, uint32_t rounds) {
  uint64_t warps = 0, all = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    forEachWarp(slot(slots.first + round), [&](uint64_t* lanes, const uint64_t* end) {
      bool any = false;
      for (; lanes < end; lanes += kLanesTogether) {
        const uint32_t present = laneLoops.present(lanes);
        if (present == 0) continue;
        clear(lanes);
        all += static_cast<uint32_t>(std::popcount(present));
        any = true;
      }
      warps += any ? 1 : 0;
    });
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
    LanePattern& pattern = patterns_[slots.first + round];
    forEachWarp(slot(slots.first + round), [&](uint64_t* lanes, const uint64_t* end) {
      MusaMetricsTraffic* sum = nullptr;
      for (; lanes < end; lanes += kLanesTogether) {
        const uint32_t present = laneLoops.present(lanes);
        if (present == 0) continue;
        if (sum == nullptr) {
          sum = &sums[lanes[std::countr_zero(present)] - shared < sharedBytes ? 1 : 0];
          ++sum->requests;
        }
        sum->lanes += static_cast<uint32_t>(std::popcount(present));
        if (counted) {
          const Parts& parts = pattern.partsOf(lanes, present, access.bytes, sum == &sums[1], atomic);
          sum->parts += parts.count;
          sum->least += parts.least;
          sum->serial += parts.serial;
        }
        clear(lanes);
      }
    });
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
