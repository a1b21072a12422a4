#include "cpu/devrt/check_race.h"

#include <algorithm>

namespace musashim::devrt::checks {

void RaceShadow::beginBlock(uint32_t threads, uint32_t warpSize, size_t sharedBytes) {
  warpSize_ = warpSize;
  ++epoch_;  // what other blocks have left in the words is over
  size_t words = (sharedBytes + 3) / 4;
  if (words_.size() < words) words_.resize(words);
  clocks_.assign(size_t{threads} * warpSize, 0);
  for (uint32_t thread = 0; thread < threads; ++thread) {
    clocksOf(static_cast<uint16_t>(thread))[thread % warpSize] = 1;
  }
}

void RaceShadow::syncWarp(std::span<const uint16_t> threads) {
  std::vector<uint32_t> joined(warpSize_, 0);
  for (uint16_t thread : threads) {
    const uint32_t* clocks = clocksOf(thread);
    for (uint32_t lane = 0; lane < warpSize_; ++lane) joined[lane] = std::max(joined[lane], clocks[lane]);
  }
  for (uint16_t thread : threads) {
    uint32_t* clocks = clocksOf(thread);
    std::copy(joined.begin(), joined.end(), clocks);
    ++clocks[thread % warpSize_];
  }
}

bool RaceShadow::isOrdered(const Access& earlier, uint16_t thread) const {
  if (earlier.epoch != epoch_ || earlier.thread == thread) return true;
  if (earlier.thread / warpSize_ != thread / warpSize_) return false;
  return clocksOf(thread)[earlier.thread % warpSize_] >= earlier.clock;
}

bool RaceShadow::conflicts(const Access& earlier, uint8_t bytes, uint16_t thread, bool atomic) const {
  if (!(earlier.bytes & bytes) || (earlier.atomic && atomic)) return false;
  return !isOrdered(earlier, thread);
}

RaceShadow::Access RaceShadow::access(uint8_t bytes, uint16_t thread, const MusaCheckSite* site,
                                      bool atomic) const {
  return {site, epoch_, clocksOf(thread)[thread % warpSize_], thread, bytes, atomic};
}

// One thread's accesses to parts of a word add up.
void RaceShadow::remember(Access& place, const Access& now) {
  const bool same = place.epoch == now.epoch && place.thread == now.thread && place.clock == now.clock &&
                    place.atomic == now.atomic;
  const uint8_t before = same ? place.bytes : 0;
  place = now;
  place.bytes |= before;
}

RaceShadow::Hazard RaceShadow::read(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site) {
  Word& cell = words_[word];
  const Access now = access(bytes, thread, site, false);
  Hazard hazard;
  if (conflicts(cell.write, bytes, thread, false)) hazard = {"RAW", cell.write};
  const bool first = cell.reads[0].epoch != epoch_ || cell.reads[0].thread == thread;
  remember(cell.reads[first ? 0 : 1], now);
  return hazard;
}

RaceShadow::Hazard RaceShadow::write(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site,
                                     bool atomic) {
  Word& cell = words_[word];
  Hazard hazard;
  if (conflicts(cell.write, bytes, thread, atomic)) {
    hazard = {"WAW", cell.write};
  } else {
    for (const Access& read : cell.reads) {
      if (conflicts(read, bytes, thread, atomic)) hazard = {"WAR", read};
    }
  }
  remember(cell.write, access(bytes, thread, site, atomic));
  return hazard;
}

}  // namespace musashim::devrt::checks
