// How communicators are made, of devices and of communicators.
#include <chrono>
#include <cstring>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

TEST(CommInitAll, TakesAListOrTheFirstDevices) {
  mcclComm_t comms[4];
  const int reversed[] = {3, 2, 1, 0};
  for (const int* list : {static_cast<const int*>(nullptr), reversed}) {
    ASSERT_MCCL(mcclCommInitAll(comms, 4, list));
    for (int i = 0; i < 4; ++i) {
      int rank = -1, count = -1, device = -1;
      EXPECT_MCCL(mcclCommUserRank(comms[i], &rank));
      EXPECT_MCCL(mcclCommCount(comms[i], &count));
      EXPECT_MCCL(mcclCommMuDevice(comms[i], &device));
      EXPECT_EQ(rank, i);
      EXPECT_EQ(count, 4);
      EXPECT_EQ(device, list ? 3 - i : i);
      EXPECT_MCCL(mcclCommDestroy(comms[i]));
    }
  }
}

TEST(CommInitAll, RefusesBadLists) {
  mcclComm_t comms[4];
  const int twice[] = {0, 1, 0}, unknown[] = {0, 99}, negative[] = {-1};
  EXPECT_EQ(mcclCommInitAll(comms, 3, twice), mcclInvalidUsage);
  EXPECT_EQ(mcclCommInitAll(comms, 2, unknown), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitAll(comms, 1, negative), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitAll(comms, -1, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitAll(nullptr, 1, nullptr), mcclInvalidArgument);
}

TEST(CommInitRank, RefusesBadArguments) {
  mcclUniqueId id;
  ASSERT_MCCL(mcclGetUniqueId(&id));
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRank(nullptr, 1, id, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 0, id, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 2, id, 2), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 2, id, -1), mcclInvalidArgument);
  mcclConfig_t config;
  std::memset(&config, 0, sizeof config);
  EXPECT_EQ(mcclCommInitRankConfig(&comm, 1, id, 0, &config), mcclInvalidArgument);
  EXPECT_EQ(mcclGetUniqueId(nullptr), mcclInvalidArgument);
  EXPECT_EQ(comm, nullptr);
}

TEST(CommInitRank, TwoRanksOfOneDeviceAreInvalidUsage) {
  mcclUniqueId id;
  ASSERT_MCCL(mcclGetUniqueId(&id));
  ASSERT_MUSA(musaSetDevice(1));
  mcclComm_t comms[2];
  ASSERT_MCCL(mcclGroupStart());
  ASSERT_MCCL(mcclCommInitRank(&comms[0], 2, id, 0));
  ASSERT_MCCL(mcclCommInitRank(&comms[1], 2, id, 1));
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
  EXPECT_EQ(comms[0], nullptr);
  EXPECT_EQ(comms[1], nullptr);
}

TEST(CommInitRank, NonBlockingIsInProgressUntilAllHaveCome) {
  mcclUniqueId id;
  ASSERT_MCCL(mcclGetUniqueId(&id));
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  mcclComm_t comms[2];
  ASSERT_MUSA(musaSetDevice(0));
  EXPECT_EQ(mcclCommInitRankConfig(&comms[0], 2, id, 0, &config), mcclInProgress);
  EXPECT_EQ(asyncError(comms[0]), mcclInProgress);
  int count = 0;
  EXPECT_EQ(mcclCommCount(comms[0], &count), mcclInvalidArgument) << "not ready";
  ASSERT_MUSA(musaSetDevice(1));
  EXPECT_MCCL(mcclCommInitRankConfig(&comms[1], 2, id, 1, &config));
  EXPECT_EQ(asyncError(comms[0]), mcclSuccess);
  EXPECT_MCCL(mcclCommCount(comms[0], &count));
  EXPECT_EQ(count, 2);
  for (mcclComm_t comm : comms) EXPECT_MCCL(mcclCommDestroy(comm));
}

TEST(CommInitRank, CallsOfAGroupWaitOrDoNot) {
  mcclUniqueId id;
  ASSERT_MCCL(mcclGetUniqueId(&id));
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  mcclComm_t comms[2] = {};
  ASSERT_MCCL(mcclGroupStart());
  ASSERT_MUSA(musaSetDevice(0));
  EXPECT_MCCL(mcclCommInitRank(&comms[0], 2, id, 0));
  ASSERT_MUSA(musaSetDevice(1));
  EXPECT_EQ(mcclCommInitRankConfig(&comms[1], 2, id, 1, &config), mcclInvalidArgument);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidArgument);
  for (mcclComm_t comm : comms) EXPECT_EQ(comm, nullptr);
}

TEST(CommInitRank, AbortEndsANonBlockingInitialisation) {
  mcclUniqueId id;
  ASSERT_MCCL(mcclGetUniqueId(&id));
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  mcclComm_t comms[2];
  for (int r = 0; r < 2; ++r) {
    ASSERT_MUSA(musaSetDevice(r));
    EXPECT_EQ(mcclCommInitRankConfig(&comms[r], 3, id, r, &config), mcclInProgress);
  }
  EXPECT_MCCL(mcclCommAbort(comms[0]));
  EXPECT_EQ(asyncError(comms[1]), mcclRemoteError);
  EXPECT_MCCL(mcclCommAbort(comms[1]));
}

TEST(CommSplit, OrdersByKeyAndLeavesOutNoColour) {
  for (Drive drive : {Drive::kOneThread, Drive::kThreadPerRank}) {
    World world(4, drive);
    mcclComm_t parts[4];
    world.each([&](Rank& r) {
      const int color = r.rank == 3 ? MCCL_SPLIT_NOCOLOR : 5;
      return mcclCommSplit(r.comm, color, -r.rank, &parts[r.rank], nullptr);
    });
    EXPECT_EQ(parts[3], nullptr);
    for (int r = 0; r < 3; ++r) {
      int rank = -1, count = -1;
      EXPECT_MCCL(mcclCommUserRank(parts[r], &rank));
      EXPECT_MCCL(mcclCommCount(parts[r], &count));
      EXPECT_EQ(rank, 2 - r);
      EXPECT_EQ(count, 3);
      EXPECT_MCCL(mcclCommDestroy(parts[r]));
    }
  }
}

// A sum over the communicators that are not null.
void expectSum(World& world, std::vector<mcclComm_t> comms, int expected) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < world.ranks(); ++i) {
    buffers.emplace_back(i, sizeof(int));
    buffers.back().write(std::vector<int>{1 << i});
  }
  world.each([&](Rank& rank) {
    if (!comms[rank.rank]) return mcclSuccess;
    char* data = buffers[rank.rank].data();
    return mcclAllReduce(data, data, 1, mcclInt32, mcclSum, comms[rank.rank], rank.stream);
  });
  world.synchronize();
  for (int i = 0; i < world.ranks(); ++i) {
    if (comms[i]) EXPECT_EQ(buffers[i].read<int>()[0], expected);
  }
}

TEST(CommShrink, LeavesRanksOut) {
  for (Drive drive : {Drive::kOneThread, Drive::kThreadPerRank}) {
    World world(4, drive);
    std::vector<mcclComm_t> rest(4);
    int excluded[] = {2, 0};
    world.each([&](Rank& rank) {
      if (rank.rank % 2 == 0) return mcclSuccess;
      return mcclCommShrink(rank.comm, excluded, 2, &rest[rank.rank], nullptr, MCCL_SHRINK_DEFAULT);
    });
    int rank = -1, count = -1;
    EXPECT_MCCL(mcclCommUserRank(rest[3], &rank));
    EXPECT_MCCL(mcclCommCount(rest[3], &count));
    EXPECT_EQ(rank, 1);
    EXPECT_EQ(count, 2);
    expectSum(world, rest, 2 + 8);
    for (mcclComm_t comm : rest) EXPECT_MCCL(mcclCommDestroy(comm));
  }
}

TEST(CommShrink, RanksLeftOutOnceMayTakePartAgain) {
  World world(3);
  for (int out : {1, 0, 1}) {
    std::vector<mcclComm_t> rest(3);
    world.each([&](Rank& rank) {
      if (rank.rank == out) return mcclSuccess;
      return mcclCommShrink(rank.comm, &out, 1, &rest[rank.rank], nullptr, MCCL_SHRINK_DEFAULT);
    });
    expectSum(world, rest, 7 - (1 << out));
    for (mcclComm_t comm : rest) EXPECT_MCCL(mcclCommDestroy(comm));
  }
}

TEST(CommShrink, WorksWhenARankNeverCame) {
  World world(3);
  Buffer buffers[3] = {{0, 4}, {1, 4}, {2, 4}};
  // Rank 2 does not call: the others' streams wait.
  ASSERT_MCCL(mcclGroupStart());
  for (int i = 0; i < 2; ++i) {
    Rank& rank = world.rank(i);
    EXPECT_MCCL(
        mcclAllReduce(buffers[i].data(), buffers[i].data(), 1, mcclInt32, mcclSum, rank.comm, rank.stream));
  }
  ASSERT_MCCL(mcclGroupEnd());
  std::vector<mcclComm_t> rest(3);
  int missing = 2;
  ASSERT_MCCL(mcclGroupStart());
  for (int i = 0; i < 2; ++i) {
    EXPECT_MCCL(mcclCommShrink(world.rank(i).comm, &missing, 1, &rest[i], nullptr, MCCL_SHRINK_ABORT));
  }
  ASSERT_MCCL(mcclGroupEnd());
  expectSum(world, rest, 1 + 2);
  EXPECT_EQ(asyncError(world.rank(2).comm), mcclRemoteError);
  for (mcclComm_t comm : rest) EXPECT_MCCL(mcclCommDestroy(comm));
}

TEST(CommShrink, RefusesBadArguments) {
  World world(2);
  mcclComm_t comm = world.rank(0).comm, made = nullptr;
  int self = 0, other = 1, outside = 2;
  EXPECT_EQ(mcclCommShrink(comm, &self, 1, &made, nullptr, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommShrink(comm, &outside, 1, &made, nullptr, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommShrink(comm, &other, 0, &made, nullptr, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommShrink(comm, &other, 1, &made, nullptr, 8), mcclInvalidArgument);
  EXPECT_EQ(mcclCommShrink(comm, &other, 1, nullptr, nullptr, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommShrink(nullptr, &other, 1, &made, nullptr, 0), mcclInvalidArgument);
}

TEST(CommRevoke, FreesTheStreamsAndLeavesTheRestToShrink) {
  World world(2);
  Rank& rank = world.rank(0);
  Buffer buffer(0, 4);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MCCL(mcclAllReduce(buffer.data(), buffer.data(), 1, mcclInt32, mcclSum, rank.comm, rank.stream));
  EXPECT_EQ(mcclCommRevoke(rank.comm, 1), mcclInvalidArgument);
  ASSERT_MCCL(mcclCommRevoke(rank.comm, MCCL_REVOKE_DEFAULT));
  EXPECT_TRUE(becomesReady(rank.stream));
  EXPECT_EQ(mcclCommRevoke(rank.comm, MCCL_REVOKE_DEFAULT), mcclInvalidArgument);
  EXPECT_EQ(mcclAllReduce(buffer.data(), buffer.data(), 1, mcclInt32, mcclSum, rank.comm, rank.stream),
            mcclInvalidUsage);
  mcclComm_t alone = nullptr;
  int other = 1;
  ASSERT_MCCL(mcclCommShrink(rank.comm, &other, 1, &alone, nullptr, MCCL_SHRINK_DEFAULT));
  expectSum(world, {alone, nullptr}, 1);
  EXPECT_MCCL(mcclCommDestroy(alone));
}

TEST(CommInitRankScalable, MeetsByTheFirstId) {
  mcclUniqueId ids[2];
  for (mcclUniqueId& id : ids) ASSERT_MCCL(mcclGetUniqueId(&id));
  mcclComm_t comms[2] = {};
  ASSERT_MCCL(mcclGroupStart());
  for (int i = 0; i < 2; ++i) {
    ASSERT_MUSA(musaSetDevice(i));
    EXPECT_MCCL(mcclCommInitRankScalable(&comms[i], 2, i, 2, ids, nullptr));
  }
  ASSERT_MCCL(mcclGroupEnd());
  for (mcclComm_t comm : comms) EXPECT_MCCL(mcclCommDestroy(comm));
  EXPECT_EQ(mcclCommInitRankScalable(&comms[0], 1, 0, 2, ids, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRankScalable(&comms[0], 1, 0, 0, ids, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRankScalable(&comms[0], 1, 0, 1, nullptr, nullptr), mcclInvalidArgument);
}

}  // namespace
}  // namespace musashim::mccl
