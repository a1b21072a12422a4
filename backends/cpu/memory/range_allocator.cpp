#include "cpu/memory/range_allocator.h"

#include <bit>
#include <utility>

namespace musashim::backend::cpu {

namespace {
uint64_t alignUp(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }
}  // namespace

RangeAllocator::RangeAllocator(uint64_t size, uint64_t granularity)
    : size_(size & ~(granularity - 1)),
      granularity_(granularity),
      granularityBits_(static_cast<unsigned>(std::countr_zero(granularity))) {
  Range* whole = newRange();
  *whole = {0, size_, nullptr, nullptr, nullptr, nullptr, State::kClean};
  if (size_ > 0) insertFree(whole, State::kClean);
}

uint64_t RangeAllocator::roundUp(uint64_t bytes) const {
  if (bytes == 0) return granularity_;
  return bytes > size_ ? bytes : alignUp(bytes, granularity_);
}

RangeAllocator::Class RangeAllocator::classOf(uint64_t granules) const {
  if (granules < kSecond) return {0, static_cast<unsigned>(granules)};
  unsigned top = static_cast<unsigned>(std::bit_width(granules)) - 1;
  return {top - kSecondBits + 1, static_cast<unsigned>(granules >> (top - kSecondBits)) & (kSecond - 1)};
}

bool RangeAllocator::fits(const Range& range, uint64_t size, uint64_t alignment) {
  uint64_t start = alignUp(range.offset, alignment);
  return start + size <= range.offset + range.size;
}

RangeAllocator::Range* RangeAllocator::firstFrom(Bins& bins, Class start) {
  if (start.first >= kFirst) return nullptr;
  uint32_t second = bins.secondMap[start.first] & (0xffffffffu << start.second);
  unsigned first = start.first;
  if (second == 0) {
    uint64_t above = first + 1 < kFirst ? bins.firstMap & (~0ull << (first + 1)) : 0;
    if (above == 0) return nullptr;
    first = static_cast<unsigned>(std::countr_zero(above));
    second = bins.secondMap[first];
  }
  return bins.heads[first][static_cast<unsigned>(std::countr_zero(second))];
}

RangeAllocator::Range* RangeAllocator::findFit(State state, uint64_t size, uint64_t alignment) {
  Bins& bins = binsOf(state);
  // The head of the size's own class is often an exact fit: a program that frees and allocates alike.
  Class own = classOf(size >> granularityBits_);
  if (Range* head = bins.heads[own.first][own.second]; head && fits(*head, size, alignment)) return head;
  // Any range of the classes above is large enough for size plus the loss of alignment.
  uint64_t sure = size + (alignment > granularity_ ? alignment - granularity_ : 0);
  Class next = classOf(sure >> granularityBits_);
  if (++next.second == kSecond) next = {next.first + 1, 0};
  if (Range* range = firstFrom(bins, next)) return range;
  // Nearly full: look at every range that could do. Not worth it among the dirty ones,
  // which are but a cache.
  if (state == State::kDirty) return nullptr;
  for (unsigned first = own.first; first < kFirst; ++first) {
    for (unsigned second = first == own.first ? own.second : 0; second < kSecond; ++second) {
      for (Range* range = bins.heads[first][second]; range; range = range->nextFree) {
        if (fits(*range, size, alignment)) return range;
      }
    }
  }
  return nullptr;
}

std::optional<uint64_t> RangeAllocator::allocate(uint64_t bytes, uint64_t alignment, From from) {
  uint64_t size = roundUp(bytes);
  if (size > size_) return std::nullopt;
  State state = from == From::kDirty ? State::kDirty : State::kClean;
  if (state == State::kDirty && dirtyBytes_ < size) return std::nullopt;
  Range* range = findFit(state, size, alignment);
  if (!range) return std::nullopt;
  removeFree(range);
  lastReleased_ = nullptr;
  if (uint64_t start = alignUp(range->offset, alignment); start != range->offset) {
    Range* rest = splitAt(range, start);
    insertFree(range, state);
    range = rest;
  }
  if (range->size > size) insertFree(splitAt(range, range->offset + size), state);
  range->state = State::kUsed;
  usedBytes_ += range->size;
  markUsed(range);
  return range->offset;
}

void RangeAllocator::markUsed(Range* range) {
  if (!spareUsed_) {
    used_.emplace(range->offset, range);
    return;
  }
  spareUsed_.key() = range->offset;
  spareUsed_.mapped() = range;
  used_.insert(std::exchange(spareUsed_, {}));
}

std::optional<RangeAllocator::Released> RangeAllocator::release(uint64_t offset) {
  auto found = used_.find(offset);
  if (found == used_.end()) return std::nullopt;
  Range* range = found->second;
  spareUsed_ = used_.extract(found);
  usedBytes_ -= range->size;
  Released released{range->size, 0, 0};
  range->state = State::kDirty;
  range = mergeWithNeighbours(range);
  insertFree(range, State::kDirty);
  lastReleased_ = range;
  released.freeOffset = range->offset;
  released.freeSize = range->size;
  return released;
}

std::optional<uint64_t> RangeAllocator::sizeOf(uint64_t offset) const {
  auto found = used_.find(offset);
  if (found == used_.end()) return std::nullopt;
  return found->second->size;
}

void RangeAllocator::makeClean(Range* range) {
  removeFree(range);
  range->state = State::kClean;
  insertFree(mergeWithNeighbours(range), State::kClean);
}

void RangeAllocator::cleanLastReleased() {
  if (lastReleased_ && lastReleased_->state == State::kDirty) makeClean(lastReleased_);
  lastReleased_ = nullptr;
}

void RangeAllocator::cleanAll(const std::function<void(uint64_t, uint64_t)>& discard) {
  Bins& dirty = bins_[1];
  while (dirty.firstMap != 0) {
    Range* range = firstFrom(dirty, {static_cast<unsigned>(std::countr_zero(dirty.firstMap)), 0});
    discard(range->offset, range->size);
    makeClean(range);
  }
}

void RangeAllocator::insertFree(Range* range, State state) {
  range->state = state;
  Bins& bins = binsOf(state);
  Class at = classOf(range->size >> granularityBits_);
  Range*& head = bins.heads[at.first][at.second];
  range->previousFree = nullptr;
  range->nextFree = head;
  if (head) head->previousFree = range;
  head = range;
  bins.secondMap[at.first] |= static_cast<uint16_t>(1u << at.second);
  bins.firstMap |= 1ull << at.first;
  if (state == State::kDirty) dirtyBytes_ += range->size;
}

void RangeAllocator::removeFree(Range* range) {
  Bins& bins = binsOf(range->state);
  Class at = classOf(range->size >> granularityBits_);
  Range*& head = bins.heads[at.first][at.second];
  if (range->previousFree) range->previousFree->nextFree = range->nextFree;
  if (range->nextFree) range->nextFree->previousFree = range->previousFree;
  if (head == range) head = range->nextFree;
  if (!head) {
    bins.secondMap[at.first] &= static_cast<uint16_t>(~(1u << at.second));
    if (bins.secondMap[at.first] == 0) bins.firstMap &= ~(1ull << at.first);
  }
  if (range->state == State::kDirty) dirtyBytes_ -= range->size;
}

// Cuts `range` in two and returns the upper part, which is in no list.
RangeAllocator::Range* RangeAllocator::splitAt(Range* range, uint64_t offset) {
  Range* upper = newRange();
  *upper = {offset,      range->offset + range->size - offset, range, range->upper, nullptr, nullptr,
            range->state};
  if (range->upper) range->upper->lower = upper;
  range->upper = upper;
  range->size = offset - range->offset;
  return upper;
}

// Merges `range`, which is in no list, with free neighbours of its own state.
RangeAllocator::Range* RangeAllocator::mergeWithNeighbours(Range* range) {
  if (Range* upper = range->upper; upper && upper->state == range->state) {
    removeFree(upper);
    absorbUpper(range);
  }
  if (Range* lower = range->lower; lower && lower->state == range->state) {
    removeFree(lower);
    absorbUpper(lower);
    range = lower;
  }
  return range;
}

void RangeAllocator::absorbUpper(Range* range) {
  Range* upper = range->upper;
  range->size += upper->size;
  range->upper = upper->upper;
  if (upper->upper) upper->upper->lower = range;
  upper->nextFree = spare_;
  spare_ = upper;
}

RangeAllocator::Range* RangeAllocator::newRange() {
  if (!spare_) return &storage_.emplace_back();
  Range* range = spare_;
  spare_ = range->nextFree;
  return range;
}

}  // namespace musashim::backend::cpu
