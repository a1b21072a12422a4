// Executable graphs that change: single nodes, all nodes, nodes switched off.
#include <atomic>
#include <thread>

#include "graph_support.h"

namespace musashim::test {
namespace {

class GraphUpdateTest : public RuntimeTest {};

TEST_F(GraphUpdateTest, ChangesConcernLaterLaunchesOnly) {
  Buffer<int> value(1);
  value.upload({0});
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  musaGraph_t graph = newGraph();
  KernelNode one(kernels.addOne, value.get(), 1), ten(kernels.addOne, value.get(), 10);
  musaGraphNode_t node = one.addTo(graph);
  musaGraphExec_t exec = instantiated(graph);
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(stream));
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, stream));
  ASSERT_MUSA(musaSuccess, musaGraphExecKernelNodeSetParams(exec, node, &ten.params()));
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, stream));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  EXPECT_EQ(value.download()[0], 11);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

// A graph of one host function, and an object of the user's that counts its end.
musaGraph_t graphWithObject(musaHostFn_t function, void* data, std::atomic<int>* ended) {
  musaGraph_t graph = nullptr;
  EXPECT_MUSA(musaSuccess, musaGraphCreate(&graph, 0));
  musaUserObject_t object = nullptr;
  EXPECT_MUSA(musaSuccess, musaUserObjectCreate(
                               &object, ended, [](void* count) { ++*static_cast<std::atomic<int>*>(count); },
                               1, musaUserObjectNoDestructorSync));
  EXPECT_MUSA(musaSuccess, musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
  const musaHostNodeParams host{function, data};
  musaGraphNode_t node = nullptr;
  EXPECT_MUSA(musaSuccess, musaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  return graph;
}

TEST_F(GraphUpdateTest, TakesTheUserObjectsOfTheNewGraph) {
  std::atomic<int> ended[2] = {0, 0};
  const auto nothing = [](void*) {};
  musaGraph_t first = graphWithObject(nothing, nullptr, &ended[0]);
  musaGraph_t second = graphWithObject(nothing, nullptr, &ended[1]);
  musaGraphExec_t exec = instantiated(first);
  musaGraphExecUpdateResultInfo info{};
  ASSERT_MUSA(musaSuccess, musaGraphExecUpdate(exec, second, &info));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(first));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(second));
  EXPECT_EQ(ended[0], 1);
  EXPECT_EQ(ended[1], 0);
  EXPECT_MUSA(musaSuccess, musaGraphLaunch(exec, nullptr));
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  EXPECT_EQ(ended[1], 0);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_EQ(ended[1], 1);
}

TEST_F(GraphUpdateTest, UserObjectsOutliveALaunchThatIsUnderWay) {
  struct Seen {
    std::atomic<bool> goOn = false;
    std::atomic<int> ended = 0;
    int endedBefore = -1;
  } seen;
  const auto look = [](void* data) {
    Seen& it = *static_cast<Seen*>(data);
    while (!it.goOn) std::this_thread::yield();
    it.endedBefore = it.ended;
  };
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  musaGraph_t graph = graphWithObject(look, &seen, &seen.ended);
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, musaGraphLaunch(exec, stream));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  seen.goOn = true;
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  EXPECT_EQ(seen.endedBefore, 0);
  EXPECT_EQ(seen.ended, 1);
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(GraphUpdateTest, WholeGraphOfTheSameShape) {
  Buffer<int> value(1);
  value.upload({0});
  KernelNode set(kernels.fill, value.get(), 1), add(kernels.addOne, value.get(), 2),
      other(kernels.addOne, value.get(), 40);
  musaGraph_t graph = newGraph(), same = newGraph(), longer = newGraph(), apart = newGraph();
  add.addTo(graph, {set.addTo(graph)});
  other.addTo(same, {set.addTo(same)});
  add.addTo(longer, {add.addTo(longer, {set.addTo(longer)})});
  set.addTo(apart);
  add.addTo(apart);
  musaGraphExec_t exec = instantiated(graph);
  musaGraphExecUpdateResultInfo info = {};
  EXPECT_MUSA(musaSuccess, ::musaGraphExecUpdate(exec, same, &info));
  EXPECT_EQ(info.result, musaGraphExecUpdateSuccess);
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(value.download()[0], 41);
  for (musaGraph_t wrong : {longer, apart}) {
    EXPECT_MUSA(musaErrorGraphExecUpdateFailure, ::musaGraphExecUpdate(exec, wrong, &info));
    EXPECT_EQ(info.result, musaGraphExecUpdateErrorTopologyChanged);
  }
  EXPECT_MUSA(musaSuccess, runGraph(exec)) << "a failed update changes nothing";
  EXPECT_EQ(value.download()[0], 41);
  musaGetLastError();
  for (musaGraph_t one : {graph, same, longer, apart}) EXPECT_MUSA(musaSuccess, musaGraphDestroy(one));
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
}

TEST_F(GraphUpdateTest, DisabledNodesDoNothing) {
  Buffer<int> value(1);
  value.upload({0});
  musaGraph_t graph = newGraph();
  KernelNode add(kernels.addOne, value.get(), 1), more(kernels.addOne, value.get(), 10);
  musaGraphNode_t first = add.addTo(graph), second = more.addTo(graph, {first});
  musaGraphExec_t exec = instantiated(graph);
  unsigned enabled = 9;
  ASSERT_MUSA(musaSuccess, musaGraphNodeSetEnabled(exec, second, 0));
  ASSERT_MUSA(musaSuccess, musaGraphNodeGetEnabled(exec, second, &enabled));
  EXPECT_EQ(enabled, 0u);
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  ASSERT_MUSA(musaSuccess, musaGraphNodeSetEnabled(exec, second, 1));
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(value.download()[0], 12);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

TEST_F(GraphUpdateTest, ChildGraphsAreCopies) {
  Buffer<int> value(1);
  value.upload({0});
  musaGraph_t child = newGraph(), graph = newGraph();
  KernelNode add(kernels.addOne, value.get(), 1), more(kernels.addOne, value.get(), 10);
  musaGraphNode_t inner = add.addTo(child);
  musaGraphNode_t first = add.addTo(graph), node = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphAddChildGraphNode(&node, graph, &first, 1, child));
  ASSERT_MUSA(musaSuccess, musaGraphKernelNodeSetParams(inner, &more.params()));
  musaGraphExec_t exec = instantiated(graph);
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(value.download()[0], 2);
  ASSERT_MUSA(musaSuccess, musaGraphExecChildGraphNodeSetParams(exec, node, child));
  EXPECT_MUSA(musaSuccess, runGraph(exec));
  EXPECT_EQ(value.download()[0], 13);
  musaGraph_t embedded = nullptr;
  ASSERT_MUSA(musaSuccess, musaGraphChildGraphNodeGetGraph(node, &embedded));
  EXPECT_MUSA(musaErrorInvalidValue, musaGraphDestroy(embedded)) << "it is the node's";
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(child));
}

}  // namespace
}  // namespace musashim::test
