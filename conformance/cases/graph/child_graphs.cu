// Child graphs: copied when added, run in order, changed.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.child_graphs");

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t child = newGraph();
  TimesPlus inner(value.data(), 10, 1);
  TimesPlus innerSecond(value.data(), 10, 2);
  cudaGraphNode_t innerNode = inner.addTo(child);
  innerSecond.addTo(child, {innerNode});
  cudaGraph_t graph = newGraph();
  TimesPlus before(value.data(), 0, 5);
  TimesPlus behind(value.data(), 10, 9);
  cudaGraphNode_t first = before.addTo(graph);
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add", cudaGraphAddChildGraphNode(&node, graph, &first, 1, child));
  behind.addTo(graph, {node});
  OBSERVE("add_null", cudaGraphAddChildGraphNode(&bad, graph, nullptr, 0, nullptr));
  cudaGraph_t embedded = nullptr;
  OBSERVE("get", cudaGraphChildGraphNodeGetGraph(node, &embedded));
  OBSERVE("is_a_copy", embedded != child);
  OBSERVE("copied_nodes", nodeCount(embedded));
  OBSERVE("get_null", cudaGraphChildGraphNodeGetGraph(node, nullptr));
  OBSERVE("get_of_kernel_node", cudaGraphChildGraphNodeGetGraph(first, &embedded));
  // Later changes of the original do not reach the copy.
  TimesPlus extra(value.data(), 0, 0);
  extra.addTo(child);
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(value)[0]);

  cudaGraph_t other = newGraph();
  TimesPlus changed(value.data(), 10, 3);
  TimesPlus changedSecond(value.data(), 10, 4);
  cudaGraphNode_t otherNode = changed.addTo(other);
  changedSecond.addTo(other, {otherNode});
  OBSERVE("exec_set", cudaGraphExecChildGraphNodeSetParams(exec, node, other));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("value_changed", readBack(value)[0]);
  OBSERVE("exec_set_other_shape", cudaGraphExecChildGraphNodeSetParams(exec, node, child));
  cudaGraph_t empty = newGraph();
  cudaGraphNode_t emptyChild = nullptr;
  OBSERVE("add_empty_graph", cudaGraphAddChildGraphNode(&emptyChild, graph, nullptr, 0, empty));
  cudaGraphExec_t second = nullptr;
  OBSERVE("instantiate_empty_child", cudaGraphInstantiate(&second, graph, 0));
  OBSERVE("run_empty_child", runGraph(second));
}
