// Executable graphs that change: single nodes, all nodes, nodes switched off.
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
