// Fill nodes.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.fill_nodes");

int main() {
  DeviceArray<unsigned> values(8);
  cudaGraph_t graph = newGraph();
  cudaMemsetParams params = {};
  params.dst = values.data();
  params.value = 0x01020304;
  params.elementSize = 4;
  params.width = 3;
  params.height = 1;
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add", cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  OBSERVE("add_null", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, nullptr));
  cudaMemsetParams changed = params;
  changed.elementSize = 3;
  OBSERVE("add_element_3", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));
  changed = params;
  changed.width = 0;
  OBSERVE("add_width_0", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));
  changed = params;
  changed.height = 0;
  OBSERVE("add_height_0", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));
  changed = params;
  changed.dst = nullptr;
  OBSERVE("add_null_dst", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));
  changed = params;
  changed.dst = reinterpret_cast<char*>(values.data()) + 1;
  OBSERVE("add_misaligned", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));
  unsigned onHost = 0;
  changed = params;
  changed.dst = &onHost;
  changed.width = 1;
  OBSERVE("add_host_memory", cudaGraphAddMemsetNode(&bad, graph, nullptr, 0, &changed));

  cudaGraph_t good = newGraph();
  SETUP(cudaGraphAddMemsetNode(&node, good, nullptr, 0, &params));
  cudaGraphExec_t exec = instantiated(good);
  OBSERVE("run", runGraph(exec));
  OBSERVE("values", joined(readBack(values)));
  cudaMemsetParams got = {};
  OBSERVE("get", cudaGraphMemsetNodeGetParams(node, &got));
  OBSERVE("get_value", got.value);
  OBSERVE("get_element", got.elementSize);
  OBSERVE("get_width", got.width);
  OBSERVE("get_null", cudaGraphMemsetNodeGetParams(node, nullptr));
  changed = params;
  changed.value = 5;
  changed.width = 2;
  OBSERVE("exec_set", cudaGraphExecMemsetNodeSetParams(exec, node, &changed));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("values_changed", joined(readBack(values)));
  changed.elementSize = 1;
  changed.width = 4;
  changed.value = 0xff;
  OBSERVE("exec_set_other_element", cudaGraphExecMemsetNodeSetParams(exec, node, &changed));
  OBSERVE("run_other_element", runGraph(exec));
  OBSERVE("values_other_element", joined(readBack(values)));
  changed = params;
  changed.pitch = 16;
  changed.width = 2;
  changed.height = 2;
  OBSERVE("exec_set_two_rows", cudaGraphExecMemsetNodeSetParams(exec, node, &changed));
  OBSERVE("set_two_rows", cudaGraphMemsetNodeSetParams(node, &changed));
  cudaGraphExec_t rows = instantiated(good);
  OBSERVE("run_two_rows", runGraph(rows));
  OBSERVE("values_two_rows", joined(readBack(values)));
  cudaGetLastError();
}
