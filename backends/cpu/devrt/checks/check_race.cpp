#include "cpu/devrt/checks/check_race.h"

#include <algorithm>

namespace musashim::devrt::checks {

namespace {

void join(std::span<uint32_t> into, std::span<const uint32_t> from) {
  for (size_t at = 0; at < into.size(); ++at) into[at] = std::max(into[at], from[at]);
}

}  // namespace

void RaceShadow::beginBlock(uint32_t threads, uint32_t warpSize, size_t sharedBytes, const void* image) {
  threads_ = threads;
  width_ = warpSize_ = warpSize;
  image_ = reinterpret_cast<uintptr_t>(image);
  ++epoch_;  // what other blocks have left in the words is over
  const size_t words = (sharedBytes + 3) / 4;
  if (words > room_) makeRoom(words);
  if (tracked_ || own_.size() < threads) own_.assign(std::max<size_t>(own_.size(), threads), 1);
  tracked_ = 0;
  published_.clear();
}

// Sorts lie such that the places of a word are not a multiple of a page apart: processors take such for one.
void RaceShadow::makeRoom(size_t words) {
  constexpr size_t kLine = 8, kApart = 5 * kLine;
  room_ = words;
  pitch_ = (words + kLine - 1) / kLine * kLine + kApart;
  words_.assign(2 * MUSA_CHECK_SORTS * pitch_, 0);
}

void RaceShadow::track() {
  if (tracked_) return;
  tracked_ = 1;
  clocks_.assign(size_t{threads_} * width_, 0);
  for (uint32_t thread = 0; thread < threads_; ++thread)
    clocks_[size_t{thread} * width_ + thread % width_] = 1;
}

void RaceShadow::advance(uint16_t thread) { own_[thread] = ++clocksOf(thread)[thread % width_]; }

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
  track();
  std::vector<uint32_t> joined(width_, 0);
  for (uint16_t thread : threads) join(joined, clocksOf(thread));
  for (uint16_t thread : threads) {
    std::copy(joined.begin(), joined.end(), clocksOf(thread).begin());
    advance(thread);
  }
}

void RaceShadow::meet(std::span<const uint16_t> threads) {
  track();
  if (width_ != threads_) widen();
  syncWarp(threads);
}

void RaceShadow::release(uintptr_t address, uint16_t thread) {
  track();
  if (width_ != threads_) widen();
  std::vector<uint32_t>& known = published_[address];
  known.resize(width_, 0);
  join(known, clocksOf(thread));
  advance(thread);
}

void RaceShadow::acquire(uintptr_t address, uint16_t thread) {
  const auto known = published_.find(address);
  if (known != published_.end()) join(clocksOf(thread), known->second);
}

RaceShadow::Access RaceShadow::unpack(const MusaCheckAccess& packed) const {
  Access access;
  access.epoch = static_cast<uint32_t>(packed.who >> 32);
  access.thread = static_cast<uint16_t>(packed.who);
  access.bytes = static_cast<uint8_t>(packed.who >> 16);
  access.atomic = (packed.who >> 24 & 1) != 0;
  access.clock = static_cast<uint32_t>(packed.what);
  // Images are smaller than half of what 32 bits tell apart.
  const auto distance =
      static_cast<int32_t>(static_cast<uint32_t>(packed.what >> 32) - static_cast<uint32_t>(image_));
  access.site = reinterpret_cast<const MusaCheckSite*>(
      image_ + static_cast<uintptr_t>(static_cast<intptr_t>(distance)));
  return access;
}

bool RaceShadow::isOrdered(const Access& earlier, uint16_t thread) const {
  if (earlier.epoch != epoch_ || earlier.thread == thread) return true;
  if (!tracked_) return false;
  const bool known = width_ == threads_ || earlier.thread / warpSize_ == thread / warpSize_;
  return known && clock(thread, earlier.thread) >= earlier.clock;
}

bool RaceShadow::conflicts(const MusaCheckAccess& packed, uint8_t bytes, uint16_t thread, bool atomic) const {
  const Access earlier = unpack(packed);
  if (!(earlier.bytes & bytes) || (earlier.atomic && atomic)) return false;
  return !isOrdered(earlier, thread);
}

// One thread's accesses to parts of a word add up.
void RaceShadow::remember(unsigned sort, size_t word, uint8_t bytes, uint16_t thread,
                          const MusaCheckSite* site, bool atomic) {
  const uint64_t own = own_[thread];
  const Access before = unpack(at(sort, word));
  const bool same =
      before.epoch == epoch_ && before.thread == thread && before.clock == own && before.atomic == atomic;
  const auto all = static_cast<uint8_t>(bytes | (same ? before.bytes : 0));
  words_[sort * pitch_ + word] =
      thread | uint64_t{all} << 16 | uint64_t{atomic} << 24 | uint64_t{epoch_} << 32;
  words_[(MUSA_CHECK_SORTS + sort) * pitch_ + word] = own | reinterpret_cast<uint64_t>(site) << 32;
}

RaceShadow::Hazard RaceShadow::read(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site) {
  const MusaCheckAccess write = at(MUSA_CHECK_LAST_WRITE, word);
  Hazard hazard;
  if (conflicts(write, bytes, thread, false)) hazard = {"RAW", unpack(write)};
  const Access first = unpack(at(MUSA_CHECK_FIRST_READ, word));
  const bool isFree = first.epoch != epoch_ || first.thread == thread;
  remember(isFree ? MUSA_CHECK_FIRST_READ : MUSA_CHECK_LAST_READ, word, bytes, thread, site, false);
  return hazard;
}

RaceShadow::Hazard RaceShadow::write(size_t word, uint8_t bytes, uint16_t thread, const MusaCheckSite* site,
                                     bool atomic) {
  const MusaCheckAccess last = at(MUSA_CHECK_LAST_WRITE, word);
  Hazard hazard;
  if (conflicts(last, bytes, thread, atomic)) {
    hazard = {"WAW", unpack(last)};
  } else {
    for (const unsigned sort : {MUSA_CHECK_FIRST_READ, MUSA_CHECK_LAST_READ}) {
      const MusaCheckAccess read = at(sort, word);
      if (conflicts(read, bytes, thread, atomic)) hazard = {"WAR", unpack(read)};
    }
  }
  remember(MUSA_CHECK_LAST_WRITE, word, bytes, thread, site, atomic);
  return hazard;
}

}  // namespace musashim::devrt::checks
