// Graphs: nodes, edges, launches, branches, what outlives what.
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "graph_support.h"

namespace musashim::test {
namespace {

class GraphTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
  }
  void TearDown() override {
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream_));
    RuntimeTest::TearDown();
  }
  musaStream_t stream_ = nullptr;
};

TEST_F(GraphTest, ChainRunsInOrderEveryTime) {
  Buffer<int> value(1);
  value.upload({0});
  musaGraph_t graph = newGraph();
  KernelNode set(kernels.fill, value.get(), 5), add(kernels.addOne, value.get(), 3);
  add.addTo(graph, {add.addTo(graph, {set.addTo(graph)})});
  musaGraphExec_t exec = instantiated(graph);
  for (int i = 0; i < 3; ++i) {
    EXPECT_MUSA(musaSuccess, runGraph(exec, stream_));
    EXPECT_EQ(value.download()[0], 11);
  }
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream_)) << "it has a copy of its own";
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaErrorInvalidValue, musaGraphLaunch(exec, stream_));
  EXPECT_MUSA(musaErrorInvalidValue, musaGraphDestroy(graph));
}

TEST_F(GraphTest, BranchesRunAtTheSameTime) {
  Buffer<int> value(1);
  value.upload({0});
  SpinFlag flag;
  musaGraph_t graph = newGraph();
  musaGraphNode_t spinning = nullptr, raised = nullptr;
  // One branch spins until the host function of the other raises the flag.
  musaGraphNode_t root = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphAddEmptyNode(&root, graph, nullptr, 0));
  ASSERT_MUSA(musaSuccess, musaStreamBeginCaptureToGraph(stream_, graph, &root, nullptr, 1,
                                                         musaStreamCaptureModeThreadLocal));
  ASSERT_MUSA(musaSuccess, flag.startOn(stream_));
  ASSERT_MUSA(musaSuccess, musaStreamEndCapture(stream_, &graph));
  size_t count = 2;
  std::vector<musaGraphNode_t> nodes(2);
  ASSERT_MUSA(musaSuccess, musaGraphGetNodes(graph, nodes.data(), &count));
  spinning = nodes[1];
  musaHostNodeParams raise = {[](void* data) { static_cast<SpinFlag*>(data)->raise(); }, &flag};
  ASSERT_MUSA(musaSuccess, musaGraphAddHostNode(&raised, graph, &root, 1, &raise));
  KernelNode last(kernels.addOne, value.get(), 1);
  last.addTo(graph, {spinning, raised});
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream_));
  EXPECT_EQ(value.download()[0], 1);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

// A lattice: each node adds its two neighbours', so any missing edge shows in the last.
TEST_F(GraphTest, LatticeOfCopiesAndKernels) {
  constexpr int kSide = 12;
  Buffer<int> values(kSide * kSide);
  values.upload(std::vector<int>(kSide * kSide, 0));
  musaGraph_t graph = newGraph();
  std::vector<musaGraphNode_t> nodes(kSide * kSide);
  std::vector<std::unique_ptr<KernelNode>> works;
  for (int i = 0; i < kSide * kSide; ++i) {
    std::vector<musaGraphNode_t> after;
    if (i % kSide) after.push_back(nodes[i - 1]);
    if (i / kSide) after.push_back(nodes[i - kSide]);
    int* place = values.get() + i;
    if (i != 0) {
      const int* before = i % kSide ? place - 1 : place - kSide;
      musaGraphNode_t copy = nullptr;
      ASSERT_MUSA(musaSuccess, musaGraphAddMemcpyNode1D(&copy, graph, after.data(), after.size(), place,
                                                        before, sizeof(int), musaMemcpyDeviceToDevice));
      after = {copy};
    }
    works.push_back(std::make_unique<KernelNode>(kernels.addOne, place, 1));
    nodes[i] = works.back()->addTo(graph, after);
  }
  musaGraphExec_t exec = instantiated(graph);
  for (int round = 0; round < 20; ++round) {
    ASSERT_MUSA(musaSuccess, musaMemset(values.get(), 0, values.bytes()));
    ASSERT_MUSA(musaSuccess, musaDeviceSynchronize());
    ASSERT_MUSA(musaSuccess, runGraph(exec, stream_));
    auto result = values.download();
    for (int i = 0; i < kSide * kSide; ++i) ASSERT_EQ(result[i], i / kSide + i % kSide + 1) << i;
  }
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphTest, LaunchesOfOneExecWaitForEachOther) {
  Buffer<int> value(1);
  value.upload({0});
  musaStream_t other = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  musaGraph_t graph = newGraph();
  KernelNode add(kernels.addOne, value.get(), 1);
  musaGraphNode_t root = add.addTo(graph);
  add.addTo(graph, {root});
  musaGraphExec_t exec = instantiated(graph);
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(stream_));
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, stream_));
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, other));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(other));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec)) << "work under way goes on";
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(other));
  EXPECT_EQ(value.download()[0], 4);
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
}

TEST_F(GraphTest, NodesOnSeveralDevices) {
  musaGraph_t graph = newGraph();
  std::vector<std::unique_ptr<Buffer<int>>> buffers;
  std::vector<std::unique_ptr<KernelNode>> works;
  musaGraphNode_t last = nullptr;
  for (int device = 0; device < kDevices; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    buffers.push_back(std::make_unique<Buffer<int>>(1));
    buffers.back()->upload({0});
    std::vector<musaGraphNode_t> after;
    if (device > 0) {
      musaGraphNode_t copy = nullptr;
      ASSERT_MUSA(musaSuccess,
                  musaGraphAddMemcpyNode1D(&copy, graph, &last, 1, buffers[device]->get(),
                                           buffers[device - 1]->get(), sizeof(int), musaMemcpyDefault));
      after = {copy};
    }
    works.push_back(std::make_unique<KernelNode>(kernels.addOne, buffers.back()->get(), 1));
    last = works.back()->addTo(graph, after);
  }
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  musaGraphExec_t exec = instantiated(graph);
  for (int round = 1; round <= 3; ++round) {
    EXPECT_MUSA(musaSuccess, runGraph(exec, stream_));
    EXPECT_EQ(buffers.back()->download()[0], round + kDevices - 1);
  }
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphTest, EventNodesRecordAndWait) {
  Buffer<int> value(1);
  value.upload({0});
  musaEvent_t recorded = nullptr, awaited = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaEventCreate(&recorded));
  ASSERT_MUSA(musaSuccess, ::musaEventCreate(&awaited));
  musaStream_t other = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  musaGraph_t graph = newGraph();
  KernelNode add(kernels.addOne, value.get(), 1);
  musaGraphNode_t first = add.addTo(graph), record = nullptr, wait = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphAddEventRecordNode(&record, graph, &first, 1, recorded));
  ASSERT_MUSA(musaSuccess, musaGraphAddEventWaitNode(&wait, graph, &record, 1, awaited));
  add.addTo(graph, {wait});
  musaGraphExec_t exec = instantiated(graph);
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(other));
  ASSERT_MUSA(musaSuccess, musaEventRecord(awaited, other));
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, stream_));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(recorded));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(stream_));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(value.download()[0], 2);
  EXPECT_MUSA(musaSuccess, musaEventDestroy(recorded));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaGraphLaunch(exec, stream_)) << "an event is gone";
  EXPECT_MUSA(musaSuccess, musaEventDestroy(awaited));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphTest, FaultEndsTheGraphAndSticks) {
  Buffer<int> value(1);
  value.upload({0});
  musaGraph_t graph = newGraph();
  FaultParams fault{kTrap};
  void* arguments[] = {&fault.kind};
  musaKernelNodeParams params = {};
  params.func = &kernels.fault;
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  musaGraphNode_t trap = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphAddKernelNode(&trap, graph, nullptr, 0, &params));
  KernelNode add(kernels.addOne, value.get(), 1);
  add.addTo(graph, {trap});
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaErrorLaunchFailure, runGraph(exec, stream_));
  EXPECT_MUSA(musaErrorLaunchFailure, musaGraphLaunch(exec, stream_));
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_MUSA(musaErrorContextIsDestroyed, musaGraphLaunch(exec, nullptr))
      << "it belonged to the old context";
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
}

TEST_F(GraphTest, UserObjectsLiveAsLongAsGraphs) {
  int ended = 0;
  musaUserObject_t object = nullptr;
  ASSERT_MUSA(musaSuccess, musaUserObjectCreate(
                               &object, &ended, [](void* count) { ++*static_cast<int*>(count); }, 1,
                               musaUserObjectNoDestructorSync));
  musaGraph_t graph = newGraph();
  ASSERT_MUSA(musaSuccess, musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
  musaGraph_t clone = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphClone(&clone, graph));
  musaGraphExec_t exec = instantiated(clone);
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(clone));
  EXPECT_EQ(ended, 0);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_EQ(ended, 1);
  EXPECT_MUSA(musaErrorInvalidValue, musaUserObjectRelease(object, 1));
}

TEST_F(GraphTest, DrawingNamesNodesAndEdges) {
  Buffer<int> value(1);
  musaGraph_t graph = newGraph();
  KernelNode add(kernels.addOne, value.get(), 1);
  add.addTo(graph, {add.addTo(graph)});
  std::string path = ::testing::TempDir() + "graph.dot";
  ASSERT_MUSA(musaSuccess, musaGraphDebugDotPrint(graph, path.c_str(), musaGraphDebugDotFlagsVerbose));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("digraph"), std::string::npos);
  EXPECT_NE(text.str().find("KERNEL"), std::string::npos);
  EXPECT_NE(text.str().find("->"), std::string::npos);
  EXPECT_MUSA(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, "/nonexistent/graph.dot", 0));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

// Several threads launch their own graphs into shared streams.
TEST_F(GraphTest, ThreadsLaunchIntoOneStream) {
  constexpr int kThreads = 4, kLaunches = 200;
  Buffer<int> values(kThreads);
  values.upload(std::vector<int>(kThreads, 0));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      musaGraph_t graph = newGraph();
      KernelNode add(kernels.addOne, values.get() + t, 1);
      musaGraphNode_t root = add.addTo(graph);
      musaGraphNode_t left = nullptr, right = nullptr;
      EXPECT_MUSA(musaSuccess, musaGraphAddEmptyNode(&left, graph, &root, 1));
      EXPECT_MUSA(musaSuccess, musaGraphAddEmptyNode(&right, graph, &root, 1));
      add.addTo(graph, {left, right});
      musaGraphExec_t exec = instantiated(graph);
      for (int i = 0; i < kLaunches; ++i) EXPECT_MUSA(musaSuccess, musaGraphLaunch(exec, stream_));
      EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
      EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  for (int value : values.download()) EXPECT_EQ(value, 2 * kLaunches);
}

TEST_F(GraphTest, ConditionalBodiesFollowTheValue) {
  Buffer<int> value(1);
  value.upload({0});
  musaGraph_t graph = newGraph();
  musaGraphConditionalHandle handle = 0;
  ASSERT_MUSA(musaSuccess, musaGraphConditionalHandleCreate(&handle, graph, 1, musaGraphCondAssignDefault));
  musaGraphNodeParams params = {};
  params.type = musaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = musaGraphCondTypeWhile;
  params.conditional.size = 1;
  musaGraphNode_t node = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaGraphAddNode(&node, graph, nullptr, 0, &params));
  // The body counts, and stops the loop as musaGraphSetConditional does: by a store to the handle's
  // address.
  KernelNode add(kernels.addOne, value.get(), 1);
  KernelNode stop(kernels.fill, reinterpret_cast<int*>(handle), 0);
  musaGraph_t body = params.conditional.phGraph_out[0];
  stop.addTo(body, {add.addTo(body)});
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream_));
  EXPECT_EQ(value.download()[0], 1);
  EXPECT_MUSA(musaSuccess, runGraph(exec, stream_)) << "the launch assigns the value again";
  EXPECT_EQ(value.download()[0], 2);
  EXPECT_MUSA(musaErrorInvalidValue, ::musaGraphAddNode(&node, graph, nullptr, 0, &params))
      << "a handle serves one node";
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

}  // namespace
}  // namespace musashim::test
