// Updating an executable graph from a graph: what may differ.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.update_whole");

__global__ void otherKernel(int* place) { *place = 77; }

static void observeUpdate(const std::string& name, cudaGraphExec_t exec, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info = {};
  info.result = cudaGraphExecUpdateErrorNotSupported;
  OBSERVE(name, cudaGraphExecUpdate(exec, graph, &info));
  OBSERVE(name + "_result", static_cast<int>(info.result));
  OBSERVE(name + "_error_node", info.errorNode != nullptr);
  cudaGetLastError();
}

int main() {
  DeviceArray<int> value(1);
  DeviceArray<int> second(1);
  TimesPlus a(value.data(), 0, 1);
  TimesPlus b(value.data(), 10, 2);
  cudaGraph_t graph = newGraph();
  b.addTo(graph, {a.addTo(graph)});
  cudaGraphExec_t exec = instantiated(graph);

  TimesPlus c(value.data(), 0, 3);
  TimesPlus d(value.data(), 10, 4);
  cudaGraph_t same = newGraph();
  d.addTo(same, {c.addTo(same)});
  observeUpdate("parameters", exec, same);
  OBSERVE("run_parameters", runGraph(exec));
  OBSERVE("value_parameters", readBack(value)[0]);
  observeUpdate("itself", exec, graph);

  cudaGraph_t more = newGraph();
  TimesPlus e(value.data(), 10, 5);
  e.addTo(more, {d.addTo(more, {c.addTo(more)})});
  observeUpdate("one_more_node", exec, more);
  cudaGraph_t fewer = newGraph();
  c.addTo(fewer);
  observeUpdate("one_node_less", exec, fewer);
  cudaGraph_t apart = newGraph();
  c.addTo(apart);
  d.addTo(apart);
  observeUpdate("no_edge", exec, apart);
  cudaGraph_t kinds = newGraph();
  emptyNode(kinds, {c.addTo(kinds)});
  observeUpdate("other_kind", exec, kinds);
  cudaGraph_t functions = newGraph();
  int* place = value.data();
  void* arguments[] = {&place};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(otherKernel);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t other = nullptr;
  cudaGraphNode_t before = c.addTo(functions);
  SETUP(cudaGraphAddKernelNode(&other, functions, &before, 1, &params));
  observeUpdate("other_function", exec, functions);
  OBSERVE("run_other_function", runGraph(exec));
  OBSERVE("value_other_function", readBack(value)[0]);

  OBSERVE("null_exec", cudaGraphExecUpdate(nullptr, graph, nullptr));
  OBSERVE("null_graph", cudaGraphExecUpdate(exec, nullptr, nullptr));

  // Copies and fills.
  cudaGraph_t copies = newGraph();
  cudaGraphNode_t node = nullptr;
  SETUP(cudaGraphAddMemcpyNode1D(&node, copies, nullptr, 0, value.data(), second.data(), 4,
                                 cudaMemcpyDeviceToDevice));
  cudaGraphExec_t copyExec = instantiated(copies);
  cudaGraph_t reversed = newGraph();
  SETUP(cudaGraphAddMemcpyNode1D(&node, reversed, nullptr, 0, second.data(), value.data(), 2,
                                 cudaMemcpyDeviceToDevice));
  observeUpdate("copy_reversed_and_shorter", copyExec, reversed);
  int host = 0;
  cudaGraph_t toHost = newGraph();
  SETUP(cudaGraphAddMemcpyNode1D(&node, toHost, nullptr, 0, &host, value.data(), 4, cudaMemcpyDeviceToHost));
  observeUpdate("copy_to_host", copyExec, toHost);
  cudaGraph_t fill = newGraph();
  cudaMemsetParams fillParams = {};
  fillParams.dst = value.data();
  fillParams.elementSize = 4;
  fillParams.width = 1;
  fillParams.height = 1;
  SETUP(cudaGraphAddMemsetNode(&node, fill, nullptr, 0, &fillParams));
  cudaGraphExec_t fillExec = instantiated(fill);
  cudaGraph_t filled = newGraph();
  fillParams.value = 9;
  SETUP(cudaGraphAddMemsetNode(&node, filled, nullptr, 0, &fillParams));
  observeUpdate("fill_value", fillExec, filled);
  OBSERVE("run_fill_value", runGraph(fillExec));
  OBSERVE("fill_value_value", readBack(value)[0]);
}
