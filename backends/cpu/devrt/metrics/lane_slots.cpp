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

void addTo(MusaMetricsTraffic& counters, const MusaMetricsTraffic& more) {
  add(counters.requests, more.requests);
  add(counters.lanes, more.lanes);
  add(counters.parts, more.parts);
  add(counters.least, more.least);
  add(counters.serial, more.serial);
}

void LaneSlots::begin(const MusaBlockContext& block, const MusaMetricsKernel& kernel) {
  block_ = &block;
  threads_ = block.block_dim.x * block.block_dim.y * block.block_dim.z;
  width_ = block.warp_size;
  totals_ = {};
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
void LaneSlots::forEachWarp(Take take) const {
  for (uint32_t first = 0; first < threads_; first += width_) take(first, std::min(first + width_, threads_));
}

uint64_t LaneSlots::takeRounds(const MusaMetricsSlots& slots) {
  uint64_t warps = 0, all = 0, furthest = 0;
  forEachWarp([&](size_t lane, size_t end) {
    uint64_t most = 0;
    for (; lane < end; lane += kLanesTogether) {
      uint64_t* const lanes = slot(slots.first) + lane;
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
  totals_.addStep(warps, all);
  return furthest;
}

// Of what stands in one block of code, so that the lanes that come to one come to all.
void LaneSlots::takeBlock(std::span<const MusaMetricsSlots> together, uint32_t rounds) {
  sums_.assign(together.size(), {});
  const uint64_t shared = reinterpret_cast<uint64_t>(block_->shared);
  const uint64_t sharedBytes = block_->dynamic_shared_offset + block_->dynamic_shared_bytes;
  for (uint32_t round = 0; round < rounds; ++round) {
    forEachWarp([&](size_t lane, size_t end) {
      uint64_t requests = 1;  // of the warp
      for (; lane < end; lane += kLanesTogether) {
        const uint32_t present = laneLoops.present(slot(together.front().first + round) + lane);
        if (present == 0) continue;
        const auto lanes = static_cast<uint32_t>(std::popcount(present));
        const int some = std::countr_zero(present);
        for (size_t i = 0; i < together.size(); ++i) {
          const MusaMetricsSlots& slots = together[i];
          uint64_t* const values = slot(slots.first + round) + lane;
          Traffic& sum = sums_[i];
          if (slots.is_access == 0) {
            sum[0].requests += requests;
            sum[0].lanes += lanes;
          } else {
            const auto& access = *static_cast<const MusaMetricsAccess*>(slots.row);
            const bool isShared = access.space == MUSA_MEMORY_DEVICE && values[some] - shared < sharedBytes;
            MusaMetricsTraffic& traffic = sum[isShared ? 1 : 0];
            traffic.requests += requests;
            traffic.lanes += lanes;
            if (access.space != MUSA_MEMORY_CONSTANT) {
              const Parts& parts = patterns_[slots.first + round].partsOf(
                  values, present, access.bytes, isShared, access.kind == MUSA_ACCESS_ATOMIC);
              traffic.parts += parts.count;
              traffic.least += parts.least;
              traffic.serial += parts.serial;
            }
          }
          clear(values);
        }
        requests = 0;
      }
    });
  }
  for (size_t i = 0; i < together.size(); ++i) addSums(together[i], sums_[i]);
}

void LaneSlots::addSums(const MusaMetricsSlots& slots, const Traffic& sums) {
  if (slots.is_access == 0) {
    auto& step = *static_cast<MusaMetricsStep*>(slots.row);
    totals_.addStep(sums[0].requests, sums[0].lanes);
    add(step.warps, sums[0].requests);
    return add(step.lanes, sums[0].lanes);
  }
  auto& access = *static_cast<MusaMetricsAccess*>(slots.row);
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].requests == 0 && sums[i].lanes == 0) continue;
    if (access.space == MUSA_MEMORY_DEVICE) totals_.addTraffic(i == 1, sums[i]);
    addTo(access.traffic[i], sums[i]);
  }
}

void LaneSlots::takeRings(const MusaMetricsGroup& group, uint32_t rounds) {
  for (uint32_t i = 0; i < group.count;) {
    const uint32_t first = i;
    while (i < group.count && group.slots[i].block == group.slots[first].block && group.slots[i].rounds != 0)
      ++i;
    if (i == first) {
      ++i;
      continue;
    }
    takeBlock({group.slots + first, i - first}, rounds);
  }
}

void LaneSlots::turn(const MusaMetricsGroup& group) { takeRings(group, group.rounds); }

void LaneSlots::settle(const MusaMetricsGroup& group) {
  uint64_t furthest = group.kind == MUSA_SLOTS_ONCE ? 1 : 0;
  for (uint32_t i = 0; i < group.count; ++i) {
    if (group.slots[i].rounds == 0) furthest = std::max(furthest, takeRounds(group.slots[i]));
  }
  if (furthest == 0) return;
  uint64_t used = std::min<uint64_t>(furthest, group.rounds);
  if (group.kind == MUSA_SLOTS_IN_TURN) used = (furthest - 1) % group.rounds + 1;
  takeRings(group, static_cast<uint32_t>(used));
}

void LaneSlots::settleAll() {
  for (uint64_t i = 0; i < kernel_->group_count; ++i) settle(kernel_->groups[i]);
}

void LaneSlots::drop() { std::fill(slots_.begin(), slots_.end(), 0); }

}  // namespace musashim::devrt::metrics
