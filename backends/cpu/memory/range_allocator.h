// Hands out ranges of an address space that it never touches.
//
// Two-level segregated fit: free ranges lie in lists by size class, found through
// bitmaps, so that allocate() and release() cost the same however many ranges live.
// Free ranges are clean (never used since the start or the last trim) or dirty (may
// hold pages). The two never merge: the owner decides when dirty pages go back.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

namespace musashim::backend::cpu {

class RangeAllocator {
 public:
  // Ranges are multiples of `granularity`, a power of two.
  RangeAllocator(uint64_t size, uint64_t granularity);
  RangeAllocator(const RangeAllocator&) = delete;
  RangeAllocator& operator=(const RangeAllocator&) = delete;

  enum class From { kDirty, kClean };
  // The offset of a free range of that kind, or nothing. `alignment` is a power of
  // two; a size of zero counts as one granule.
  std::optional<uint64_t> allocate(uint64_t size, uint64_t alignment, From from);

  struct Released {
    uint64_t size = 0;                      // of the range given back
    uint64_t freeOffset = 0, freeSize = 0;  // the dirty range that it is part of now
  };
  // Nothing when no live range begins at `offset`.
  std::optional<Released> release(uint64_t offset);

  // Makes the dirty range that the last release() went into clean.
  void cleanLastReleased();
  // Calls `discard(offset, size)` for every dirty range and makes it clean.
  void cleanAll(const std::function<void(uint64_t, uint64_t)>& discard);

  // Size of the live range that begins at `offset`.
  std::optional<uint64_t> sizeOf(uint64_t offset) const;

  uint64_t usedBytes() const { return usedBytes_; }
  uint64_t dirtyBytes() const { return dirtyBytes_; }
  uint64_t size() const { return size_; }
  uint64_t roundUp(uint64_t bytes) const;

 private:
  static constexpr unsigned kSecondBits = 4, kSecond = 1u << kSecondBits, kFirst = 64;
  enum class State : uint8_t { kClean, kDirty, kUsed };
  struct Range {
    uint64_t offset, size;
    Range *lower, *upper;            // neighbours in the address space
    Range *nextFree, *previousFree;  // in its class
    State state;
  };
  struct Bins {
    uint64_t firstMap = 0;
    std::array<uint16_t, kFirst> secondMap{};
    std::array<std::array<Range*, kSecond>, kFirst> heads{};
  };
  struct Class {
    unsigned first, second;
  };

  Class classOf(uint64_t granules) const;
  Range* findFit(State state, uint64_t size, uint64_t alignment);
  static bool fits(const Range& range, uint64_t size, uint64_t alignment);
  Range* firstFrom(Bins& bins, Class start);
  void insertFree(Range* range, State state);
  void removeFree(Range* range);
  Range* splitAt(Range* range, uint64_t offset);
  Range* mergeWithNeighbours(Range* range);
  void absorbUpper(Range* range);
  Range* newRange();
  void makeClean(Range* range);
  void markUsed(Range* range);
  Bins& binsOf(State state) { return bins_[state == State::kDirty]; }

  uint64_t size_, granularity_;
  unsigned granularityBits_;
  uint64_t usedBytes_ = 0, dirtyBytes_ = 0;
  std::array<Bins, 2> bins_;
  std::deque<Range> storage_;
  Range* spare_ = nullptr;
  Range* lastReleased_ = nullptr;
  using Used = std::unordered_map<uint64_t, Range*>;  // by offset
  Used used_;
  Used::node_type spareUsed_;  // of the last release, for the next allocation
};

}  // namespace musashim::backend::cpu
