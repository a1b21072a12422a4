#include "cpu/devrt/metrics/warp_records.h"

namespace musashim::devrt::metrics {

void WarpRecords::begin(uint32_t width, uint32_t lanes) {
  if (table_.empty()) table_.resize(256);
  if (width != width_) {
    addresses_.clear();
    spare_.clear();
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
  const size_t mask = table_.size() - 1;
  size_t slot = hash & mask;
  while (table_[slot].row != nullptr && (table_[slot].row != row || table_[slot].visit != visit))
    slot = (slot + 1) & mask;
  return slot;
}

WarpRecord& WarpRecords::place(const void* row, uint64_t rounds, uint32_t lane, bool isAccess) {
  const uint64_t bit = uint64_t{1} << lane % 64;
  // A lane that comes by once more with the same number goes round in a cycle that is no loop.
  for (uint64_t visit = rounds;; visit = visit * 0x9e3779b97f4a7c15 + 1) {
    const size_t slot = slotOf(row, visit);
    WarpRecord& record = table_[slot];
    if (record.row == nullptr) {
      record = {row, visit, 0, turn_, 0, isAccess, {}};
      used_.push_back(static_cast<uint32_t>(slot));
      if (isAccess && spare_.empty()) {
        record.chunk = static_cast<uint32_t>(addresses_.size() / width_);
        addresses_.resize(addresses_.size() + width_);
      } else if (isAccess) {
        record.chunk = spare_.back();
        spare_.pop_back();
      }
    }
    uint64_t& who = record.who[lane / 64];
    if ((who & bit) != 0) continue;
    who |= bit;
    ++record.lanes;
    record.turn = turn_;
    return record;
  }
}

void WarpRecords::grow() { rebuild(table_.size() * 2); }

void WarpRecords::rebuild(size_t size) {
  std::vector<WarpRecord> old(size);
  old.swap(table_);
  for (uint32_t& slot : used_) {
    const WarpRecord& record = old[slot];
    slot = static_cast<uint32_t>(slotOf(record.row, record.visit));
    table_[slot] = record;
  }
}

}  // namespace musashim::devrt::metrics
