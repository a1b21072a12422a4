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
  const void* row = nullptr;  // of the image's table; null: not in use
  uint64_t visit = 0;         // tells a lane's visits of the row apart
  uint32_t lanes = 0;
  uint32_t turn = 0;   // in which a lane came last
  uint32_t chunk = 0;  // where their addresses are
  uint32_t next = 0;   // the record that the last lane came to next: most likely this one will too
  bool isAccess = false;
  std::array<uint64_t, kMostLanes / 64> who{};

  bool has(uint32_t lane) const { return (who[lane / 64] >> lane % 64 & 1) != 0; }
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
    const uint32_t guess = records_[last_].next;
    WarpRecord& likely = records_[guess];
    if (likely.row == row && likely.visit == rounds && !likely.has(lane)) return join(guess, lane);
    if (live_.size() >= kMostRecords) {
      cut = true;
      takeAll(take);
    }
    const uint32_t found = place(row, rounds, lane, isAccess);
    records_[last_].next = found;
    return join(found, lane);
  }

  template <typename Take>
  void takeTurnOver(Take take) {
    const bool many = live_.size() > kManyRecords;
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
  static constexpr size_t kFewestSlots = 256, kManyRecords = 4096, kMostRecords = size_t{1} << 20;

  WarpRecord& join(uint32_t number, uint32_t lane) {
    WarpRecord& record = records_[number];
    record.who[lane / 64] |= uint64_t{1} << lane % 64;
    ++record.lanes;
    record.turn = turn_;
    last_ = number;
    return record;
  }
  size_t slotOf(const void* row, uint64_t visit) const;
  uint32_t place(const void* row, uint64_t rounds, uint32_t lane, bool isAccess);
  uint32_t make(const void* row, uint64_t visit, bool isAccess);
  void indexAgain(size_t slots);

  template <typename Which, typename Take>
  void takeIf(Which which, Take take) {
    size_t kept = 0;
    for (const uint32_t number : live_) {
      WarpRecord& record = records_[number];
      if (!which(record)) {
        live_[kept++] = number;
        continue;
      }
      take(record, record.isAccess ? addressesOf(record) : nullptr);
      if (record.isAccess) spareChunks_.push_back(record.chunk);
      record.row = nullptr;
      spare_.push_back(number);
    }
    if (kept == live_.size()) return;
    live_.resize(kept);
    // Clearing a table that was large once costs more than growing it again.
    size_t slots = index_.size();
    while (slots > kFewestSlots && slots > 4 * kept) slots /= 2;
    indexAgain(slots);
  }

  uint32_t width_ = 0, lanes_ = 0, turn_ = 0;
  uint32_t last_ = 0;                // the record that a lane came to last
  std::vector<WarpRecord> records_;  // the first is nobody's
  std::vector<uint32_t> live_, spare_;
  std::vector<uint32_t> index_;  // a hash table of a power of two: numbers of records; 0: free
  std::vector<uint64_t> addresses_;
  std::vector<uint32_t> spareChunks_;
};

}  // namespace musashim::devrt::metrics
