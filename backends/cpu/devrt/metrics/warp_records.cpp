#include "cpu/devrt/metrics/warp_records.h"

#include <algorithm>

namespace musashim::devrt::metrics {

void WarpRecords::begin(uint32_t width, uint32_t lanes) {
  if (index_.empty()) {
    index_.resize(kFewestSlots);
    records_.resize(1);
  }
  if (width != width_) {
    addresses_.clear();
    spareChunks_.clear();
  }
  width_ = width;
  lanes_ = lanes;
  turn_ = 0;
}

size_t WarpRecords::slotOf(const void* row, uint64_t visit) const {
  uint64_t hash = reinterpret_cast<uint64_t>(row) * 31 + visit;
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93;
  hash ^= hash >> 29;
  const size_t mask = index_.size() - 1;
  size_t slot = hash & mask;
  while (index_[slot] != 0 && (records_[index_[slot]].row != row || records_[index_[slot]].visit != visit))
    slot = (slot + 1) & mask;
  return slot;
}

uint32_t WarpRecords::place(const void* row, uint64_t rounds, uint32_t lane, bool isAccess) {
  if (live_.size() * 2 >= index_.size()) indexAgain(index_.size() * 2);
  // A lane that comes by once more with the same number goes round in a cycle that is no loop.
  for (uint64_t visit = rounds;; visit = visit * 0x9e3779b97f4a7c15 + 1) {
    const size_t slot = slotOf(row, visit);
    if (index_[slot] == 0) index_[slot] = make(row, visit, isAccess);
    if (!records_[index_[slot]].has(lane)) return index_[slot];
  }
}

uint32_t WarpRecords::make(const void* row, uint64_t visit, bool isAccess) {
  auto number = static_cast<uint32_t>(records_.size());
  if (spare_.empty()) {
    records_.emplace_back();
  } else {
    number = spare_.back();
    spare_.pop_back();
  }
  WarpRecord& record = records_[number];
  const uint32_t next = record.next;  // as good a guess as any
  record = {};
  record.row = row;
  record.visit = visit;
  record.next = next;
  record.isAccess = isAccess;
  if (isAccess && spareChunks_.empty()) {
    record.chunk = static_cast<uint32_t>(addresses_.size() / width_);
    addresses_.resize(addresses_.size() + width_);
  } else if (isAccess) {
    record.chunk = spareChunks_.back();
    spareChunks_.pop_back();
  }
  live_.push_back(number);
  return number;
}

void WarpRecords::indexAgain(size_t slots) {
  index_.assign(slots, 0);
  for (const uint32_t number : live_) index_[slotOf(records_[number].row, records_[number].visit)] = number;
}

}  // namespace musashim::devrt::metrics
