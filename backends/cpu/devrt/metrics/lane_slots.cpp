#include "cpu/devrt/metrics/lane_slots.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "cpu/devrt/metrics/traffic.h"
#include "cpu/devrt/metrics/warp_records.h"

namespace musashim::devrt::metrics {

void add(uint64_t& counter, uint64_t value) {
  if (value != 0) __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
}

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
  sums_.assign(kernel.slot_count, {});
}

// Of each warp the lanes that are served together. Behind the block's last lane there are zeros.
template <typename Take>
[[gnu::always_inline]] inline void LaneSlots::forEachWarp(Take take) const {
  for (uint32_t first = 0; first < threads_; first += width_) take(first, std::min(first + width_, threads_));
}

template <typename Lanes>
[[gnu::always_inline]] inline LaneSlots::Rounds LaneSlots::roundsIn(const MusaMetricsSlots& slots) {
  Rounds rounds;
  forEachWarp([&](size_t lane, size_t end) __attribute__((always_inline)) {
    uint64_t most = 0;
    for (; lane < end; lane += kLanesTogether) {
      uint64_t* const lanes = slot(slots.first) + lane;
      const LaneRounds some = Lanes::rounds(lanes);
      if (some.most == 0) continue;
      Lanes::clear(lanes);
      rounds.lanes += some.sum;
      most = std::max(most, some.most);
    }
    rounds.warps += most;
    rounds.furthest = std::max(rounds.furthest, most);
  });
  return rounds;
}

uint64_t LaneSlots::takeRounds(const MusaMetricsSlots& slots) {
  const Rounds rounds = hasWideLanes() ? roundsWide(slots) : roundsIn<PlainLanes>(slots);
  sums_[slots.first][0].requests += rounds.warps;
  sums_[slots.first][0].lanes += rounds.lanes;
  return rounds.furthest;
}

// Slot by slot, as they lie in memory.
template <typename Lanes>
[[gnu::always_inline]] inline void LaneSlots::sumBlock(std::span<const MusaMetricsSlots> together,
                                                       uint32_t round) {
  std::array<uint32_t, kMostThreads / kLanesTogether> present;
  uint64_t warps = 0, all = 0;
  forEachWarp([&](size_t lane, size_t end) __attribute__((always_inline)) {
    uint32_t any = 0;
    for (; lane < end; lane += kLanesTogether) {
      const uint32_t here = Lanes::present(slot(together.front().first + round) + lane);
      present[lane / kLanesTogether] = here;
      all += static_cast<uint32_t>(std::popcount(here));
      any |= here;
    }
    warps += any != 0 ? 1 : 0;
  });
  if (all == 0) return;
  const uint64_t shared = reinterpret_cast<uint64_t>(block_->shared);
  const uint64_t sharedBytes = block_->dynamic_shared_offset + block_->dynamic_shared_bytes;
  for (size_t i = 0; i < together.size(); ++i) {
    uint64_t* const values = slot(together[i].first + round);
    Traffic& sums = sums_[together[i].first];
    if (together[i].is_access == 0) {
      sums[0].requests += warps;
      sums[0].lanes += all;
      for (size_t lane = 0; lane < threads_; lane += kLanesTogether) Lanes::clear(values + lane);
      continue;
    }
    const auto& access = *static_cast<const MusaMetricsAccess*>(together[i].row);
    LanePattern& pattern = patterns_[together[i].first + round];
    const bool counted = access.space != MUSA_MEMORY_CONSTANT, atomic = access.kind == MUSA_ACCESS_ATOMIC,
               maybeShared = access.space == MUSA_MEMORY_DEVICE;
    const uint32_t bytes = access.bytes;
    Traffic sum{};
    forEachWarp([&](size_t lane, size_t end) __attribute__((always_inline)) {
      uint64_t requests = 1;
      for (; lane < end; lane += kLanesTogether) {
        const uint32_t here = present[lane / kLanesTogether];
        if (here == 0) continue;
        uint64_t* const addresses = values + lane;
        const bool isShared = maybeShared && addresses[std::countr_zero(here)] - shared < sharedBytes;
        MusaMetricsTraffic& traffic = sum[isShared ? 1 : 0];
        traffic.requests += std::exchange(requests, 0);
        traffic.lanes += static_cast<uint32_t>(std::popcount(here));
        if (counted) {
          const Parts& parts = pattern.partsOf<Lanes>(addresses, here, bytes, isShared, atomic);
          traffic.parts += parts.count;
          traffic.least += parts.least;
          traffic.serial += parts.serial;
        }
        Lanes::clear(addresses);
      }
    });
    for (size_t space = 0; space < sum.size(); ++space) addUp(sums[space], sum[space]);
  }
}

[[gnu::target("avx512f")]] LaneSlots::Rounds LaneSlots::roundsWide(const MusaMetricsSlots& slots) {
  return roundsIn<WideLanes>(slots);
}
[[gnu::target("avx512f")]] void LaneSlots::sumWide(std::span<const MusaMetricsSlots> together,
                                                   uint32_t round) {
  sumBlock<WideLanes>(together, round);
}

// Of what stands in one block of code, so that the lanes that come to one come to all.
void LaneSlots::takeBlock(std::span<const MusaMetricsSlots> together, uint32_t rounds) {
  for (uint32_t round = 0; round < rounds; ++round)
    hasWideLanes() ? sumWide(together, round) : sumBlock<PlainLanes>(together, round);
}

// To the counters of all host threads: once a block, as they are shared.
void LaneSlots::addSums(const MusaMetricsSlots& slots, std::vector<BlockCount>* counts) {
  Traffic& sums = sums_[slots.first];
  if (sums[0].requests + sums[1].requests == 0) return;
  if (counts != nullptr) counts->push_back({slots.row, slots.is_access != 0, sums});
  if (slots.is_access == 0) {
    auto& step = *static_cast<MusaMetricsStep*>(slots.row);
    totals_.addStep(sums[0].requests, sums[0].lanes);
    add(step.warps, sums[0].requests);
    add(step.lanes, sums[0].lanes);
  } else {
    auto& access = *static_cast<MusaMetricsAccess*>(slots.row);
    for (size_t space = 0; space < sums.size(); ++space) {
      if (access.space == MUSA_MEMORY_DEVICE) totals_.addTraffic(space == 1, sums[space]);
      addTo(access.traffic[space], sums[space]);
    }
  }
  sums = {};
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

void LaneSlots::settleAll(std::vector<BlockCount>* counts) {
  for (uint64_t i = 0; i < kernel_->group_count; ++i) {
    const MusaMetricsGroup& group = kernel_->groups[i];
    settle(group);
    for (uint32_t slots = 0; slots < group.count; ++slots) addSums(group.slots[slots], counts);
  }
}

void LaneSlots::drop() {
  std::fill(slots_.begin(), slots_.end(), 0);
  std::fill(sums_.begin(), sums_.end(), Traffic{});
}

}  // namespace musashim::devrt::metrics
