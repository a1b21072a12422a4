// The symmetric heap's places: what was given back is used again, and neighbours grow together.
#include "mtshmem/host/heap.h"

#include <gtest/gtest.h>

namespace musashim::mtshmem {
namespace {

TEST(MtshmemHeap, TakesTheFirstPlaceWithRoom) {
  HeapPlan plan(100, 1000);
  EXPECT_EQ(plan.take(100, 1), 100U);
  EXPECT_EQ(plan.take(10, 64), 256U);
  EXPECT_EQ(plan.take(50, 1), 200U);  // between them
  EXPECT_EQ(plan.take(0, 1), HeapPlan::kNone);
  EXPECT_EQ(plan.take(735, 1), HeapPlan::kNone);
  EXPECT_EQ(plan.take(734, 1), 266U);
  EXPECT_EQ(plan.take(HeapPlan::kNone, 1), HeapPlan::kNone);
}

TEST(MtshmemHeap, FreeNeighboursAreOne) {
  HeapPlan plan(0, 300);
  const auto a = plan.take(100, 1), b = plan.take(100, 1), c = plan.take(100, 1);
  EXPECT_TRUE(plan.give(a));
  EXPECT_TRUE(plan.give(c));
  EXPECT_FALSE(plan.give(c));
  EXPECT_FALSE(plan.give(50));
  EXPECT_EQ(plan.take(200, 1), HeapPlan::kNone);
  EXPECT_TRUE(plan.give(b));
  EXPECT_EQ(plan.take(300, 1), 0U);
  EXPECT_EQ(plan.taken(), 1U);
}

TEST(MtshmemHeap, Sizes) {
  EXPECT_EQ(sizeOf("4096"), 4096U);
  EXPECT_EQ(sizeOf("1.5k"), 1536U);
  EXPECT_EQ(sizeOf("2G"), std::size_t{2} << 30);
  EXPECT_EQ(sizeOf("3MB"), std::size_t{3} << 20);
  for (const char* wrong : {"", "x", "-1", "5Q", "1GG"}) EXPECT_EQ(sizeOf(wrong), 0U) << wrong;
}

}  // namespace
}  // namespace musashim::mtshmem
