// Where kernels' threads leave requests for the one that posts them. Any number may leave, one takes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "mtshmem/include/mtshmem_detail/layout.h"

namespace musashim::mtshmem {

class Ring {
 public:
  struct Entry {
    std::atomic<uint64_t> turn{0};  // its number: free; that and one: filled
    mtshmemi_request_t request{};
  };

  Ring() {
    for (uint64_t i = 0; i < kEntries; ++i) entries_[i].turn.store(i);
  }

  // Calls `wait` while there is no room. The entry is this thread's until fill().
  template <typename Wait>
  uint64_t begin(const Wait& wait) {
    const uint64_t turn = head_.fetch_add(1, std::memory_order_relaxed);
    while (at(turn).turn.load(std::memory_order_acquire) != turn) wait();
    return turn;
  }
  void fill(uint64_t turn) { at(turn).turn.store(turn + 1, std::memory_order_release); }
  void giveBack(uint64_t turn) { at(turn).turn.store(turn + kEntries, std::memory_order_release); }
  mtshmemi_request_t& request(uint64_t turn) { return at(turn).request; }

  // All that has been begun so far is posted.
  template <typename Wait>
  void waitUntilTaken(const Wait& wait) {
    const uint64_t begun = head_.load();
    while (taken_.load() < begun) wait();
  }

  // Of who takes: whether the next is filled, its number, and on to the one behind it.
  bool hasNext() { return at(next()).turn.load(std::memory_order_acquire) == next() + 1; }
  uint64_t next() const { return taken_.load(std::memory_order_relaxed); }
  void take() { taken_.fetch_add(1); }

 private:
  static constexpr uint64_t kEntries = 256;
  Entry& at(uint64_t turn) { return entries_[turn % kEntries]; }

  std::array<Entry, kEntries> entries_;
  std::atomic<uint64_t> head_{0};
  std::atomic<uint64_t> taken_{0};
};

}  // namespace musashim::mtshmem
