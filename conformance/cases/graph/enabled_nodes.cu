// Switching nodes of an executable graph off and on.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.enabled_nodes");

static void CUDART_CB nothing(void*) {}

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  TimesPlus first(value.data(), 0, 1);
  TimesPlus second(value.data(), 10, 2);
  TimesPlus third(value.data(), 10, 3);
  cudaGraphNode_t a = first.addTo(graph);
  cudaGraphNode_t b = second.addTo(graph, {a});
  cudaGraphNode_t c = third.addTo(graph, {b});
  cudaHostNodeParams host = {nothing, nullptr};
  cudaGraphNode_t h = nullptr;
  SETUP(cudaGraphAddHostNode(&h, graph, &c, 1, &host));
  cudaGraphNode_t empty = emptyNode(graph, {h});
  cudaGraphExec_t exec = instantiated(graph);
  unsigned enabled = 7;
  OBSERVE("get", cudaGraphNodeGetEnabled(exec, b, &enabled));
  OBSERVE("enabled", enabled);
  OBSERVE("disable", cudaGraphNodeSetEnabled(exec, b, 0));
  OBSERVE("get_disabled", cudaGraphNodeGetEnabled(exec, b, &enabled));
  OBSERVE("disabled", enabled);
  OBSERVE("run_disabled", runGraph(exec));
  OBSERVE("value_disabled", readBack(value)[0]);
  OBSERVE("set_while_disabled", cudaGraphExecKernelNodeSetParams(exec, b, &third.params()));
  OBSERVE("enable", cudaGraphNodeSetEnabled(exec, b, 5));
  SETUP(cudaGraphNodeGetEnabled(exec, b, &enabled));
  OBSERVE("enabled_again", enabled);
  OBSERVE("run_enabled", runGraph(exec));
  OBSERVE("value_enabled", readBack(value)[0]);
  OBSERVE("disable_host_node", cudaGraphNodeSetEnabled(exec, h, 0));
  OBSERVE("disable_empty_node", cudaGraphNodeSetEnabled(exec, empty, 0));
  OBSERVE("get_of_host_node", cudaGraphNodeGetEnabled(exec, h, &enabled));
  OBSERVE("null_exec", cudaGraphNodeSetEnabled(nullptr, b, 0));
  OBSERVE("null_node", cudaGraphNodeSetEnabled(exec, nullptr, 0));
  OBSERVE("null_result", cudaGraphNodeGetEnabled(exec, b, nullptr));
  cudaGetLastError();
}
