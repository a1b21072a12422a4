// Graphs whose layers are wider than there are queues.
#include <atomic>
#include <deque>
#include <map>
#include <random>

#include "graph_support.h"

namespace musashim::test {
namespace {

// Host nodes that count the dependencies that were not over when they ran, in layers: each node of a layer
// depends on all (or on an arbitrary part) of the layer before, here or in a child graph. Wide layers share
// queues and meet in joins.
class LayeredGraph {
 public:
  explicit LayeredGraph(musaGraph_t graph) : graph_(graph) {}

  std::vector<musaGraphNode_t> addLayer(const std::vector<musaGraphNode_t>& before, int width,
                                        uint32_t seed = 0) {
    std::minstd_rand random(seed);
    std::vector<musaGraphNode_t> layer;
    for (int i = 0; i < width; ++i) {
      Node& node = nodes_.emplace_back();
      node.graph = this;
      std::vector<musaGraphNode_t> after;
      for (musaGraphNode_t candidate : before) {
        if (seed == 0 || random() % 3 == 0) after.push_back(candidate);
      }
      for (musaGraphNode_t dependency : after) node.dependencies.push_back(byHandle_.at(dependency));
      musaHostNodeParams params = {run, &node};
      EXPECT_MUSA(musaSuccess,
                  musaGraphAddHostNode(&layer.emplace_back(), graph_, after.data(), after.size(), &params));
      byHandle_[layer.back()] = &node;
    }
    return layer;
  }

  // Launches, waits, and looks at how often each node ran.
  void launchTwice(musaGraphExec_t exec, musaStream_t stream) {
    for (int round = 1; round <= 2; ++round) {
      ASSERT_MUSA(musaSuccess, runGraph(exec, stream));
      EXPECT_EQ(early_, 0);
      for (const Node& node : nodes_) ASSERT_EQ(node.runs, round);
    }
  }

 private:
  struct Node {
    LayeredGraph* graph = nullptr;
    std::vector<const Node*> dependencies;
    std::atomic<int> runs = 0;
  };
  static void run(void* data) {
    Node& node = *static_cast<Node*>(data);
    for (const Node* dependency : node.dependencies) node.graph->early_ += dependency->runs != node.runs + 1;
    ++node.runs;
  }

  musaGraph_t graph_;
  std::deque<Node> nodes_;
  std::map<musaGraphNode_t, const Node*> byHandle_;
  std::atomic<int> early_ = 0;
};

class WideGraphTest : public RuntimeTest {};

TEST_F(WideGraphTest, WideLayersRunOneAfterAnother) {
  for (uint32_t seed : {0, 7}) {
    musaGraph_t graph = newGraph();
    LayeredGraph layers(graph);
    std::vector<musaGraphNode_t> layer;
    for (int width : {60, 9, 1, 40, 8, 7, 100, 33}) layer = layers.addLayer(layer, width, seed);
    musaGraphExec_t exec = instantiated(graph);
    layers.launchTwice(exec, nullptr);
    EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
    EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
  }
}

// The roots of a child graph wait for all that the child depends on.
TEST_F(WideGraphTest, WideChildrenFollowWideLayers) {
  static std::atomic<int> before, early, inside;
  before = early = inside = 0;
  musaHostNodeParams first = {[](void*) { ++before; }, nullptr};
  musaHostNodeParams child = {[](void*) { early += before != 20, ++inside; }, nullptr};
  musaHostNodeParams last = {[](void*) { early += inside != 12; }, nullptr};
  musaGraph_t graph = newGraph(), within = newGraph();
  std::vector<musaGraphNode_t> layer(20);
  for (musaGraphNode_t& node : layer)
    ASSERT_MUSA(musaSuccess, musaGraphAddHostNode(&node, graph, nullptr, 0, &first));
  musaGraphNode_t node = nullptr;
  for (int i = 0; i < 12; ++i)
    ASSERT_MUSA(musaSuccess, musaGraphAddHostNode(&node, within, nullptr, 0, &child));
  ASSERT_MUSA(musaSuccess, musaGraphAddChildGraphNode(&node, graph, layer.data(), layer.size(), within));
  for (int i = 0; i < 10; ++i) {
    musaGraphNode_t end = nullptr;
    ASSERT_MUSA(musaSuccess, musaGraphAddHostNode(&end, graph, &node, 1, &last));
  }
  musaGraphExec_t exec = instantiated(graph);
  ASSERT_MUSA(musaSuccess, runGraph(exec, nullptr));
  EXPECT_EQ(early, 0);
  EXPECT_EQ(inside, 12);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(within));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

}  // namespace
}  // namespace musashim::test
