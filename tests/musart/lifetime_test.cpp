// Objects made and ended again and again leave nothing behind.
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "graph_support.h"

namespace musashim::test {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MUSASHIM_SANITIZED 1
#endif
#endif
#ifdef MUSASHIM_SANITIZED
constexpr int kCycles = 500;  // memory is the sanitizers' own affair there
#else
constexpr int kCycles = 10'000;
#endif

size_t residentBytes() {
  long pages = 0, resident = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file) std::fclose(file);
  return static_cast<size_t>(resident) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

class LifetimeTest : public RuntimeTest {
 protected:
  static void cycle(const std::function<void()>& makeAndEnd) {
    for (int i = 0; i < kCycles / 10; ++i) makeAndEnd();  // pools and caches fill
    size_t before = residentBytes();
    for (int i = 0; i < kCycles; ++i) makeAndEnd();
    EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
#ifndef MUSASHIM_SANITIZED
    EXPECT_LT(residentBytes(), before + (512 << 10));
#else
    (void)before;
#endif
  }
};

TEST_F(LifetimeTest, Streams) {
  cycle([] {
    musaStream_t stream = nullptr;
    ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
    ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(stream));
    ASSERT_MUSA(musaSuccess, musaStreamDestroy(stream));
  });
}

TEST_F(LifetimeTest, Events) {
  cycle([] {
    musaEvent_t event = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaEventCreate(&event));
    ASSERT_MUSA(musaSuccess, musaEventRecord(event, nullptr));
    ASSERT_MUSA(musaSuccess, musaEventSynchronize(event));
    ASSERT_MUSA(musaSuccess, musaEventDestroy(event));
  });
}

TEST_F(LifetimeTest, Graphs) {
  Buffer<int> value(1);
  KernelNode add(kernels.addOne, value.get(), 1);
  cycle([&] {
    musaGraph_t graph = newGraph(), clone = nullptr;
    musaGraphNode_t root = add.addTo(graph);
    add.addTo(graph, {add.addTo(graph, {root}), add.addTo(graph, {root})});
    ASSERT_MUSA(musaSuccess, musaGraphClone(&clone, graph));
    musaGraphExec_t exec = instantiated(clone);
    ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, nullptr));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
    ASSERT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
    ASSERT_MUSA(musaSuccess, musaGraphDestroy(graph));
    ASSERT_MUSA(musaSuccess, musaGraphDestroy(clone));
  });
}

TEST_F(LifetimeTest, Captures) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  cycle([&] {
    musaGraph_t graph = nullptr;
    ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
    ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
    ASSERT_MUSA(musaSuccess, musaStreamEndCapture(stream, &graph));
    ASSERT_MUSA(musaSuccess, musaGraphDestroy(graph));
    // One that fails.
    ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
    ASSERT_MUSA(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(stream));
    ASSERT_MUSA(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(stream, &graph));
  });
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  musaGetLastError();
}

TEST_F(LifetimeTest, MemoryAndConditionsOfGraphs) {
  cycle([] {
    musaGraph_t graph = newGraph();
    musaMemAllocNodeParams params = {};
    params.bytesize = 256;
    params.poolProps.allocType = musaMemAllocationTypePinned;
    params.poolProps.location.type = musaMemLocationTypeDevice;
    musaGraphNode_t node = nullptr;
    ASSERT_MUSA(musaSuccess, musaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    musaGraphConditionalHandle handle = 0;
    ASSERT_MUSA(musaSuccess, musaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    musaGraphNodeParams conditional = {};
    conditional.type = musaGraphNodeTypeConditional;
    conditional.conditional = {handle, musaGraphCondTypeIf, 1, nullptr};
    ASSERT_MUSA(musaSuccess, ::musaGraphAddNode(&node, graph, nullptr, 0, &conditional));
    musaGraphExec_t exec = instantiated(graph);
    ASSERT_MUSA(musaSuccess, runGraph(exec));
    ASSERT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
    ASSERT_MUSA(musaSuccess, musaGraphDestroy(graph));
  });
}

}  // namespace
}  // namespace musashim::test
