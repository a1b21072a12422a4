// The default streams: which one a handle means follows from the communicator's device, whatever device is
// current, before and after the call.
#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

constexpr int kRanks = 3;

// What the ranks give as their streams; `kOwn` of them, beginning with the last, a stream that they created.
struct Handles {
  const char* name;
  musaStream_t stream;
  int own = 0;
};

const Handles kHandles[] = {{"Null", nullptr, 0},
                            {"Legacy", musaStreamLegacy, 0},
                            {"PerThread", musaStreamPerThread, 0},
                            {"NullAndOneOwn", nullptr, 1},
                            {"NullAndTwoOwn", nullptr, 2},
                            {"PerThreadAndOneOwn", musaStreamPerThread, 1}};

struct DefaultStreams : testing::TestWithParam<Handles> {
  void SetUp() override {
    for (int rank = 0; rank < kRanks; ++rank) {
      ASSERT_MUSA(musaSetDevice(rank));
      ASSERT_MUSA(musaMallocHost(reinterpret_cast<void**>(&results_[rank]), sizeof(float)));
      send_.emplace_back(rank, sizeof(float));
      recv_.emplace_back(rank, sizeof(float));
    }
  }
  void TearDown() override {
    for (float* result : results_) EXPECT_EQ(musaFreeHost(result), musaSuccess);
  }

  musaStream_t streamOf(int rank) {
    return rank >= kRanks - GetParam().own ? world_.rank(rank).stream : GetParam().stream;
  }

  // Rank r sends r + 1; `late` has its value late, by work on its stream.
  void prepare(int late) {
    for (int rank = 0; rank < kRanks; ++rank) {
      ASSERT_MUSA(musaSetDevice(rank));
      send_[rank].write(std::vector<float>{rank == late ? -100.0f : static_cast<float>(rank + 1)});
      recv_[rank].write(std::vector<float>{0.0f});
      *results_[rank] = 0;
    }
    ASSERT_MUSA(musaSetDevice(late));
    ASSERT_MUSA(musaLaunchHostFunc(
        streamOf(late),
        [](void* target) {
          std::this_thread::sleep_for(10ms);
          const DeviceAccess access;
          *static_cast<float*>(target) = 1.0f;
        },
        send_[late].data()));
    late_ = late;
  }
  float sent(int rank) const { return rank == late_ ? 1.0f : static_cast<float>(rank + 1); }
  float sum() const {
    float total = 0;
    for (int rank = 0; rank < kRanks; ++rank) total += sent(rank);
    return total;
  }

  // What work of each rank's stream behind the call reads, each stream waited for on its own, `first` first.
  void expectBehind(const std::vector<Buffer>& buffers, int first,
                    const std::function<float(int)>& expected) {
    for (int i = 0; i < kRanks; ++i) {
      const int rank = (first + i) % kRanks;
      ASSERT_MUSA(musaSetDevice(rank));
      ASSERT_MUSA(musaMemcpyAsync(results_[rank], buffers[rank].data(), sizeof(float), musaMemcpyDeviceToHost,
                                  streamOf(rank)));
      ASSERT_MUSA(musaStreamSynchronize(streamOf(rank)));
      EXPECT_EQ(*results_[rank], expected(rank)) << "rank " << rank << ", late rank " << late_;
    }
  }

  // Tries `call` with each rank late, each rank waited for first, and each device current at the call.
  void tryAll(const std::function<void()>& call, const std::function<float(int)>& expected) {
    for (int late = 0; late < kRanks; ++late) {
      for (int shift = 0; shift < kRanks; ++shift) {
        prepare(late);
        ASSERT_MUSA(musaSetDevice((late + shift + 1) % kRanks));
        call();
        int device = -1;
        ASSERT_MUSA(musaGetDevice(&device));
        EXPECT_EQ(device, (late + shift + 1) % kRanks) << "the current device is the caller's";
        expectBehind(recv_, (late + shift) % kRanks, expected);
      }
    }
  }

  mcclResult_t allReduce(int rank, mcclComm_t comm) {
    return mcclAllReduce(send_[rank].data(), recv_[rank].data(), 1, mcclFloat, mcclSum, comm, streamOf(rank));
  }

  World world_{kRanks};
  std::vector<Buffer> send_, recv_;
  float* results_[kRanks] = {};
  int late_ = 0;
};

TEST_P(DefaultStreams, CollectiveOfAGroup) {
  const auto call = [&] {
    ASSERT_MCCL(mcclGroupStart());
    for (int rank = 0; rank < kRanks; ++rank) EXPECT_MCCL(allReduce(rank, world_.rank(rank).comm));
    ASSERT_MCCL(mcclGroupEnd());
  };
  tryAll(call, [&](int) { return sum(); });
}

TEST_P(DefaultStreams, CallsOfTheirOwn) {
  const auto call = [&] {
    for (int rank = kRanks - 1; rank >= 0; --rank) EXPECT_MCCL(allReduce(rank, world_.rank(rank).comm));
  };
  tryAll(call, [&](int) { return sum(); });
}

TEST_P(DefaultStreams, Messages) {
  const auto call = [&] {
    ASSERT_MCCL(mcclGroupStart());
    for (int rank = 0; rank < kRanks; ++rank) {
      const mcclComm_t comm = world_.rank(rank).comm;
      const int next = (rank + 1) % kRanks, previous = (rank + kRanks - 1) % kRanks;
      EXPECT_MCCL(mcclSend(send_[rank].data(), 1, mcclFloat, next, comm, streamOf(rank)));
      EXPECT_MCCL(mcclRecv(recv_[rank].data(), 1, mcclFloat, previous, comm, streamOf(rank)));
    }
    ASSERT_MCCL(mcclGroupEnd());
  };
  tryAll(call, [&](int rank) { return sent((rank + kRanks - 1) % kRanks); });
}

// Ranks that no message connects do not run together.
TEST_P(DefaultStreams, MessagesOfSomeRanks) {
  const auto call = [&] {
    const int from = kRanks - 1, to = 0;
    ASSERT_MCCL(mcclGroupStart());
    EXPECT_MCCL(mcclSend(send_[from].data(), 1, mcclFloat, to, world_.rank(from).comm, streamOf(from)));
    EXPECT_MCCL(mcclRecv(recv_[to].data(), 1, mcclFloat, from, world_.rank(to).comm, streamOf(to)));
    ASSERT_MCCL(mcclGroupEnd());
  };
  tryAll(call, [&](int rank) { return rank == 0 ? sent(kRanks - 1) : 0.0f; });
}

TEST_P(DefaultStreams, SeveralCommunicatorsInOneGroup) {
  World other(kRanks);
  std::vector<Buffer> more;
  for (int rank = 0; rank < kRanks; ++rank) more.emplace_back(rank, sizeof(float));
  const auto call = [&] {
    ASSERT_MCCL(mcclGroupStart());
    for (int rank = 0; rank < kRanks; ++rank) {
      EXPECT_MCCL(allReduce(rank, world_.rank(rank).comm));
      EXPECT_MCCL(mcclAllReduce(send_[rank].data(), more[rank].data(), 1, mcclFloat, mcclMax,
                                other.rank(rank).comm, streamOf(rank)));
    }
    ASSERT_MCCL(mcclGroupEnd());
  };
  const auto largest = [&] { return std::max(sent(kRanks - 1), sent(kRanks - 2)); };
  tryAll(call, [&](int) { return sum(); });
  expectBehind(more, 1, [&](int) { return largest(); });
}

// Two streams of a rank in one group wait for each other, too.
TEST_P(DefaultStreams, TwoStreamsOfARank) {
  std::vector<Buffer> more;
  for (int rank = 0; rank < kRanks; ++rank) more.emplace_back(rank, sizeof(float));
  const auto call = [&] {
    ASSERT_MCCL(mcclGroupStart());
    for (int rank = 0; rank < kRanks; ++rank) {
      const Rank& own = world_.rank(rank);
      EXPECT_MCCL(
          mcclAllReduce(send_[rank].data(), more[rank].data(), 1, mcclFloat, mcclMax, own.comm, own.stream));
      EXPECT_MCCL(allReduce(rank, own.comm));
    }
    ASSERT_MCCL(mcclGroupEnd());
  };
  tryAll(call, [&](int) { return sum(); });
}

// Read when the call runs, behind the work of the rank's stream.
TEST_P(DefaultStreams, FactorOfTheDevice) {
  for (Buffer& buffer : recv_) buffer.write(std::vector<float>{0.0f});
  prepare(1);
  ASSERT_MCCL(mcclGroupStart());
  std::vector<mcclRedOp_t> operations(kRanks);
  for (int rank = 0; rank < kRanks; ++rank) {
    ASSERT_MCCL(mcclRedOpCreatePreMulSum(&operations[rank], send_[rank].data(), mcclFloat, mcclScalarDevice,
                                         world_.rank(rank).comm));
    EXPECT_MCCL(mcclAllReduce(send_[rank].data(), recv_[rank].data(), 1, mcclFloat, operations[rank],
                              world_.rank(rank).comm, streamOf(rank)));
  }
  ASSERT_MCCL(mcclGroupEnd());
  expectBehind(recv_, 1, [&](int) { return 1.0f + 1.0f + 9.0f; });
}

INSTANTIATE_TEST_SUITE_P(Handles, DefaultStreams, testing::ValuesIn(kHandles),
                         [](const auto& info) { return std::string(info.param.name); });

// Only the threads' default streams record graphs.
TEST(DefaultStreamsCaptured, PerThreadStreamsOfAllDevices) {
  World world(2);
  std::vector<Buffer> buffers;
  for (int rank = 0; rank < 2; ++rank) buffers.emplace_back(rank, sizeof(float));
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeThreadLocal));
  }
  ASSERT_MCCL(mcclGroupStart());
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_MCCL(mcclAllReduce(buffers[rank].data(), buffers[rank].data(), 1, mcclFloat, mcclSum,
                              world.rank(rank).comm, musaStreamPerThread));
  }
  ASSERT_MCCL(mcclGroupEnd());
  musaGraphExec_t programs[2] = {};
  for (int rank = 0; rank < 2; ++rank) {
    musaGraph_t graph = nullptr;
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaStreamEndCapture(musaStreamPerThread, &graph));
    ASSERT_MUSA(musaGraphInstantiate(&programs[rank], graph, 0));
    ASSERT_MUSA(musaGraphDestroy(graph));
    buffers[rank].write(std::vector<float>{1.0f + static_cast<float>(rank)});
  }
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaGraphLaunch(programs[rank], musaStreamPerThread));
  }
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_MUSA(musaSetDevice(rank));
    ASSERT_MUSA(musaStreamSynchronize(musaStreamPerThread));
    EXPECT_EQ(buffers[rank].read<float>()[0], 3.0f);
    ASSERT_MUSA(musaGraphExecDestroy(programs[rank]));
  }
}

}  // namespace
}  // namespace musashim::mccl
