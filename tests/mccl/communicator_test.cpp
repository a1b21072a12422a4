// Life of communicators, errors of misuse, aborts.
#include <chrono>
#include <cstring>
#include <thread>

#include "world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

bool becomesReady(musaStream_t stream) {
  for (int i = 0; i < 1000; ++i) {
    if (musaStreamQuery(stream) == musaSuccess) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

mcclResult_t asyncError(mcclComm_t comm) {
  mcclResult_t error = mcclNumResults;
  EXPECT_MCCL(mcclCommGetAsyncError(comm, &error));
  return error;
}

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

TEST(GroupSimulateEnd, EstimatesAndRunsNothing) {
  World world(2);
  Buffer buffers[2] = {{0, 4}, {1, 4}};
  for (Buffer& buffer : buffers) buffer.write(std::vector<int>{3});
  mcclSimInfo_t info = MCCL_SIM_INFO_INITIALIZER;
  EXPECT_EQ(mcclGroupSimulateEnd(&info), mcclInvalidUsage);
  ASSERT_MCCL(mcclGroupStart());
  for (int i = 0; i < 2; ++i) {
    EXPECT_MCCL(mcclAllReduce(buffers[i].data(), buffers[i].data(), 1, mcclInt32, mcclSum, world.rank(i).comm,
                              world.rank(i).stream));
  }
  EXPECT_MCCL(mcclGroupSimulateEnd(&info));
  EXPECT_GT(info.estimatedTime, 0);
  world.synchronize();
  EXPECT_EQ(buffers[0].read<int>()[0], 3);
  info.magic = 1;
  ASSERT_MCCL(mcclGroupStart());
  EXPECT_EQ(mcclGroupSimulateEnd(&info), mcclInvalidArgument);
  EXPECT_MCCL(mcclGroupEnd());
}

TEST(Life, NullCommunicatorsEndSilently) {
  EXPECT_MCCL(mcclCommDestroy(nullptr));
  EXPECT_MCCL(mcclCommAbort(nullptr));
  EXPECT_MCCL(mcclCommFinalize(nullptr));
}

TEST(Life, DestroyedCommunicatorsAreInvalidArguments) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  world.forgetComms();
  ASSERT_MCCL(mcclCommDestroy(comm));
  int count = 0;
  mcclResult_t error;
  EXPECT_EQ(mcclCommDestroy(comm), mcclInvalidArgument);
  EXPECT_EQ(mcclCommCount(comm, &count), mcclInvalidArgument);
  EXPECT_EQ(mcclCommGetAsyncError(comm, &error), mcclInvalidArgument);
  EXPECT_EQ(mcclCommAbort(reinterpret_cast<mcclComm_t>(0x1234)), mcclInvalidArgument);
}

TEST(Life, FinalizeOnceAndThenOnlyDestroy) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  EXPECT_MCCL(mcclCommFinalize(comm));
  EXPECT_EQ(mcclCommFinalize(comm), mcclInvalidArgument);
  EXPECT_EQ(mcclAllReduce(nullptr, nullptr, 1, mcclFloat, mcclSum, comm, nullptr), mcclInvalidArgument);
}

TEST(Life, DestroyWaitsForQueuedWork) {
  World world(2);
  Buffer a(0, 4), b(1, 4);
  a.write(std::vector<float>{1});
  b.write(std::vector<float>{2});
  mcclComm_t comms[] = {world.rank(0).comm, world.rank(1).comm};
  char* buffers[] = {a.data(), b.data()};
  world.each([&](Rank& r) {
    return mcclAllReduce(buffers[r.rank], buffers[r.rank], 1, mcclFloat, mcclSum, r.comm, r.stream);
  });
  world.forgetComms();
  for (mcclComm_t comm : comms) ASSERT_MCCL(mcclCommDestroy(comm));
  EXPECT_EQ(*reinterpret_cast<float*>(a.data()), 3.0f)
      << "done when destroyed; memory of the emulated device";
  world.synchronize();
}

TEST(Abort, FreesARankThatWaitsForAnother) {
  World world(2);
  Buffer buffer(0, 64);
  Rank& alone = world.rank(0);
  ASSERT_MUSA(musaSetDevice(0));
  const auto before = std::chrono::steady_clock::now();
  ASSERT_MCCL(mcclAllReduce(buffer.data(), buffer.data(), 16, mcclFloat, mcclSum, alone.comm, alone.stream));
  EXPECT_LT(std::chrono::steady_clock::now() - before, 1s) << "the call must not wait";
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(musaStreamQuery(alone.stream), musaErrorNotReady);
  EXPECT_MCCL(mcclCommAbort(alone.comm));
  alone.comm = nullptr;
  EXPECT_TRUE(becomesReady(alone.stream));
}

TEST(Abort, OthersSeeARemoteError) {
  World world(3);
  Buffer buffer(0, 64);
  Rank& waiting = world.rank(0);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MCCL(
      mcclAllReduce(buffer.data(), buffer.data(), 16, mcclFloat, mcclSum, waiting.comm, waiting.stream));
  EXPECT_MCCL(mcclCommAbort(world.rank(2).comm));
  world.rank(2).comm = nullptr;
  EXPECT_TRUE(becomesReady(waiting.stream));
  EXPECT_EQ(asyncError(waiting.comm), mcclRemoteError);
  EXPECT_EQ(mcclAllReduce(buffer.data(), buffer.data(), 16, mcclFloat, mcclSum, waiting.comm, waiting.stream),
            mcclRemoteError);
}

TEST(Abort, FreesAHangingReceive) {
  World world(2);
  Buffer buffer(0, 64);
  Rank& waiting = world.rank(0);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MCCL(mcclRecv(buffer.data(), 16, mcclFloat, 1, waiting.comm, waiting.stream));
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(musaStreamQuery(waiting.stream), musaErrorNotReady);
  EXPECT_MCCL(mcclCommAbort(waiting.comm));
  waiting.comm = nullptr;
  EXPECT_TRUE(becomesReady(waiting.stream));
}

TEST(Mismatch, IsAnAsynchronousErrorThatNamesBothCalls) {
  World world(2);
  Buffer a(0, 64), b(1, 64);
  char* buffers[] = {a.data(), b.data()};
  world.each([&](Rank& r) {
    return mcclAllReduce(buffers[r.rank], buffers[r.rank], 8 + r.rank, mcclFloat, mcclSum, r.comm, r.stream);
  });
  for (int r = 0; r < 2; ++r) {
    EXPECT_TRUE(becomesReady(world.rank(r).stream));
    EXPECT_EQ(asyncError(world.rank(r).comm), mcclInvalidUsage);
  }
  const std::string text = mcclGetLastError(nullptr);
  EXPECT_NE(text.find("count 8, float, sum"), std::string::npos) << text;
  EXPECT_NE(text.find("count 9, float, sum"), std::string::npos) << text;
}

TEST(Arguments, AreCheckedBeforeAnythingIsQueued) {
  World world(2);
  Rank& r = world.rank(0);
  char buffer[64];
  const auto allReduce = [&](mcclDataType_t type, mcclRedOp_t op, mcclComm_t comm) {
    return mcclAllReduce(buffer, buffer, 4, type, op, comm, r.stream);
  };
  EXPECT_EQ(allReduce(mcclFloat, mcclSum, nullptr), mcclInvalidArgument);
  EXPECT_EQ(allReduce(mcclNumTypes, mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(allReduce(static_cast<mcclDataType_t>(13), mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(allReduce(mcclFloat, mcclNumOps, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclReduce(buffer, buffer, 4, mcclFloat, mcclSum, 2, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclBroadcast(buffer, buffer, 4, mcclFloat, -1, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclSend(buffer, 4, mcclFloat, 2, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(buffer, 4, mcclFloat, -1, r.comm, r.stream), mcclInvalidArgument);
  int count = 0;
  EXPECT_EQ(mcclCommCount(r.comm, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommCount(nullptr, &count), mcclInvalidArgument);
  EXPECT_EQ(mcclGetVersion(nullptr), mcclInvalidArgument);
}

TEST(RedOp, MisuseIsAnInvalidArgument) {
  World world(2);
  Rank &r = world.rank(0), &other = world.rank(1);
  float scalar = 2;
  mcclRedOp_t op;
  EXPECT_EQ(mcclRedOpDestroy(mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(static_cast<mcclRedOp_t>(12345), r.comm), mcclInvalidArgument);
  ASSERT_MCCL(mcclRedOpCreatePreMulSum(&op, &scalar, mcclFloat, mcclScalarHostImmediate, r.comm));
  char buffer[64];
  EXPECT_EQ(mcclAllReduce(buffer, buffer, 4, mcclDouble, op, r.comm, r.stream), mcclInvalidArgument)
      << "another type";
  EXPECT_EQ(mcclAllReduce(buffer, buffer, 4, mcclFloat, op, other.comm, other.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(op, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(op, other.comm), mcclInvalidArgument);
  EXPECT_MCCL(mcclRedOpDestroy(op, r.comm));
  EXPECT_EQ(mcclRedOpDestroy(op, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpCreatePreMulSum(&op, nullptr, mcclFloat, mcclScalarHostImmediate, r.comm),
            mcclInvalidArgument);
}

TEST(RedOp, DeviceScalarIsReadWhenTheCollectiveRuns) {
  World world(2);
  Buffer data[] = {Buffer(0, 4), Buffer(1, 4)}, scalar[] = {Buffer(0, 4), Buffer(1, 4)};
  mcclRedOp_t ops[2];
  for (int r = 0; r < 2; ++r) {
    data[r].write(std::vector<float>{10});
    scalar[r].write(std::vector<float>{0});
    ASSERT_MCCL(
        mcclRedOpCreatePreMulSum(&ops[r], scalar[r].data(), mcclFloat, mcclScalarDevice, world.rank(r).comm));
    scalar[r].write(std::vector<float>{static_cast<float>(r + 2)});
  }
  world.each([&](Rank& r) {
    return mcclAllReduce(data[r.rank].data(), data[r.rank].data(), 1, mcclFloat, ops[r.rank], r.comm,
                         r.stream);
  });
  world.synchronize();
  EXPECT_EQ(data[0].read<float>()[0], 50.0f);
  for (int r = 0; r < 2; ++r) EXPECT_MCCL(mcclRedOpDestroy(ops[r], world.rank(r).comm));
}

TEST(Memory, IsAlignedForWindows) {
  void* pointer = nullptr;
  ASSERT_MCCL(mcclMemAlloc(&pointer, 100));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % MCCL_WIN_REQUIRED_ALIGNMENT, 0u);
  ASSERT_MUSA(musaMemset(pointer, 1, 100));
  EXPECT_MCCL(mcclMemFree(pointer));
  EXPECT_MCCL(mcclMemFree(nullptr));
  EXPECT_EQ(mcclMemAlloc(nullptr, 8), mcclUnhandledMusaError);
  EXPECT_EQ(mcclMemAlloc(&pointer, size_t{1} << 60), mcclUnhandledMusaError);
  EXPECT_EQ(pointer, nullptr);
  ASSERT_MUSA(musaMalloc(&pointer, 64));
  EXPECT_MCCL(mcclMemFree(pointer)) << "memory of musaMalloc";
}

TEST(Memory, RegistrationHandlesAreChecked) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  void *buffer = nullptr, *handle = nullptr;
  ASSERT_MCCL(mcclMemAlloc(&buffer, 8192));
  ASSERT_MCCL(mcclCommRegister(comm, buffer, 8192, &handle));
  EXPECT_MCCL(mcclCommDeregister(comm, handle));
  EXPECT_EQ(mcclCommDeregister(comm, handle), mcclInvalidArgument);
  mcclWindow_t window = nullptr;
  ASSERT_MCCL(mcclCommWindowRegister(comm, buffer, 8192, &window, MCCL_WIN_COLL_SYMMETRIC));
  EXPECT_MCCL(mcclCommWindowDeregister(comm, window));
  EXPECT_EQ(mcclCommWindowRegister(comm, static_cast<char*>(buffer) + 8, 64, &window, 0),
            mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowRegister(comm, buffer, 64, &window, 0x80), mcclInvalidArgument);
  EXPECT_MCCL(mcclMemFree(buffer));
}

TEST(Information, ErrorStringsAreFixed) {
  EXPECT_STREQ(mcclGetErrorString(mcclSuccess), "no error");
  EXPECT_STREQ(mcclGetErrorString(mcclInvalidUsage), "invalid usage (run with MCCL_DEBUG=WARN for details)");
  EXPECT_STREQ(mcclGetErrorString(static_cast<mcclResult_t>(9)), "unknown result code");
}

TEST(Information, TwinsExistAndVersionsAgree) {
  int version = 0, twin = 0;
  EXPECT_MCCL(mcclGetVersion(&version));
  EXPECT_MCCL(pmcclGetVersion(&twin));
  EXPECT_EQ(version, MCCL_VERSION_CODE);
  EXPECT_EQ(twin, version);
}

}  // namespace
}  // namespace musashim::mccl
