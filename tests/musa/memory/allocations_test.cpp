#include "musa/memory/allocations.h"

#include <gtest/gtest.h>

namespace musashim::musa {
namespace {

TEST(AllocationTable, FindsByAnyAddressInside) {
  AllocationTable table;
  table.insert({.base = 1000, .size = 100});
  table.insert({.base = 2000, .size = 1});
  EXPECT_FALSE(table.find(999));
  EXPECT_EQ(table.find(1000)->base, 1000u);
  EXPECT_EQ(table.find(1099)->base, 1000u);
  EXPECT_FALSE(table.find(1100));
  EXPECT_TRUE(table.find(2000));
  EXPECT_FALSE(table.find(2001));
}

TEST(AllocationTable, Overlaps) {
  AllocationTable table;
  table.insert({.base = 1000, .size = 100});
  EXPECT_TRUE(table.overlaps(950, 51));
  EXPECT_FALSE(table.overlaps(950, 50));
  EXPECT_TRUE(table.overlaps(1099, 1));
  EXPECT_FALSE(table.overlaps(1100, 10));
  EXPECT_TRUE(table.overlaps(1, 100000));
}

TEST(AllocationTable, ContainsDoesNotOverflow) {
  Allocation a{.base = 1000, .size = 100};
  EXPECT_TRUE(a.contains(1000, 100));
  EXPECT_FALSE(a.contains(1000, 101));
  EXPECT_FALSE(a.contains(1050, SIZE_MAX));
  EXPECT_FALSE(a.contains(999, 1));
}

TEST(AllocationTable, FreeingIsMarkedOnce) {
  AllocationTable table;
  table.insert({.base = 1000, .size = 100});
  EXPECT_TRUE(table.markFreeing(1000));
  EXPECT_FALSE(table.markFreeing(1000));
  EXPECT_FALSE(table.markFreeing(1001));
  EXPECT_TRUE(table.erase(1000));
  EXPECT_FALSE(table.erase(1000));
}

TEST(AllocationTable, ExtractsByContext) {
  AllocationTable table;
  auto* one = reinterpret_cast<Context*>(8);
  auto* two = reinterpret_cast<Context*>(16);
  table.insert({.base = 1000, .size = 1, .context = one});
  table.insert({.base = 2000, .size = 1, .context = two});
  table.insert({.base = 3000, .size = 1, .context = one});
  EXPECT_EQ(table.extract(one).size(), 2u);
  EXPECT_FALSE(table.find(1000));
  EXPECT_TRUE(table.find(2000));
}

}  // namespace
}  // namespace musashim::musa
