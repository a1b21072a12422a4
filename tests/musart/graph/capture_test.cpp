// Stream capture: what becomes a node, what ends a capture, who else is concerned.
#include <thread>

#include "graph_support.h"

namespace musashim::test {
namespace {

class CaptureTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    for (musaStream_t* stream : {&origin_, &fork_}) {
      ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(stream, musaStreamNonBlocking));
    }
    ASSERT_MUSA(musaSuccess, musaEventCreateWithFlags(&event_, musaEventDisableTiming));
  }
  void TearDown() override {
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(origin_));
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(fork_));
    EXPECT_MUSA(musaSuccess, musaEventDestroy(event_));
    RuntimeTest::TearDown();
  }
  static musaStreamCaptureStatus status(musaStream_t stream) {
    musaStreamCaptureStatus result = musaStreamCaptureStatusNone;
    EXPECT_MUSA(musaSuccess, musaStreamIsCapturing(stream, &result));
    return result;
  }
  musaError_t begin(musaStreamCaptureMode mode = musaStreamCaptureModeThreadLocal) {
    return musaStreamBeginCapture(origin_, mode);
  }
  musaError_t end() {
    if (graph_) EXPECT_MUSA(musaSuccess, musaGraphDestroy(std::exchange(graph_, nullptr)));
    return musaStreamEndCapture(origin_, &graph_);
  }
  musaStream_t origin_ = nullptr, fork_ = nullptr;
  musaEvent_t event_ = nullptr;
  musaGraph_t graph_ = nullptr;
};

TEST_F(CaptureTest, ForkAndJoin) {
  Buffer<int> a(1), b(1);
  musaEvent_t joined = nullptr;
  ASSERT_MUSA(musaSuccess, musaEventCreateWithFlags(&joined, musaEventDisableTiming));
  ASSERT_MUSA(musaSuccess, begin());
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, origin_, a.get(), 1, 1));
  ASSERT_MUSA(musaSuccess, musaEventRecord(event_, origin_));
  ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(fork_, event_, 0));
  EXPECT_EQ(status(fork_), musaStreamCaptureStatusActive);
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, fork_, b.get(), 1, 2));
  ASSERT_MUSA(musaSuccess, musaEventRecord(joined, fork_));
  ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(origin_, joined, 0));
  ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, origin_, b.get(), 1, 10));
  ASSERT_MUSA(musaSuccess, end());
  EXPECT_EQ(status(fork_), musaStreamCaptureStatusNone);
  size_t edges = 0;
  ASSERT_MUSA(musaSuccess, ::musaGraphGetEdges(graph_, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 3u);
  musaGraphExec_t exec = instantiated(graph_);
  EXPECT_MUSA(musaSuccess, runGraph(exec, fork_));
  EXPECT_EQ(a.download()[0] * 100 + b.download()[0], 112);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph_));
  EXPECT_MUSA(musaSuccess, musaEventDestroy(joined));
}

TEST_F(CaptureTest, UnjoinedWork) {
  ASSERT_MUSA(musaSuccess, begin());
  ASSERT_MUSA(musaSuccess, musaEventRecord(event_, origin_));
  ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(fork_, event_, 0));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, fork_));
  EXPECT_MUSA(musaErrorStreamCaptureUnjoined, end());
  EXPECT_EQ(graph_, nullptr);
  EXPECT_EQ(status(fork_), musaStreamCaptureStatusNone);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(fork_));
}

// No entry runs work of a capturing stream: what it cannot capture it refuses.
TEST_F(CaptureTest, NothingRunsWhileCapturing) {
  Buffer<int> value(4);
  value.upload({1, 2, 3, 4});
  int host[4] = {9, 9, 9, 9};
  ASSERT_MUSA(musaSuccess, begin(musaStreamCaptureModeRelaxed));
  EXPECT_MUSA(musaSuccess, musaMemcpyAsync(value.get(), host, sizeof host, musaMemcpyHostToDevice, origin_));
  EXPECT_MUSA(musaSuccess, musaMemsetAsync(value.get(), 0, 4, origin_));
  EXPECT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, origin_, value.get(), 4, 1));
  EXPECT_MUSA(musaSuccess,
              musaLaunchHostFunc(origin_, [](void* data) { *static_cast<int*>(data) = 7; }, host));
  EXPECT_EQ(host[0], 9);
  EXPECT_EQ(value.download(), (std::vector<int>{1, 2, 3, 4}));
  ASSERT_MUSA(musaSuccess, end());
  size_t count = 0;
  ASSERT_MUSA(musaSuccess, musaGraphGetNodes(graph_, nullptr, &count));
  EXPECT_EQ(count, 4u);
  musaGraphExec_t exec = instantiated(graph_);
  EXPECT_MUSA(musaSuccess, runGraph(exec, origin_));
  EXPECT_EQ(value.download(), (std::vector<int>{1, 10, 10, 10}));
  EXPECT_EQ(host[0], 7);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph_));
}

TEST_F(CaptureTest, SynchronisingEndsTheCapture) {
  ASSERT_MUSA(musaSuccess, begin());
  EXPECT_MUSA(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(origin_));
  EXPECT_EQ(status(origin_), musaStreamCaptureStatusInvalidated);
  EXPECT_MUSA(musaErrorStreamCaptureInvalidated, launch(kernels.empty, 1, 1, 0, origin_));
  EXPECT_MUSA(musaErrorStreamCaptureInvalidated, end());
  EXPECT_EQ(graph_, nullptr);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(origin_));
  EXPECT_MUSA(musaErrorIllegalState, end());
}

TEST_F(CaptureTest, OtherThreadsAndModes) {
  void* pointer = nullptr;
  musaError_t elsewhere = musaSuccess;
  auto allocateElsewhere = [&] {
    std::thread([&] { elsewhere = ::musaMalloc(&pointer, 64); }).join();
    if (elsewhere == musaSuccess) EXPECT_MUSA(musaSuccess, musaFree(pointer));
  };
  ASSERT_MUSA(musaSuccess, begin(musaStreamCaptureModeGlobal));
  allocateElsewhere();
  EXPECT_MUSA(musaErrorStreamCaptureUnsupported, elsewhere);
  EXPECT_MUSA(musaErrorStreamCaptureInvalidated, end());
  ASSERT_MUSA(musaSuccess, begin(musaStreamCaptureModeRelaxed));
  allocateElsewhere();
  EXPECT_MUSA(musaSuccess, elsewhere);
  EXPECT_MUSA(musaSuccess, end());
  ASSERT_MUSA(musaSuccess, begin(musaStreamCaptureModeThreadLocal));
  std::thread([&] {
    musaGraph_t none = nullptr;
    elsewhere = musaStreamEndCapture(origin_, &none);
  }).join();
  EXPECT_MUSA(musaErrorStreamCaptureWrongThread, elsewhere);
  EXPECT_MUSA(musaErrorIllegalState, end()) << "that ended it";
}

TEST_F(CaptureTest, StreamsThatEndWhileCapturing) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  EXPECT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, nullptr)) << "the legacy stream is free again";
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
}

// Threads capture, launch and break captures at the same time; for TSan most of all.
TEST_F(CaptureTest, ManyThreads) {
  constexpr int kThreads = 4, kRounds = 60;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      Buffer<int> value(1);
      value.upload({0});
      musaStream_t stream = nullptr;
      EXPECT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
      int expected = 0;
      for (int round = 0; round < kRounds; ++round) {
        bool broken = round % 5 == t;
        EXPECT_MUSA(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
        EXPECT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, stream, value.get(), 1, 1));
        if (broken) EXPECT_MUSA(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(stream));
        musaGraph_t graph = nullptr;
        musaError_t ended = musaStreamEndCapture(stream, &graph);
        EXPECT_EQ(ended == musaSuccess, !broken);
        if (!graph) continue;
        musaGraphExec_t exec = instantiated(graph);
        EXPECT_MUSA(musaSuccess, musaGraphLaunch(exec, stream));
        ++expected;
        EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
        EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
      }
      EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
      EXPECT_EQ(value.download()[0], expected);
      EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
      musaGetLastError();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace musashim::test
