// Programs whose default stream is per thread: calls without a stream mean the thread's own.
#define MUSA_API_PER_THREAD_DEFAULT_STREAM
#include "../graph/graph_support.h"

namespace musashim::test {
namespace {

class PerThreadTest : public RuntimeTest {};

// What the thread's stream captures shows which stream a call went to.
TEST_F(PerThreadTest, NullMeansTheThreadsStream) {
  Buffer<int> value(2);
  ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(nullptr, musaStreamCaptureModeThreadLocal));
  EXPECT_MUSA(musaSuccess, musaMemsetAsync(value.get(), 0, 4, nullptr));
  EXPECT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, musaStreamPerThread, value.get(), 1, 3));
  EXPECT_MUSA(musaSuccess,
              musaMemcpyAsync(value.get() + 1, value.get(), 4, musaMemcpyDeviceToDevice, nullptr));
  musaGraph_t graph = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamEndCapture(nullptr, &graph));
  size_t count = 0;
  ASSERT_MUSA(musaSuccess, musaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 3u);
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, musaGraphLaunch(exec, nullptr));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  EXPECT_EQ(value.download(), (std::vector<int>{3, 3}));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(PerThreadTest, EntryPointsOfTheDriverAreThoseOfTheProgram) {
  void *asked = nullptr, *own = nullptr, *legacy = nullptr;
  const char* const name = "muMemsetD8Async";
  EXPECT_MUSA(musaSuccess, musaGetDriverEntryPoint(name, &asked, musaEnableDefault, nullptr));
  EXPECT_MUSA(musaSuccess, musaGetDriverEntryPoint(name, &own, musaEnablePerThreadDefaultStream, nullptr));
  EXPECT_MUSA(musaSuccess, musaGetDriverEntryPoint(name, &legacy, musaEnableLegacyStream, nullptr));
  EXPECT_EQ(asked, own);
  EXPECT_NE(asked, legacy);
}

TEST_F(PerThreadTest, SynchronousCallsDoNotWaitForOthers) {
  Buffer<int> value(1);
  musaStream_t other = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(other));
  int in = 7, out = 0;
  EXPECT_MUSA(musaSuccess, musaMemcpy(value.get(), &in, sizeof in, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaSuccess, musaMemcpy(&out, value.get(), sizeof out, musaMemcpyDeviceToHost));
  EXPECT_EQ(out, 7);
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(other));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(other));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
}

}  // namespace
}  // namespace musashim::test
