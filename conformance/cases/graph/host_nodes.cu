// Host nodes: order, changes, what they may not do.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.host_nodes");

struct Seen {
  int* value;
  int copied;
  int calls;
  cudaError_t inside;
};

static void CUDART_CB look(void* data) {
  Seen* seen = static_cast<Seen*>(data);
  seen->copied = *seen->value;
  ++seen->calls;
}

static void CUDART_CB callApi(void* data) {
  Seen* seen = static_cast<Seen*>(data);
  void* pointer = nullptr;
  seen->inside = cudaMalloc(&pointer, 16);
  ++seen->calls;
}

int main() {
  int* value = nullptr;
  SETUP(cudaHostAlloc(reinterpret_cast<void**>(&value), sizeof(int), cudaHostAllocMapped));
  *value = 4;
  Seen seen = {value, 0, 0, cudaSuccess};
  Seen later = {value, 0, 0, cudaSuccess};
  cudaGraph_t graph = newGraph();
  TimesPlus work(value, 10, 2);
  cudaGraphNode_t kernel = work.addTo(graph);
  cudaHostNodeParams params = {};
  params.fn = look;
  params.userData = &seen;
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add", cudaGraphAddHostNode(&node, graph, &kernel, 1, &params));
  OBSERVE("add_null", cudaGraphAddHostNode(&bad, graph, nullptr, 0, nullptr));
  cudaHostNodeParams none = {};
  OBSERVE("add_null_function", cudaGraphAddHostNode(&bad, graph, nullptr, 0, &none));
  TimesPlus after(value, 1, 100);
  after.addTo(graph, {node});
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec));
  OBSERVE("seen", seen.copied);
  OBSERVE("value", *value);
  cudaHostNodeParams got = {};
  OBSERVE("get", cudaGraphHostNodeGetParams(node, &got));
  OBSERVE("get_function", got.fn == look);
  OBSERVE("get_data", got.userData == &seen);
  OBSERVE("get_null", cudaGraphHostNodeGetParams(node, nullptr));
  params.userData = &later;
  OBSERVE("exec_set", cudaGraphExecHostNodeSetParams(exec, node, &params));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("calls_before", seen.calls);
  OBSERVE("calls_after", later.calls);
  params.fn = callApi;
  OBSERVE("set", cudaGraphHostNodeSetParams(node, &params));
  cudaGraphExec_t second = instantiated(graph);
  OBSERVE("run_calls_api", runGraph(second));
  OBSERVE("call_from_inside", later.inside);
}
