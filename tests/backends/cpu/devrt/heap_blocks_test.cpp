// What kernels' malloc() and free() hand out, without kernels.
#include "cpu/devrt/services/heap_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace musashim::devrt {
namespace {

constexpr uint64_t kMiB = 1 << 20;

TEST(HeapBlocks, BlocksOfAllSizesLieApart) {
  HeapBlocks heap(8 * kMiB);
  std::map<uint64_t, uint64_t> live;  // sizes by offset
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    if (live.size() > 400 || (!live.empty() && random() % 3 == 0)) {
      const auto victim = std::next(live.begin(), random() % live.size());
      ASSERT_TRUE(heap.release(victim->first));
      live.erase(victim);
      continue;
    }
    const uint64_t size = random() % 16 == 0 ? 1025 + random() % 5000 : 1 + random() % 1024;
    const auto offset = heap.allocate(size);
    ASSERT_TRUE(offset) << size;
    ASSERT_EQ(*offset % 16, 0U);
    ASSERT_LE(*offset + size, 8 * kMiB);
    const auto next = live.lower_bound(*offset);
    if (next != live.end()) ASSERT_GE(next->first, *offset + size);
    if (next != live.begin()) ASSERT_LE(std::prev(next)->first + std::prev(next)->second, *offset);
    live.emplace(*offset, size);
  }
}

TEST(HeapBlocks, GivesAllThereIs) {
  HeapBlocks heap(4 * kMiB);
  for (const uint64_t size : {16, 48, 64, 1024, 4096}) {
    std::vector<uint64_t> all;
    while (const auto offset = heap.allocate(size)) all.push_back(*offset);
    EXPECT_GE(all.size() * size, 4 * kMiB - 4096) << size;
    for (const uint64_t offset : all) ASSERT_TRUE(heap.release(offset));
  }
  for (const uint64_t size : {1025, 1536, 2049, 3100, 3500}) {  // rounded up by a third at most
    std::vector<uint64_t> all;
    while (const auto offset = heap.allocate(size)) all.push_back(*offset);
    EXPECT_GE(all.size() * size, 3 * kMiB) << size;
    for (const uint64_t offset : all) ASSERT_TRUE(heap.release(offset));
  }
  const auto whole = heap.allocate(4 * kMiB);  // what small blocks had is one piece again
  ASSERT_TRUE(whole);
  EXPECT_FALSE(heap.allocate(1));
  EXPECT_TRUE(heap.release(*whole));
}

TEST(HeapBlocks, OnlyWhatWasGivenComesBack) {
  HeapBlocks heap(kMiB);
  const uint64_t first = heap.allocate(100).value(), second = heap.allocate(100).value(),
                 large = heap.allocate(5000).value();
  EXPECT_FALSE(heap.release(first + 16));
  EXPECT_FALSE(heap.release(first + 112 * 20));
  EXPECT_FALSE(heap.release(large + 16));
  EXPECT_FALSE(heap.release(kMiB));
  EXPECT_FALSE(heap.release(~uint64_t{15}));
  for (const uint64_t offset : {first, second, large}) {
    EXPECT_TRUE(heap.release(offset));
    EXPECT_FALSE(heap.release(offset));
  }
  HeapBlocks none(0);
  EXPECT_FALSE(none.allocate(1));
  EXPECT_FALSE(none.release(0));
}

// Each marks what it has, and gives back what another has got.
TEST(HeapBlocks, ThreadsShareIt) {
  HeapBlocks heap(2 * kMiB);
  constexpr unsigned kThreads = 8;
  std::vector<uint8_t> marks(2 * kMiB / 16);  // written by who has the block alone: a sanitizer sees others
  struct Hand {
    std::mutex mutex;
    std::vector<std::pair<uint64_t, uint64_t>> blocks;
  };
  std::array<Hand, kThreads> hands;
  std::atomic<unsigned> wrong{0};
  const auto mark = [&](uint64_t offset, uint64_t size, uint8_t from, uint8_t to) {
    for (uint64_t at = offset / 16; at < (offset + size + 15) / 16; ++at) {
      wrong += marks[at] != from;
      marks[at] = to;
    }
  };
  const auto giveBack = [&](Hand& hand, size_t keep) {
    std::vector<std::pair<uint64_t, uint64_t>> some;
    {
      std::lock_guard lock(hand.mutex);
      while (hand.blocks.size() > keep) {
        some.push_back(hand.blocks.back());
        hand.blocks.pop_back();
      }
    }
    for (const auto& [offset, size] : some) {
      mark(offset, size, 1, 0);
      wrong += !heap.release(offset);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      for (int i = 0; i < 4000; ++i) {
        const uint64_t size = 1 + random() % (random() % 32 == 0 ? 6000 : 300);
        if (const auto offset = heap.allocate(size)) {
          mark(*offset, size, 0, 1);
          Hand& other = hands[random() % kThreads];
          std::lock_guard lock(other.mutex);
          other.blocks.emplace_back(*offset, size);
        }
        if (i % 16 == 0) giveBack(hands[thread], random() % 64);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Hand& hand : hands) giveBack(hand, 0);
  EXPECT_EQ(wrong.load(), 0U);
  EXPECT_TRUE(heap.allocate(kMiB));
}

}  // namespace
}  // namespace musashim::devrt
