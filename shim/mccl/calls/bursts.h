// Whether a rank makes hundreds of calls before it waits for them. Then they are best queued: where many
// ranks share processors, each can post several of them when it has its turn. Otherwise a call is better
// begun by the caller, as threads that have to be woken cost as much as some hundred turns. What the program
// does shows with the next call: it finds queued calls unfinished, or has waited for them. Calls to try it
// with go by their numbers, so that all ranks try at the same one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace musashim::mccl {

class Bursts {
 public:
  // Measured on 2 and 4 processors: where each rank has its own, nothing is won; with 4 and 8 ranks on 2
  // processors, calls that joined the work before them made all-reduces of 64 KiB 1.2 and 1.4 times as fast.
  static bool pay(int ranks, int processors) { return ranks > processors; }

  // Whether the call with this number should be queued; `anyUnfinished`: earlier ones are, and not done.
  bool queues(uint64_t call, bool anyUnfinished) {
    if (anyUnfinished) {
      ++length_;
      return true;
    }
    if (length_ >= kWorthIt) {
      pause_ = kFirstPause;
      nextTry_ = call;  // as the last one was
    }
    length_ = 0;
    if (call < nextTry_) return false;
    nextTry_ = call + pause_;
    pause_ = std::min(2 * pause_, kMostPause);
    return true;
  }

 private:
  static constexpr uint64_t kWorthIt = 200;
  static constexpr uint64_t kFirstPause = 64, kMostPause = 8192;
  uint64_t length_ = 0;  // of the burst so far
  uint64_t nextTry_ = 32;
  uint64_t pause_ = kFirstPause;
};

}  // namespace musashim::mccl
