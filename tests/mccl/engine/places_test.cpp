// More ranks than processors: where their threads run.
#include <gtest/gtest.h>
#include <sched.h>

#include "mccl/engine/clique.h"
#include "mccl/engine/helpers.h"

namespace musashim::mccl {
namespace {

class OnOneProcessor : public testing::Test {
 protected:
  void SetUp() override {
    if (Helpers::processors() < 2) GTEST_SKIP() << "there is one processor";
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed_, &allowed_), 0);
  }

  // Whether this thread moves when it comes to a collective as `rank`, of so many `ranks`, the lowest of
  // which are on its processor, `here` of them, and the others on another. The kernel may move it as well, at
  // times.
  bool moves(int rank, int here, int ranks) const {
    const int before = sched_getcpu();
    int elsewhere = 0;
    while (elsewhere == before || !CPU_ISSET(elsewhere, &allowed_)) ++elsewhere;
    Clique clique(ranks);
    for (int other = 0; other < ranks; ++other)
      clique.segment().rank(other).processor.store((other < here ? before : elsewhere) + 1);
    clique.findProcessor(rank);
    return sched_getcpu() != before;
  }

  cpu_set_t allowed_;
};

TEST_F(OnOneProcessor, TheHighestRanksOfACrowdGoWhereFewerAre) {
  const int ranks = 4 * Helpers::processors();
  int highest = 0, lowest = 0;
  for (int attempt = 0; attempt < 10; ++attempt) {
    highest += moves(ranks - 1, ranks, ranks);
    lowest += moves(0, ranks, ranks);
  }
  EXPECT_GE(highest, 8);
  EXPECT_LE(lowest, 2);
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&allowed_, &after)) << "it may still run where it could";
}

TEST_F(OnOneProcessor, WhoHasAShareOfTheProcessorStays) {
  const int share = 4, ranks = share * Helpers::processors();
  int moved = 0;
  for (int attempt = 0; attempt < 10; ++attempt) moved += moves(share - 1, share, ranks);
  EXPECT_LE(moved, 2);
}

TEST(Places, WhoIsAheadOfOthersOnItsProcessorLeavesItToThem) {
  Clique clique(3);
  const auto put = [&](int rank, int processor, uint64_t collectives) {
    clique.segment().rank(rank).processor.store(processor);
    clique.segment().collectives(rank).store(collectives);
  };
  put(0, 1, 5);
  put(1, 1, 4);
  put(2, 2, 3);
  EXPECT_TRUE(clique.isAheadOnProcessor(0, 4)) << "rank 1 has to come";
  EXPECT_FALSE(clique.isAheadOnProcessor(1, 3));
  EXPECT_FALSE(clique.isAheadOnProcessor(2, 2));
  put(1, 1, 5);
  EXPECT_FALSE(clique.isAheadOnProcessor(0, 4)) << "rank 2 comes on another processor";
}

}  // namespace
}  // namespace musashim::mccl
