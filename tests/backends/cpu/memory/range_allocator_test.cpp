// The allocator against a plain reference: a map of live ranges.
#include "cpu/memory/range_allocator.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace musashim::backend::cpu {
namespace {

using From = RangeAllocator::From;

// Live ranges never overlap, lie inside, and keep their alignment.
class Reference {
 public:
  explicit Reference(uint64_t size) : size_(size) {}
  void add(uint64_t offset, uint64_t size, uint64_t alignment) {
    ASSERT_EQ(offset % alignment, 0u);
    ASSERT_LE(offset + size, size_);
    auto next = live_.lower_bound(offset);
    if (next != live_.end()) {
      ASSERT_LE(offset + size, next->first);
    }
    if (next != live_.begin()) {
      auto previous = std::prev(next);
      ASSERT_LE(previous->first + previous->second, offset);
    }
    live_[offset] = size;
    used_ += size;
  }
  uint64_t takeRandom(std::minstd_rand& random) {
    auto it = std::next(live_.begin(), static_cast<long>(random() % live_.size()));
    uint64_t offset = it->first;
    used_ -= it->second;
    live_.erase(it);
    return offset;
  }
  bool empty() const { return live_.empty(); }
  uint64_t used() const { return used_; }

 private:
  uint64_t size_, used_ = 0;
  std::map<uint64_t, uint64_t> live_;
};

TEST(RangeAllocator, RandomAgainstReference) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::minstd_rand random(seed);
    constexpr uint64_t kSize = 1 << 20, kGranularity = 256;
    RangeAllocator ranges(kSize, kGranularity);
    Reference reference(kSize);
    for (int step = 0; step < 20000; ++step) {
      if (random() % 100 < 55 || reference.empty()) {
        uint64_t bytes = 1 + random() % (random() % 10 == 0 ? 60000 : 2000);
        uint64_t alignment = kGranularity << (random() % 8 == 0 ? random() % 6 : 0);
        auto offset = ranges.allocate(bytes, alignment, From::kDirty);
        if (!offset) offset = ranges.allocate(bytes, alignment, From::kClean);
        if (offset) ASSERT_NO_FATAL_FAILURE(reference.add(*offset, ranges.roundUp(bytes), alignment));
      } else {
        ASSERT_TRUE(ranges.release(reference.takeRandom(random)));
      }
      if (random() % 500 == 0) ranges.cleanAll([](uint64_t, uint64_t) {});
      ASSERT_EQ(ranges.usedBytes(), reference.used());
      ASSERT_LE(ranges.usedBytes() + ranges.dirtyBytes(), kSize);
    }
    while (!reference.empty()) ASSERT_TRUE(ranges.release(reference.takeRandom(random)));
    ranges.cleanAll([](uint64_t, uint64_t) {});
    EXPECT_EQ(ranges.dirtyBytes(), 0u);
    // All parts have joined again.
    EXPECT_EQ(ranges.allocate(kSize, kGranularity, From::kClean), 0u);
  }
}

TEST(RangeAllocator, CanBeFilledExactly) {
  RangeAllocator ranges(1024 * 100, 1024);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(ranges.allocate(1024, 1024, From::kClean));
  EXPECT_FALSE(ranges.allocate(1, 1024, From::kClean));
  ASSERT_TRUE(ranges.release(50 * 1024));
  EXPECT_EQ(ranges.allocate(1000, 1024, From::kDirty), 50 * 1024u);
}

TEST(RangeAllocator, ExactFitsOfOddSizesAreFound) {
  // Sizes inside a class, where a search by class alone would miss the only range.
  RangeAllocator ranges(1037 * 256, 256);
  EXPECT_EQ(ranges.allocate(1037 * 256, 256, From::kClean), 0u);
  ASSERT_TRUE(ranges.release(0));
  ranges.cleanLastReleased();
  EXPECT_EQ(ranges.allocate(1036 * 256, 256, From::kClean), 0u);
}

TEST(RangeAllocator, DiscardsWhatIsDirtyOnly) {
  RangeAllocator ranges(1 << 20, 4096);
  auto a = ranges.allocate(8192, 4096, From::kClean), b = ranges.allocate(4096, 4096, From::kClean),
       c = ranges.allocate(4096, 4096, From::kClean);
  ASSERT_TRUE(a && b && c);
  ASSERT_TRUE(ranges.release(*a));
  auto released = ranges.release(*c);
  ASSERT_TRUE(released);
  EXPECT_EQ(released->freeOffset, *c);
  EXPECT_EQ(released->freeSize, 4096u);
  EXPECT_EQ(ranges.dirtyBytes(), 8192u + 4096u);
  uint64_t discarded = 0;
  ranges.cleanAll([&](uint64_t, uint64_t size) { discarded += size; });
  EXPECT_EQ(discarded, 8192u + 4096u);
  EXPECT_EQ(ranges.usedBytes(), 4096u);
}

TEST(RangeAllocator, RefusesWhatIsNotItsOwn) {
  RangeAllocator ranges(1 << 20, 256);
  auto offset = ranges.allocate(512, 256, From::kClean);
  ASSERT_TRUE(offset);
  EXPECT_FALSE(ranges.release(*offset + 256));
  EXPECT_TRUE(ranges.release(*offset));
  EXPECT_FALSE(ranges.release(*offset));
  EXPECT_FALSE(ranges.allocate(UINT64_MAX, 256, From::kClean));
  EXPECT_FALSE(ranges.allocate(UINT64_MAX - 100, 256, From::kClean));
}

}  // namespace
}  // namespace musashim::backend::cpu
