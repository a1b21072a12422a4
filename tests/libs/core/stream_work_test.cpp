#include "libs/core/stream_work.h"

#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

#include "libs/core/share.h"

namespace musashim::libs {
namespace {

class StreamWork : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(musaStreamCreate(&stream_), musaSuccess);
    ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&value_), sizeof(int)), musaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(musaFree(value_), musaSuccess);
    EXPECT_EQ(musaStreamDestroy(stream_), musaSuccess);
  }
  int fetch() {
    int host = -1;
    EXPECT_EQ(musaMemcpyAsync(&host, value_, sizeof host, musaMemcpyDeviceToHost, stream_), musaSuccess);
    EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess);
    return host;
  }

  musaStream_t stream_ = nullptr;
  int* value_ = nullptr;
};

TEST_F(StreamWork, RunsInTheStreamsOrderOnDeviceMemory) {
  ASSERT_EQ(musaMemsetAsync(value_, 0, sizeof(int), stream_), musaSuccess);
  for (int i = 1; i <= 10; ++i)
    ASSERT_EQ(runOnStream(stream_, [value = value_, i] { *value = *value * 2 + i; }), musaSuccess);
  EXPECT_EQ(fetch(), 2036);
}

TEST_F(StreamWork, TheCallerDoesNotDoIt) {
  std::atomic<bool> go{false};
  ASSERT_EQ(runOnStream(stream_, [&] { go.wait(false); }), musaSuccess);
  EXPECT_EQ(musaStreamQuery(stream_), musaErrorNotReady);
  go = true;
  go.notify_all();
  EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess);
}

TEST_F(StreamWork, IsFreedWhenItHasRun) {
  auto token = std::make_shared<int>(0);
  ASSERT_EQ(runOnStream(stream_, [token] {}), musaSuccess);
  EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess);
  EXPECT_EQ(token.use_count(), 1);
}

TEST_F(StreamWork, ACapturedCallRunsAtEachLaunch) {
  auto token = std::make_shared<int>(0);
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaStreamBeginCapture(stream_, musaStreamCaptureModeGlobal), musaSuccess);
  ASSERT_EQ(musaMemsetAsync(value_, 0, sizeof(int), stream_), musaSuccess);
  ASSERT_EQ(runOnStream(stream_, [value = value_, token] { *value += ++*token; }), musaSuccess);
  ASSERT_EQ(musaStreamEndCapture(stream_, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
  for (int launch = 1; launch <= 3; ++launch) {
    ASSERT_EQ(musaGraphLaunch(exec, stream_), musaSuccess);
    EXPECT_EQ(fetch(), launch);
  }
  EXPECT_EQ(musaGraphExecDestroy(exec), musaSuccess);
  // The last user goes some time after the graph.
  for (int i = 0; i < 1000 && token.use_count() != 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(token.use_count(), 1);
}

// As a kernel's fault: it sticks to the device, what is queued behind it does not run, and a reset recovers.
TEST(StreamWorkThatThrows, IsAFaultOfItsDevice) {
  const std::function<void()> throwing[] = {
      [] { throw std::bad_alloc(); }, [] { throw std::runtime_error("of a library"); }, [] { throw 1; },
      [] { shareOut(9, [](size_t) { throw std::logic_error("part"); }); }};
  for (const auto& work : throwing) {
    musaStream_t stream = nullptr;
    ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
    // A call behind the fault would be refused: the fault waits until both are queued.
    std::atomic<bool> queued{false};
    std::atomic<bool> ranOn{false};
    ASSERT_EQ(runOnStream(stream, [&] { queued.wait(false), work(); }), musaSuccess);
    ASSERT_EQ(runOnStream(stream, [&] { ranOn = true; }), musaSuccess);
    queued = true;
    queued.notify_all();
    EXPECT_EQ(musaStreamSynchronize(stream), musaErrorLaunchFailure);
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorLaunchFailure);
    EXPECT_FALSE(ranOn);
    EXPECT_EQ(musaDeviceReset(), musaSuccess);
    (void)musaGetLastError();
  }
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
}

TEST(StreamWorkThatThrows, IsAFaultOfItsDeviceInGraphsToo) {
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
  ASSERT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
  ASSERT_EQ(runOnStream(stream, [] { throw std::bad_alloc(); }), musaSuccess);
  ASSERT_EQ(musaStreamEndCapture(stream, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
  ASSERT_EQ(musaGraphLaunch(exec, stream), musaSuccess);
  EXPECT_EQ(musaStreamSynchronize(stream), musaErrorLaunchFailure);
  EXPECT_EQ(musaDeviceReset(), musaSuccess);
  (void)musaGetLastError();
}

TEST_F(StreamWork, ABadStreamIsToldAtOnce) {
  const auto bad = reinterpret_cast<musaStream_t>(uintptr_t{0x1234500});
  EXPECT_NE(runOnStream(bad, [] {}), musaSuccess);
  (void)musaGetLastError();
}

}  // namespace
}  // namespace musashim::libs
