// Collectives recorded in graphs: they run at each launch, and meet as on streams.
#include <malloc.h>

#include <chrono>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

class Graphs {
 public:
  // Captures `call` of every rank, one graph per rank's stream.
  Graphs(World& world, const std::function<mcclResult_t(Rank&)>& call) : world_(world) {
    each([](Rank& rank) { return musaStreamBeginCapture(rank.stream, musaStreamCaptureModeThreadLocal); });
    EXPECT_MCCL(mcclGroupStart());
    each([&](Rank& rank) {
      EXPECT_MCCL(call(rank));
      return musaSuccess;
    });
    EXPECT_MCCL(mcclGroupEnd());
    each([&](Rank& rank) {
      musaGraph_t graph = nullptr;
      EXPECT_EQ(musaStreamEndCapture(rank.stream, &graph), musaSuccess);
      musaGraphExec_t program = nullptr;
      EXPECT_EQ(musaGraphInstantiate(&program, graph, 0), musaSuccess);
      programs_.push_back(program);
      return musaGraphDestroy(graph);
    });
  }
  ~Graphs() {
    for (musaGraphExec_t program : programs_) EXPECT_EQ(musaGraphExecDestroy(program), musaSuccess);
  }
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;

  void launch() {
    each([&](Rank& rank) { return musaGraphLaunch(programs_[rank.rank], rank.stream); });
  }

 private:
  void each(const std::function<musaError_t(Rank&)>& call) {
    for (int i = 0; i < world_.ranks(); ++i) {
      Rank& rank = world_.rank(i);
      EXPECT_EQ(musaSetDevice(rank.device), musaSuccess);
      EXPECT_EQ(call(rank), musaSuccess);
    }
  }

  World& world_;
  std::vector<musaGraphExec_t> programs_;
};

struct Sums {
  explicit Sums(World& world) {
    for (int i = 0; i < world.ranks(); ++i) {
      buffers.emplace_back(i, kCount * sizeof(int));
      buffers.back().write(std::vector<int>(kCount, i + 1));
    }
  }
  mcclResult_t add(Rank& rank) {
    char* data = buffers[rank.rank].data();
    return mcclAllReduce(data, data, kCount, mcclInt32, mcclSum, rank.comm, rank.stream);
  }
  void expect(int value) {
    for (Buffer& buffer : buffers) EXPECT_EQ(buffer.read<int>(), std::vector<int>(kCount, value));
  }

  static constexpr size_t kCount = 40000;  // cut into chunks
  std::vector<Buffer> buffers;
};

TEST(Graphs, RunAtEachLaunchAndNotBefore) {
  World world(3);
  Sums sums(world);
  Graphs graphs(world, [&](Rank& rank) { return sums.add(rank); });
  EXPECT_EQ(sums.buffers[0].read<int>()[0], 1);
  for (int value = 6; value <= 54; value *= 3) {  // the sum, then three times it, ...
    graphs.launch();
    world.synchronize();
    sums.expect(value);
  }
}

TEST(Graphs, TakeTurnsWithOrdinaryWork) {
  World world(2);
  Sums sums(world);
  Graphs graphs(world, [&](Rank& rank) { return sums.add(rank); });
  for (int i = 0; i < 5; ++i) {
    graphs.launch();
    world.each([&](Rank& rank) { return sums.add(rank); });
  }
  world.synchronize();
  sums.expect(3 << 9);
}

TEST(Graphs, MessagesAndSeveralCollectives) {
  World world(2);
  Sums sums(world);
  Buffer got[2] = {{0, 4}, {1, 4}};
  Graphs graphs(world, [&](Rank& rank) {
    char* data = sums.buffers[rank.rank].data();
    EXPECT_MCCL(sums.add(rank));
    EXPECT_MCCL(mcclSend(data, 1, mcclInt32, 1 - rank.rank, rank.comm, rank.stream));
    return mcclRecv(got[rank.rank].data(), 1, mcclInt32, 1 - rank.rank, rank.comm, rank.stream);
  });
  graphs.launch();
  graphs.launch();
  world.synchronize();
  sums.expect(6);
  for (Buffer& buffer : got) EXPECT_EQ(buffer.read<int>()[0], 6);
}

// One rank's first stream is late: calls that all ranks issue in one order meet all the same.
struct Late {
  explicit Late(World& world) : world(world) {
    for (int i = 0; i < world.ranks(); ++i) {
      EXPECT_EQ(musaSetDevice(i), musaSuccess);
      EXPECT_EQ(musaStreamCreateWithFlags(&second.emplace_back(), musaStreamNonBlocking), musaSuccess);
      large.emplace_back(i, 1000 * sizeof(int));
      small.emplace_back(i, 77 * sizeof(int));
      large.back().write(std::vector<int>(1000, i + 1));
      small.back().write(std::vector<int>(77, i + 1));
    }
  }
  ~Late() {
    for (musaStream_t stream : second) EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
  }
  mcclResult_t first(Rank& rank) {
    const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    if (rank.rank == 0) EXPECT_EQ(musaLaunchHostFunc(rank.stream, sleep, nullptr), musaSuccess);
    char* data = large[rank.rank].data();
    return mcclAllReduce(data, data, 1000, mcclInt32, mcclMax, rank.comm, rank.stream);
  }
  mcclResult_t then(Rank& rank, musaStream_t stream) {
    char* data = small[rank.rank].data();
    return mcclAllReduce(data, data, 77, mcclInt32, mcclMax, rank.comm, stream);
  }
  void expect() {
    world.synchronize();
    for (Buffer& buffer : large) EXPECT_EQ(buffer.read<int>(), std::vector<int>(1000, world.ranks()));
    for (Buffer& buffer : small) EXPECT_EQ(buffer.read<int>(), std::vector<int>(77, world.ranks()));
    for (int i = 0; i < world.ranks(); ++i) {
      mcclResult_t state = mcclInternalError;
      EXPECT_MCCL(mcclCommGetAsyncError(world.rank(i).comm, &state));
      EXPECT_EQ(state, mcclSuccess);
    }
  }

  World& world;
  std::vector<musaStream_t> second;
  std::vector<Buffer> large, small;
};

TEST(Graphs, OrdinaryWorkOnOtherStreamsStaysBehindALaunch) {
  World world(2);
  Late late(world);
  Graphs graphs(world, [&](Rank& rank) { return late.first(rank); });
  for (int i = 0; i < 4; ++i) {
    graphs.launch();
    world.each([&](Rank& rank) { return late.then(rank, late.second[rank.rank]); });
  }
  for (musaStream_t stream : late.second) EXPECT_EQ(musaStreamSynchronize(stream), musaSuccess);
  late.expect();
}

TEST(Graphs, LaunchesStayBehindOrdinaryWorkFromBeforeTheFirstCapture) {
  World world(2);
  Late late(world);
  world.each([&](Rank& rank) { return late.first(rank); });
  std::vector<musaStream_t> streams = late.second;
  for (int i = 0; i < world.ranks(); ++i) std::swap(world.rank(i).stream, streams[i]);
  {
    Graphs graphs(world, [&](Rank& rank) { return late.then(rank, rank.stream); });
    graphs.launch();
    world.synchronize();
  }
  for (int i = 0; i < world.ranks(); ++i) std::swap(world.rank(i).stream, streams[i]);
  late.expect();
}

TEST(Graphs, LaunchesOnOtherStreamsStayBehindEachOther) {
  World world(2);
  Late late(world);
  Graphs first(world, [&](Rank& rank) { return late.first(rank); });
  std::vector<musaStream_t> streams = late.second;
  const auto swap = [&] {
    for (int i = 0; i < world.ranks(); ++i) std::swap(world.rank(i).stream, streams[i]);
  };
  swap();
  Graphs second(world, [&](Rank& rank) { return late.then(rank, rank.stream); });
  for (int i = 0; i < 4; ++i) {
    swap();
    first.launch();
    swap();
    second.launch();
  }
  world.synchronize();
  swap();
  late.expect();
}

TEST(Graphs, BranchesOfAGraphStayBehindEachOther) {
  World world(2);
  Late late(world);
  std::vector<musaEvent_t> events(4);  // two of each rank's
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(musaSetDevice(static_cast<int>(i % 2)), musaSuccess);
    EXPECT_EQ(musaEventCreateWithFlags(&events[i], musaEventDisableTiming), musaSuccess);
  }
  Graphs graphs(world, [&](Rank& rank) {
    musaStream_t stream = late.second[rank.rank];
    EXPECT_EQ(musaEventRecord(events[rank.rank], rank.stream), musaSuccess);
    EXPECT_EQ(musaStreamWaitEvent(stream, events[rank.rank], 0), musaSuccess);
    EXPECT_MCCL(mcclGroupEnd());
    EXPECT_MCCL(late.first(rank));
    EXPECT_MCCL(late.then(rank, stream));
    EXPECT_MCCL(mcclGroupStart());
    EXPECT_EQ(musaEventRecord(events[2 + rank.rank], stream), musaSuccess);
    EXPECT_EQ(musaStreamWaitEvent(rank.stream, events[2 + rank.rank], 0), musaSuccess);
    return mcclSuccess;
  });
  for (int i = 0; i < 4; ++i) graphs.launch();
  late.expect();
  for (musaEvent_t event : events) EXPECT_EQ(musaEventDestroy(event), musaSuccess);
}

TEST(Graphs, LaunchAfterDestroyDoesNothing) {
  World world(2);
  Sums sums(world);
  Graphs graphs(world, [&](Rank& rank) { return sums.add(rank); });
  for (int i = 0; i < 2; ++i) EXPECT_MCCL(mcclCommDestroy(world.rank(i).comm));
  world.forgetComms();
  graphs.launch();
  world.synchronize();
  EXPECT_EQ(sums.buffers[1].read<int>()[0], 2);
}

// What a capture keeps of a collective ends with the graph: its launches still find it, and then it is gone.
TEST(Graphs, CapturedWorkEndsWithTheGraph) {
  World world(2);
  Sums sums(world);
  const auto heap = [] { return mallinfo2().uordblks; };
  const auto captureAndDestroy = [&] {
    Graphs graphs(world, [&](Rank& rank) {
      for (int i = 0; i < 16; ++i) EXPECT_MCCL(sums.add(rank));
      return mcclSuccess;
    });
    graphs.launch();
    world.synchronize();
  };
  for (int i = 0; i < 5; ++i) captureAndDestroy();
  const size_t before = heap();
  constexpr int kTimes = 100;
  for (int i = 0; i < kTimes; ++i) captureAndDestroy();
  // 3200 calls; kept ones took more than 300 bytes each.
  EXPECT_LT(heap(), before + 300 * kTimes * 16);
}

TEST(Graphs, CapturedAndOtherStreamsDoNotMixInAGroup) {
  World world(2);
  Sums sums(world);
  Rank &captured = world.rank(0), &plain = world.rank(1);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaStreamBeginCapture(captured.stream, musaStreamCaptureModeThreadLocal));
  ASSERT_MCCL(mcclGroupStart());
  EXPECT_MCCL(sums.add(captured));
  EXPECT_MCCL(sums.add(plain));
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
  musaGraph_t graph = nullptr;
  ASSERT_MUSA(musaStreamEndCapture(captured.stream, &graph));
  ASSERT_MUSA(musaGraphDestroy(graph));
}

}  // namespace
}  // namespace musashim::mccl
