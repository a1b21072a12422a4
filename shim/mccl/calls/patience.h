// Whether it has paid of late to wait a little for the other ranks in a call. Each time that they did not
// come, fewer calls wait: every second, every fourth, up to every 64th. Which ones follows from the calls'
// numbers, so that ranks that have lost each other try again at the same call, whatever each of them has
// seen.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace musashim::mccl {

class Patience {
 public:
  bool waits(uint64_t call) const { return (call & pause_) == 0; }
  void note(bool came) { pause_ = came ? 0 : std::min(2 * pause_ + 1, kMost); }

  // The last time they did not come: nobody may assume that they are near.
  bool isTrying() const { return pause_ == kMost; }

  // Waiting for queued calls was in vain, with so many done; it is until more are.
  void noteStuck(uint64_t done) { stuckAt_ = done; }
  bool isStuck(uint64_t done) const { return stuckAt_ == done; }

  // How long to wait for `ranks` ranks. Where they share processors, all have to get one, and who is not
  // waited for costs the others more: a thread of its stream has to be woken, and theirs then.
  static std::chrono::microseconds limit(int ranks, int processors) {
    return std::chrono::microseconds(120 + (ranks > processors ? 100 : 5) * ranks);
  }

 private:
  static constexpr uint64_t kMost = 63;
  uint64_t pause_ = 0;  // one less than a power of two
  std::optional<uint64_t> stuckAt_;
};

}  // namespace musashim::mccl
