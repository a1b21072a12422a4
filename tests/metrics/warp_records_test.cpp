#include "cpu/devrt/metrics/warp_records.h"

#include <gtest/gtest.h>

#include <vector>

namespace musashim::devrt::metrics {
namespace {

class Records : public ::testing::Test {
 protected:
  void SetUp() override { records_.begin(32, 32); }
  void visit(const void* row, uint64_t rounds, uint32_t lane) {
    bool cut = false;
    WarpRecord& record = records_.find(row, rounds, lane, true, cut,
                                       [this](const auto& one, const auto*) { taken_.push_back(one.lanes); });
    records_.addressesOf(record)[lane] = lane;
    cut_ = cut_ || cut;
  }
  void endTurn() {
    records_.takeTurnOver([this](const WarpRecord& one, const uint64_t*) { taken_.push_back(one.lanes); });
  }
  void endBlock() {
    records_.takeAll([this](const WarpRecord& one, const uint64_t*) { taken_.push_back(one.lanes); });
  }

  const int a_ = 0, b_ = 0;  // rows
  WarpRecords records_;
  std::vector<uint32_t> taken_;
  bool cut_ = false;
};

TEST_F(Records, LanesOfOneVisitAreTogether) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint64_t round = 0; round < 3; ++round) visit(&a_, round, lane);
  endTurn();
  EXPECT_EQ(taken_, std::vector<uint32_t>({32, 32, 32}));
}

TEST_F(Records, WhatSomeLanesDoNotComeToIsTakenAtTheEnd) {
  for (uint32_t lane = 0; lane < 5; ++lane) visit(&a_, 0, lane);
  endTurn();
  EXPECT_TRUE(taken_.empty());
  visit(&a_, 0, 9);  // comes in a later turn
  endBlock();
  EXPECT_EQ(taken_, std::vector<uint32_t>({6}));
}

TEST_F(Records, ALaneThatComesTwiceIsInTwo) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    visit(&a_, 0, lane);
    visit(&a_, 0, lane);
  }
  endBlock();
  EXPECT_EQ(taken_, std::vector<uint32_t>({32, 32}));
}

TEST_F(Records, ManyVisitsGrowTheTable) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint64_t round = 0; round < 10000; ++round) visit(&b_, round, lane);
  endTurn();
  EXPECT_EQ(taken_.size(), 10000u);
  EXPECT_FALSE(cut_);
  endBlock();
  EXPECT_EQ(taken_.size(), 10000u);
}

TEST_F(Records, OldOnesGoWhereThereAreMany) {
  for (uint64_t round = 0; round < 5000; ++round) visit(&a_, round, 0);
  endTurn();
  EXPECT_TRUE(taken_.empty());
  visit(&b_, 0, 0);
  endTurn();
  EXPECT_EQ(taken_.size(), 5000u);
}

TEST_F(Records, MoreThanThereIsRoomForIsCut) {
  for (uint64_t round = 0; round <= (1u << 20); ++round) visit(&a_, round, 0);
  EXPECT_TRUE(cut_);
}

}  // namespace
}  // namespace musashim::devrt::metrics
