// Streams, events and graphs, made and ended again and again.
#include <thread>

#include "../graph/graph_support.h"
#include "lifetime_support.h"

namespace musashim::test {
namespace {

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

TEST_F(LifetimeTest, EventsOfSeveralProcesses) {
  cycle([] {
    musaEvent_t event = nullptr;
    musaIpcEventHandle_t handle;
    ASSERT_MUSA(musaSuccess,
                musaEventCreateWithFlags(&event, musaEventInterprocess | musaEventDisableTiming));
    ASSERT_MUSA(musaSuccess, musaIpcGetEventHandle(&handle, event));
    ASSERT_MUSA(musaSuccess, musaEventRecord(event, nullptr));
    ASSERT_MUSA(musaSuccess, musaEventSynchronize(event));
    ASSERT_MUSA(musaSuccess, musaEventDestroy(event));
  });
}

// Busy when they are destroyed: their work goes on, and then nothing of them is left.
TEST_F(LifetimeTest, BusyStreams) {
  cycle([] {
    for (unsigned flags : {musaStreamDefault, musaStreamNonBlocking}) {
      musaStream_t stream = nullptr;
      ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, flags));
      for (int i = 0; i < 3; ++i) ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
      ASSERT_MUSA(musaSuccess, musaStreamDestroy(stream));
    }
    ASSERT_MUSA(musaSuccess, musaDeviceSynchronize());
  });
}

TEST_F(LifetimeTest, CallbacksAndHostFunctions) {
  cycle([] {
    ASSERT_MUSA(musaSuccess, musaLaunchHostFunc(nullptr, [](void*) {}, nullptr));
    ASSERT_MUSA(musaSuccess,
                musaStreamAddCallback(nullptr, [](musaStream_t, musaError_t, void*) {}, nullptr, 0));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  });
}

TEST_F(LifetimeTest, UserObjects) {
  cycle([] {
    musaGraph_t graph = newGraph();
    musaUserObject_t object = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaUserObjectCreate(
                                 &object, new int(1), [](void* data) { delete static_cast<int*>(data); }, 1,
                                 musaUserObjectNoDestructorSync));
    ASSERT_MUSA(musaSuccess, musaGraphRetainUserObject(graph, object, 1, 0));
    ASSERT_MUSA(musaSuccess, musaUserObjectRelease(object, 1));
    ASSERT_MUSA(musaSuccess, musaGraphDestroy(graph));
  });
}

TEST_F(LifetimeTest, UpdatedGraphs) {
  musaGraph_t graph = newGraph();
  Buffer<int> value(1);
  KernelNode add(kernels.addOne, value.get(), 1);
  add.addTo(graph);
  musaGraphExec_t exec = instantiated(graph);
  cycle([&] {
    musaGraphExecUpdateResultInfo info;
    ASSERT_MUSA(musaSuccess, musaGraphExecUpdate(exec, graph, &info));
    ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, nullptr));
    ASSERT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  });
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

// A thread's own stream and its look-ups end with it.
TEST_F(LifetimeTest, ThreadsThatCall) {
  cycle(
      [] {
        std::thread([] {
          ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, musaStreamPerThread));
          ASSERT_MUSA(musaSuccess, musaStreamSynchronize(musaStreamPerThread));
        }).join();
      },
      Cost::kExpensive);
}

TEST_F(LifetimeTest, Graphs) {
  Buffer<int> values(2);  // nodes that run side by side have one each
  KernelNode add(kernels.addOne, values.get(), 1), addBeside(kernels.addOne, values.get() + 1, 1);
  cycle([&] {
    musaGraph_t graph = newGraph(), clone = nullptr;
    musaGraphNode_t root = add.addTo(graph);
    add.addTo(graph, {add.addTo(graph, {root}), addBeside.addTo(graph, {root})});
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
