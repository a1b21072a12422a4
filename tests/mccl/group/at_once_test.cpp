// Small work of all ranks whose streams are idle is done before the call returns: only then.
#include <chrono>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

// Ranks whose streams may have to wait: work with buffers that a first call has made known.
class AtOnce : public testing::Test {
 protected:
  void SetUp() override {
    for (int rank = 0; rank < 2; ++rank) buffers_.emplace_back(rank, sizeof(float));
    addUp();
    world_.synchronize();
  }

  // Both ranks begin with 1.
  void fill() {
    for (Buffer& buffer : buffers_) buffer.write(std::vector<float>{1.0f});
  }
  void addUp() {
    world_.each([&](Rank& r) {
      return mcclAllReduce(buffers_[r.rank].data(), buffers_[r.rank].data(), 1, mcclFloat, mcclSum, r.comm,
                           r.stream);
    });
  }
  // Queues what sets a rank's value to 40, late.
  void setLate(musaStream_t stream, int rank) {
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaLaunchHostFunc(
        stream,
        [](void* target) {
          std::this_thread::sleep_for(20ms);
          const DeviceAccess access;
          *static_cast<float*>(target) = 40.0f;
        },
        buffers_[rank].data()));
  }
  float result(int rank) {
    const DeviceAccess access;
    return *reinterpret_cast<volatile float*>(buffers_[rank].data());
  }

  World world_{2};
  std::vector<Buffer> buffers_;
};

TEST_F(AtOnce, IsDoneWhenTheCallReturns) {
  fill();
  addUp();
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(musaStreamQuery(world_.rank(rank).stream), musaSuccess);
    EXPECT_EQ(result(rank), 2.0f) << "without a synchronisation";
  }
}

// Streams that are waited for elsewhere would add a fifth to the time of this much.
TEST_F(AtOnce, ThirtyTwoMebibytesOfTrafficAreDoneWhenTheCallReturns) {
  constexpr size_t kCount = (8 << 20) / sizeof(float);
  Buffer large[] = {{0, kCount * sizeof(float)}, {1, kCount * sizeof(float)}};
  for (int call = 0; call < 2; ++call) {  // the first makes the buffers known
    world_.each([&](Rank& r) {
      return mcclAllReduce(large[r.rank].data(), large[r.rank].data(), kCount, mcclFloat, mcclSum, r.comm,
                           r.stream);
    });
    if (call == 0) world_.synchronize();
  }
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(musaStreamQuery(world_.rank(rank).stream), musaSuccess);
}

TEST_F(AtOnce, WaitsForWorkOnAnyRanksStream) {
  for (int late = 0; late < 2; ++late) {
    fill();
    setLate(world_.rank(late).stream, late);
    addUp();
    world_.synchronize();
    for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(result(rank), 41.0f) << "late rank " << late;
  }
}

TEST_F(AtOnce, WaitsForEventsThatAStreamWaitsFor) {
  fill();
  ASSERT_MUSA(musaSetDevice(1));
  musaStream_t other = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_MUSA(musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  ASSERT_MUSA(musaEventCreate(&event));
  setLate(other, 1);
  ASSERT_MUSA(musaEventRecord(event, other));
  ASSERT_MUSA(musaStreamWaitEvent(world_.rank(1).stream, event, 0));
  addUp();
  world_.synchronize();
  EXPECT_EQ(result(0), 41.0f);
  ASSERT_MUSA(musaEventDestroy(event));
  ASSERT_MUSA(musaStreamDestroy(other));
}

TEST_F(AtOnce, BlockingStreamsWaitForTheLegacyStream) {
  musaStream_t own[2] = {world_.rank(0).stream, world_.rank(1).stream};
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaStreamCreate(&world_.rank(rank).stream));
  }
  fill();
  setLate(musaStreamLegacy, 1);
  addUp();
  world_.synchronize();
  EXPECT_EQ(result(0), 41.0f);
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_MUSA(musaStreamDestroy(world_.rank(rank).stream));
    world_.rank(rank).stream = own[rank];
  }
}

TEST_F(AtOnce, EarlierCollectivesOfTheRanksComeFirst) {
  fill();
  setLate(world_.rank(1).stream, 1);
  for (int i = 0; i < 3; ++i) addUp();  // 41, 82, 164
  world_.synchronize();
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(result(rank), 164.0f);
}

TEST_F(AtOnce, LeavesCapturesOfOtherStreamsAlone) {
  ASSERT_MUSA(musaSetDevice(0));
  musaStream_t recording = nullptr;
  ASSERT_MUSA(musaStreamCreateWithFlags(&recording, musaStreamNonBlocking));
  ASSERT_MUSA(musaStreamBeginCapture(recording, musaStreamCaptureModeGlobal));
  fill();
  addUp();
  EXPECT_EQ(result(0), 2.0f);
  musaGraph_t graph = nullptr;
  ASSERT_MUSA(musaStreamEndCapture(recording, &graph)) << "the capture is still valid";
  ASSERT_MUSA(musaGraphDestroy(graph));
  ASSERT_MUSA(musaStreamDestroy(recording));
}

TEST_F(AtOnce, TransfersPassOnWithinTheGroup) {
  Buffer spare(1, sizeof(float));
  const auto pass = [&] {
    ASSERT_MCCL(mcclGroupStart());
    const Rank &a = world_.rank(0), &b = world_.rank(1);
    EXPECT_MCCL(mcclSend(buffers_[0].data(), 1, mcclFloat, 1, a.comm, a.stream));
    EXPECT_MCCL(mcclRecv(buffers_[0].data(), 1, mcclFloat, 1, a.comm, a.stream));
    EXPECT_MCCL(mcclRecv(spare.data(), 1, mcclFloat, 0, b.comm, b.stream));
    EXPECT_MCCL(mcclSend(buffers_[1].data(), 1, mcclFloat, 0, b.comm, b.stream));
    ASSERT_MCCL(mcclGroupEnd());
  };
  pass();
  world_.synchronize();
  buffers_[0].write(std::vector<float>{3.0f});
  buffers_[1].write(std::vector<float>{5.0f});
  pass();
  world_.synchronize();
  EXPECT_EQ(spare.read<float>()[0], 3.0f);
  EXPECT_EQ(result(0), 5.0f);
}

TEST_F(AtOnce, MismatchIsReported) {
  world_.each([&](Rank& r) {
    return mcclAllReduce(buffers_[r.rank].data(), buffers_[r.rank].data(), 1,
                         r.rank == 0 ? mcclFloat : mcclInt32, mcclSum, r.comm, r.stream);
  });
  world_.synchronize();
  mcclResult_t state = mcclSuccess;
  ASSERT_MCCL(mcclCommGetAsyncError(world_.rank(0).comm, &state));
  EXPECT_EQ(state, mcclInvalidUsage);
}

// Ranks that call on their own, each on a thread.
class AtOnceAlone : public AtOnce {
 protected:
  mcclResult_t addUp(int rank) {
    const Rank& r = world_.rank(rank);
    return mcclAllReduce(buffers_[rank].data(), buffers_[rank].data(), 1, mcclFloat, mcclSum, r.comm,
                         r.stream);
  }
};

TEST_F(AtOnceAlone, MissingRankHoldsUpTheStreamAndNotTheCall) {
  constexpr int kCalls = 200;  // more than may be queued without a look at whether they get fewer
  fill();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) ASSERT_MCCL(addUp(0));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
  EXPECT_EQ(musaStreamQuery(world_.rank(0).stream), musaErrorNotReady);
  for (int i = 0; i < kCalls; ++i) {
    ASSERT_MCCL(addUp(1));
    ASSERT_MUSA(musaStreamSynchronize(world_.rank(1).stream));
    buffers_[1].write(std::vector<float>{1.0f});
  }
  world_.synchronize();
  EXPECT_EQ(result(0), 1.0f + kCalls);
}

TEST_F(AtOnceAlone, RanksThatComeSoonerOrLaterGetAllSums) {
  constexpr int kRounds = 200;
  fill();
  std::thread ranks[2];
  for (int rank = 0; rank < 2; ++rank) {
    ranks[rank] = std::thread([&, rank] {
      for (int round = 0; round < kRounds; ++round) {
        // Now the one is late and now the other, by more and by less than a call waits.
        if (round % 3 == rank) std::this_thread::sleep_for(std::chrono::microseconds(round * 5));
        if (round % 10 == 0) buffers_[rank].write(std::vector<float>{1.0f});
        EXPECT_MCCL(addUp(rank));
        if (round % 10 != 9) continue;
        EXPECT_EQ(musaStreamSynchronize(world_.rank(rank).stream), musaSuccess);
        EXPECT_EQ(result(rank), 1024.0f) << "round " << round;
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
}

TEST_F(AtOnceAlone, WaitsForWorkOnTheStream) {
  fill();
  setLate(world_.rank(0).stream, 0);
  ASSERT_MCCL(addUp(0));
  ASSERT_MCCL(addUp(1));
  world_.synchronize();
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(result(rank), 41.0f);
}

TEST_F(AtOnceAlone, AbortFreesACallThatWaits) {
  fill();
  std::thread other([&] { EXPECT_MCCL(mcclCommAbort(world_.rank(1).comm)); });
  (void)addUp(0);  // before or after the abort
  other.join();
  world_.synchronize();
  ASSERT_MCCL(mcclCommAbort(world_.rank(0).comm));
  world_.forgetComms();
}

}  // namespace
}  // namespace musashim::mccl
