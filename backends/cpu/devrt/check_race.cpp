#include "cpu/devrt/check_race.h"

#include <algorithm>

namespace musashim::devrt::checks {

namespace {

void join(std::span<uint32_t> into, std::span<const uint32_t> from) {
  for (size_t at = 0; at < into.size(); ++at) into[at] = std::max(into[at], from[at]);
}

}  // namespace

void RaceShadow::beginBlock(uint32_t threads, uint32_t warpSize, size_t sharedBytes) {
  threads_ = threads;
  width_ = warpSize_ = warpSize;
  ++epoch_;  // what other blocks have left in the words is over
  size_t words = (sharedBytes + 3) / 4;
  if (words_.size() < words) words_.resize(words);
  published_.clear();
  clocks_.assign(size_t{threads} * width_, 0);
  for (uint32_t thread = 0; thread < threads; ++thread)
    clocks_[size_t{thread} * width_ + thread % width_] = 1;
}

void RaceShadow::widen() {
  std::vector<uint32_t> wide(size_t{threads_} * threads_, 0);
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    const uint32_t warp = thread / warpSize_ * warpSize_;
    const std::span<const uint32_t> known = clocksOf(static_cast<uint16_t>(thread));
    const uint32_t lanes = std::min(warpSize_, threads_ - warp);
    std::copy_n(known.begin(), lanes, wide.begin() + size_t{thread} * threads_ + warp);
  }
  clocks_ = std::move(wide);
  width_ = threads_;
}

void RaceShadow::syncWarp(std::span<const uint16_t> threads) {
  std::vector<uint32_t> joined(width_, 0);
  for (uint16_t thread : threads) join(joined, clocksOf(thread));
  for (uint16_t thread : threads) {
    std::copy(joined.begin(), joined.end(), clocksOf(thread).begin());
    ++clocksOf(thread)[thread % width_];
  }
}

void RaceShadow::release(uintptr_t address, uint16_t thread) {
  if (width_ != threads_) widen();
  std::vector<uint32_t>& known = published_[address];
  known.resize(width_, 0);
  join(known, clocksOf(thread));
  ++clocksOf(thread)[thread % width_];
}

void RaceShadow::acquire(uintptr_t address, uint16_t thread) {
  const auto known = published_.find(address);
  if (known != published_.end()) join(clocksOf(thread), known->second);
}

bool RaceShadow::isOrdered(const Access& earlier, uint16_t thread) const {
  if (earlier.epoch != epoch_ || earlier.thread == thread) return true;
  const bool known = width_ == threads_ || earlier.thread / warpSize_ == thread / warpSize_;
  return known && clock(thread, earlier.thread) >= earlier.clock;
}

bool RaceShadow::conflicts(const Access& earlier, uint8_t bytes, uint16_t thread, bool atomic) const {
  if (!(earlier.bytes & bytes) || (earlier.atomic && atomic)) return false;
  return !isOrdered(earlier, thread);
}

RaceShadow::Access RaceShadow::access(uint8_t bytes, uint16_t thread, const MusaCheckSite* site,
                                      bool atomic) const {
  return {site, epoch_, clock(thread, thread), thread, bytes, atomic};
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
