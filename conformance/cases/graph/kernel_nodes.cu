// Kernel nodes: what is checked when, and what can be changed.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.kernel_nodes");

__global__ void noParameters() {}

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  TimesPlus first(value.data(), 10, 3);
  cudaGraphNode_t node = nullptr;
  OBSERVE("add", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &first.params()));
  cudaGraphNode_t bad = nullptr;
  cudaKernelNodeParams params = first.params();
  params.func = nullptr;
  OBSERVE("add_null_function", cudaGraphAddKernelNode(&bad, graph, nullptr, 0, &params));
  params = first.params();
  params.gridDim = dim3(0);
  OBSERVE("add_empty_grid", cudaGraphAddKernelNode(&bad, graph, nullptr, 0, &params));
  params = first.params();
  params.blockDim = dim3(1025);
  OBSERVE("add_block_1025", cudaGraphAddKernelNode(&bad, graph, nullptr, 0, &params));
  params = first.params();
  params.sharedMemBytes = 1 << 30;
  OBSERVE("add_too_much_shared", cudaGraphAddKernelNode(&bad, graph, nullptr, 0, &params));
  OBSERVE("nodes", nodeCount(graph));
  params = {};
  params.func = reinterpret_cast<void*>(noParameters);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  OBSERVE("add_without_parameters", cudaGraphAddKernelNode(&bad, graph, &node, 1, &params));

  cudaKernelNodeParams got = {};
  OBSERVE("get", cudaGraphKernelNodeGetParams(node, &got));
  OBSERVE("get_function", got.func == reinterpret_cast<void*>(timesPlus));
  OBSERVE("get_block", got.blockDim.x * got.blockDim.y * got.blockDim.z);
  OBSERVE("get_factor", *static_cast<int*>(got.kernelParams[1]));
  OBSERVE("get_null_node", cudaGraphKernelNodeGetParams(nullptr, &got));
  cudaGraphNode_t empty = emptyNode(graph);
  OBSERVE("get_of_empty_node", cudaGraphKernelNodeGetParams(empty, &got));

  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(value)[0]);
  OBSERVE("run_again", runGraph(exec));
  OBSERVE("value_again", readBack(value)[0]);

  TimesPlus second(value.data(), 0, 7);
  OBSERVE("set", cudaGraphKernelNodeSetParams(node, &second.params()));
  OBSERVE("run_unchanged", runGraph(exec));
  OBSERVE("value_unchanged", readBack(value)[0]);
  OBSERVE("exec_set", cudaGraphExecKernelNodeSetParams(exec, node, &second.params()));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("value_changed", readBack(value)[0]);
  OBSERVE("exec_set_null_exec", cudaGraphExecKernelNodeSetParams(nullptr, node, &second.params()));
  OBSERVE("exec_set_empty_node", cudaGraphExecKernelNodeSetParams(exec, empty, &second.params()));
  cudaGraph_t other = newGraph();
  cudaGraphNode_t foreign = second.addTo(other);
  OBSERVE("exec_set_foreign_node", cudaGraphExecKernelNodeSetParams(exec, foreign, &second.params()));
  params.func = reinterpret_cast<void*>(noParameters);
  OBSERVE("exec_set_other_function", cudaGraphExecKernelNodeSetParams(exec, node, &params));
  OBSERVE("run_other_function", runGraph(exec));
  OBSERVE("value_other_function", readBack(value)[0]);
  cudaGetLastError();
}
