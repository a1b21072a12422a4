// One warp operation in progress: who takes part, who has come, what they brought.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

namespace musashim::devrt {

struct WarpRecord {
  uint32_t first = 0;  // linear index of the scope's first thread
  uint32_t lanes = 0;  // of the scope
  uint32_t mask = 0;   // who takes part, per group of 32 lanes
  uint32_t warp = 0;
  bool mayPart = false;               // groups may go on without the others: of __syncwarp
  uint32_t readers = 0;               // who were woken and have not read yet, and one while it is open
  std::array<uint32_t, 4> arrived{};  // per group of the scope
  std::array<uint64_t, 128> values;
  WarpRecord* next = nullptr;

  bool has(uint32_t lane) const { return (arrived[lane / 32] >> (lane % 32)) & 1; }
};

class WarpRecordPool {
 public:
  WarpRecord& take() {
    if (!spare_) return storage_.emplace_back();
    WarpRecord& record = *spare_;
    spare_ = record.next;
    return record;
  }
  void give(WarpRecord& record) {
    record.next = spare_;
    spare_ = &record;
  }
  // Takes all back, whoever holds them: after a block was abandoned.
  void reset() {
    spare_ = nullptr;
    for (WarpRecord& record : storage_) give(record);
  }

 private:
  std::deque<WarpRecord> storage_;
  WarpRecord* spare_ = nullptr;
};

}  // namespace musashim::devrt
