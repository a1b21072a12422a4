// User objects of graphs that executable graphs are updated from, and of graphs that end while a launch runs.
#include <atomic>
#include <chrono>
#include <thread>

#include "../../framework/gate.h"
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.user_objects_update");

static void CUDART_CB count(void* calls) { ++*static_cast<std::atomic<int>*>(calls); }
static void CUDART_CB nothing(void*) {}

// Destructors may be called on a thread of the library, some time later.
static int eventually(std::atomic<int>& calls, int wanted) {
  for (int i = 0; i < 2000 && calls < wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return calls;
}

static int still(std::atomic<int>& calls) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return calls;
}

static void addObject(cudaGraph_t graph, std::atomic<int>& calls) {
  cudaUserObject_t object = nullptr;
  SETUP(cudaUserObjectCreate(&object, &calls, count, 1, cudaUserObjectNoDestructorSync));
  SETUP(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
}

static cudaGraphNode_t addHost(cudaGraph_t graph) {
  cudaHostNodeParams params = {nothing, nullptr};
  cudaGraphNode_t node = nullptr;
  SETUP(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params));
  return node;
}

int main() {
  std::atomic<int> first(0), second(0);
  cudaGraph_t graph = newGraph(), other = newGraph();
  addHost(graph);
  addHost(other);
  addObject(graph, first);
  addObject(other, second);
  cudaGraphExec_t exec = instantiated(graph);
  cudaGraphExecUpdateResultInfo info = {};
  OBSERVE("update", cudaGraphExecUpdate(exec, other, &info));
  OBSERVE("first_before", still(first));
  SETUP(cudaGraphDestroy(graph));
  SETUP(cudaGraphDestroy(other));
  OBSERVE("first", eventually(first, 1));
  OBSERVE("second", still(second));
  OBSERVE("run", runGraph(exec));
  OBSERVE("second_after_run", still(second));
  SETUP(cudaGraphExecDestroy(exec));
  OBSERVE("second_at_the_end", eventually(second, 1));

  // A child graph that is replaced.
  std::atomic<int> inside(0), instead(0);
  cudaGraph_t child = newGraph(), changed = newGraph(), parent = newGraph();
  addHost(child);
  addHost(changed);
  addObject(child, inside);
  addObject(changed, instead);
  cudaGraphNode_t node = nullptr;
  SETUP(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  cudaGraphExec_t withChild = instantiated(parent);
  OBSERVE("set_child", cudaGraphExecChildGraphNodeSetParams(withChild, node, changed));
  SETUP(cudaGraphDestroy(child));
  SETUP(cudaGraphDestroy(changed));
  OBSERVE("inside", still(inside));
  OBSERVE("instead", still(instead));
  SETUP(cudaGraphDestroy(parent));
  OBSERVE("inside_without_parent", eventually(inside, 1));
  OBSERVE("run_child", runGraph(withChild));
  SETUP(cudaGraphExecDestroy(withChild));
  OBSERVE("instead_at_the_end", eventually(instead, 1));

  // Everything is destroyed while a launch waits.
  std::atomic<int> used(0);
  cudaGraph_t late = newGraph();
  addHost(late);
  addObject(late, used);
  cudaGraphExec_t running = instantiated(late);
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Gate gate;
  gate.block(stream);
  OBSERVE("launch", cudaGraphLaunch(running, stream));
  OBSERVE("destroy_running", cudaGraphExecDestroy(running));
  SETUP(cudaGraphDestroy(late));
  OBSERVE("while_it_waits", still(used));
  gate.open();
  OBSERVE("synchronize", cudaStreamSynchronize(stream));
  OBSERVE("when_it_is_over", eventually(used, 1));
}
