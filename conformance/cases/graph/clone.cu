// Clones.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.clone");

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  TimesPlus first(value.data(), 0, 3);
  TimesPlus second(value.data(), 10, 4);
  cudaGraphNode_t a = first.addTo(graph);
  cudaGraphNode_t b = second.addTo(graph, {a});
  cudaGraph_t clone = nullptr;
  OBSERVE("clone", cudaGraphClone(&clone, graph));
  OBSERVE("clone_null", cudaGraphClone(nullptr, graph));
  cudaGraph_t none = nullptr;
  OBSERVE("clone_of_null", cudaGraphClone(&none, nullptr));
  OBSERVE("nodes", nodeCount(clone));
  cudaGraphNode_t twin = nullptr;
  OBSERVE("find", cudaGraphNodeFindInClone(&twin, b, clone));
  OBSERVE("is_another_node", twin != b && twin != nullptr);
  size_t count = 0;
  SETUP(cudaGraphNodeGetDependencies(twin, nullptr, nullptr, &count));
  OBSERVE("dependencies", count);
  cudaGraphNode_t found = nullptr;
  OBSERVE("find_in_original", cudaGraphNodeFindInClone(&found, b, graph));
  cudaGraph_t other = newGraph();
  OBSERVE("find_in_other", cudaGraphNodeFindInClone(&found, b, other));
  OBSERVE("find_null", cudaGraphNodeFindInClone(&found, nullptr, clone));
  OBSERVE("find_null_result", cudaGraphNodeFindInClone(nullptr, b, clone));

  // Independent of each other.
  TimesPlus changed(value.data(), 10, 9);
  OBSERVE("set_in_clone", cudaGraphKernelNodeSetParams(twin, &changed.params()));
  OBSERVE("destroy_original_node", cudaGraphDestroyNode(b));
  OBSERVE("nodes_after", nodeCount(clone));
  OBSERVE("destroy_original", cudaGraphDestroy(graph));
  cudaGraphExec_t exec = instantiated(clone);
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(value)[0]);
  OBSERVE("destroy_clone", cudaGraphDestroy(clone));
  OBSERVE("run_after_destroy", runGraph(exec));
  OBSERVE("value_after_destroy", readBack(value)[0]);
  OBSERVE("destroy_exec", cudaGraphExecDestroy(exec));
  OBSERVE("destroy_exec_null", cudaGraphExecDestroy(nullptr));
}
