// What a warp's lanes do together, while they come by one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace musashim::devrt::metrics {

inline constexpr uint32_t kMostLanes = 128;

// A step or an access of the lanes that have come by.
struct WarpRecord {
  const void* row = nullptr;  // of the image's table; null: the place is free
  uint64_t visit = 0;         // tells a lane's visits of the row apart
  uint32_t lanes = 0;
  uint32_t turn = 0;   // in which a lane came last
  uint32_t chunk = 0;  // where their addresses are
  bool isAccess = false;
  std::array<uint64_t, kMostLanes / 64> who{};
};

// A warp's records, by row and visit. One is taken when all lanes of the warp have come. Those that some
// lanes do not come to wait for the end of the block, or until there are many of them. A *turn* is while no
// other warp runs.
class WarpRecords {
 public:
  void begin(uint32_t width, uint32_t lanes);

  // The record of the lane's visit, with the lane in it. `cut`: it was given up that lanes of earlier records
  // come.
  template <typename Take>
  WarpRecord& find(const void* row, uint64_t rounds, uint32_t lane, bool isAccess, bool& cut, Take take) {
    if (used_.size() * 2 >= table_.size()) {
      if (used_.size() >= kMostRecords) {
        cut = true;
        takeAll(take);
      } else {
        grow();
      }
    }
    return place(row, rounds, lane, isAccess);
  }

  template <typename Take>
  void takeTurnOver(Take take) {
    const bool many = used_.size() > kManyRecords;
    takeIf([&](const WarpRecord& record) { return record.lanes == lanes_ || (many && record.turn != turn_); },
           take);
    ++turn_;
  }

  template <typename Take>
  void takeAll(Take take) {
    takeIf([](const WarpRecord&) { return true; }, take);
  }

  // Room for an address per lane.
  uint64_t* addressesOf(const WarpRecord& record) { return &addresses_[size_t{record.chunk} * width_]; }

 private:
  static constexpr size_t kManyRecords = 4096, kMostRecords = size_t{1} << 20;

  size_t slotOf(const void* row, uint64_t visit) const;
  WarpRecord& place(const void* row, uint64_t rounds, uint32_t lane, bool isAccess);
  void grow();
  void rebuild(size_t size);

  template <typename Which, typename Take>
  void takeIf(Which which, Take take) {
    size_t kept = 0;
    for (const uint32_t slot : used_) {
      WarpRecord& record = table_[slot];
      if (!which(record)) {
        used_[kept++] = slot;
        continue;
      }
      take(record, record.isAccess ? addressesOf(record) : nullptr);
      if (record.isAccess) spare_.push_back(record.chunk);
      record.row = nullptr;
    }
    if (kept == used_.size()) return;
    used_.resize(kept);
    // An open hash table cannot have holes.
    if (kept != 0) rebuild(table_.size());
  }

  uint32_t width_ = 0, lanes_ = 0, turn_ = 0;
  std::vector<WarpRecord> table_;  // a power of two
  std::vector<uint32_t> used_;     // slots
  std::vector<uint64_t> addresses_;
  std::vector<uint32_t> spare_;  // chunks
};

}  // namespace musashim::devrt::metrics
