// Memory that graphs allocate and free.
#include "graph_support.h"

namespace musashim::test {
namespace {

class GraphMemoryTest : public RuntimeTest {
 protected:
  static unsigned long long used(musaGraphMemAttributeType what = musaGraphMemAttrUsedMemCurrent) {
    unsigned long long bytes = 0;
    EXPECT_MUSA(musaSuccess, musaDeviceGetGraphMemAttribute(0, what, &bytes));
    return bytes;
  }
  static int* addAllocation(musaGraph_t graph, musaGraphNode_t& node, size_t bytes = 4096) {
    musaMemAllocNodeParams params = {};
    params.bytesize = bytes;
    params.poolProps.allocType = musaMemAllocationTypePinned;
    params.poolProps.location.type = musaMemLocationTypeDevice;
    EXPECT_MUSA(musaSuccess, musaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    return static_cast<int*>(params.dptr);
  }
};

TEST_F(GraphMemoryTest, FreedInTheGraph) {
  Buffer<int> result(1);
  musaGraph_t graph = newGraph();
  musaGraphNode_t allocated = nullptr, copied = nullptr, freed = nullptr;
  int* place = addAllocation(graph, allocated);
  KernelNode fill(kernels.fill, place, 6);
  musaGraphNode_t filled = fill.addTo(graph, {allocated});
  ASSERT_MUSA(musaSuccess, musaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, result.get(), place,
                                                    sizeof(int), musaMemcpyDeviceToDevice));
  ASSERT_MUSA(musaSuccess, musaGraphAddMemFreeNode(&freed, graph, &copied, 1, place));
  EXPECT_MUSA(musaErrorInvalidValue, musaGraphAddMemFreeNode(&freed, graph, &copied, 1, place));
  EXPECT_MUSA(musaErrorNotSupported, musaGraphDestroyNode(freed));
  musaGraph_t clone = nullptr;
  EXPECT_MUSA(musaErrorNotSupported, musaGraphClone(&clone, graph));
  musaGraphExec_t exec = instantiated(graph);
  for (int i = 0; i < 3; ++i) EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(result.download()[0], 6);
  EXPECT_EQ(used(), 0u);
  EXPECT_GE(used(musaGraphMemAttrUsedMemHigh), 4096u);
  EXPECT_GE(used(musaGraphMemAttrReservedMemCurrent), 4096u);
  EXPECT_MUSA(musaSuccess, musaDeviceGraphMemTrim(0));
  EXPECT_EQ(used(musaGraphMemAttrReservedMemCurrent), 0u);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphMemoryTest, FreedOutside) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  musaGraph_t graph = newGraph();
  musaGraphNode_t allocated = nullptr;
  int* place = addAllocation(graph, allocated);
  KernelNode fill(kernels.fill, place, 8);
  fill.addTo(graph, {allocated});
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaErrorInvalidValue, musaFreeAsync(place, stream)) << "not launched yet";
  for (bool async : {true, false}) {
    EXPECT_MUSA(musaSuccess, runGraph(exec, stream));
    EXPECT_EQ(used(), 4096u);
    int value = 0;
    EXPECT_MUSA(musaSuccess, musaMemcpy(&value, place, sizeof value, musaMemcpyDeviceToHost));
    EXPECT_EQ(value, 8);
    EXPECT_MUSA(musaErrorInvalidValue, musaGraphLaunch(exec, stream)) << "not freed yet";
    EXPECT_MUSA(musaSuccess, async ? musaFreeAsync(place, stream) : musaFree(place));
    EXPECT_EQ(used(), 0u);
  }
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_EQ(used(), 0u) << "nobody can reach it any more";
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(GraphMemoryTest, FreedByTheNextLaunch) {
  musaGraph_t graph = newGraph();
  musaGraphNode_t allocated = nullptr;
  addAllocation(graph, allocated);
  musaGraphExec_t exec = instantiated(graph, musaGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(used(), 4096u);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphMemoryTest, CapturedAllocation) {
  Buffer<int> result(1);
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal));
  int* place = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMallocAsync(reinterpret_cast<void**>(&place), 64, stream));
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, stream, place, 1, 12));
  ASSERT_MUSA(musaSuccess,
              musaMemcpyAsync(result.get(), place, sizeof(int), musaMemcpyDeviceToDevice, stream));
  ASSERT_MUSA(musaSuccess, musaFreeAsync(place, stream));
  musaGraph_t graph = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamEndCapture(stream, &graph));
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream));
  EXPECT_EQ(result.download()[0], 12);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(GraphMemoryTest, DeviceResetTakesItAway) {
  musaGraph_t graph = newGraph();
  musaGraphNode_t allocated = nullptr;
  addAllocation(graph, allocated);
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  Buffer<int> value(1);
  value.upload({4});
  EXPECT_EQ(value.download()[0], 4);
}

}  // namespace
}  // namespace musashim::test
