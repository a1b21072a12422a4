// The end of communicators: finalize, destroy, abort, calls that do not fit each other.
#include <chrono>
#include <cstring>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

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

TEST(Life, FinalizeOnceAndThenOnlyQuestionsAndDestroy) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  EXPECT_MCCL(mcclCommFinalize(comm));
  EXPECT_EQ(mcclCommFinalize(comm), mcclInvalidArgument);
  int count = -1, rank = -1;
  EXPECT_MCCL(mcclCommCount(comm, &count));
  EXPECT_MCCL(mcclCommUserRank(comm, &rank));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(rank, 0);
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
  {
    const DeviceAccess access;
    EXPECT_EQ(*reinterpret_cast<float*>(a.data()), 3.0f) << "done when destroyed";
  }
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

}  // namespace
}  // namespace musashim::mccl
