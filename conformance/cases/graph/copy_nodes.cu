// Copy nodes: one and three dimensions, symbols, changes.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.copy_nodes");

__device__ int variable[4];

int main() {
  std::vector<int> host = {1, 2, 3, 4};
  DeviceArray<int> a(4);
  DeviceArray<int> b(4);
  const size_t bytes = a.bytes();
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t in = nullptr;
  cudaGraphNode_t across = nullptr;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add", cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, a.data(), host.data(), bytes,
                                          cudaMemcpyHostToDevice));
  OBSERVE("add_across", cudaGraphAddMemcpyNode1D(&across, graph, &in, 1, b.data(), a.data(), bytes,
                                                 cudaMemcpyDeviceToDevice));
  OBSERVE("add_nothing",
          cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, b.data(), a.data(), 0, cudaMemcpyDeviceToDevice));
  OBSERVE("add_null_dst", cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, nullptr, a.data(), bytes,
                                                   cudaMemcpyDeviceToDevice));
  OBSERVE("add_null_src", cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, b.data(), nullptr, bytes,
                                                   cudaMemcpyDeviceToDevice));
  OBSERVE("add_wrong_direction", cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, host.data(), a.data(),
                                                          bytes, cudaMemcpyDeviceToDevice));
  OBSERVE("add_unknown_direction", cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, b.data(), a.data(),
                                                            bytes, static_cast<cudaMemcpyKind>(9)));
  OBSERVE("add_too_long", cudaGraphAddMemcpyNode1D(&bad, graph, nullptr, 0, b.data(), a.data(), 1 << 30,
                                                   cudaMemcpyDeviceToDevice));
  cudaMemcpy3DParms box = {};
  OBSERVE("add_null_params", cudaGraphAddMemcpyNode(&bad, graph, nullptr, 0, nullptr));

  cudaGraphExec_t exec = nullptr;
  {
    cudaGraph_t good = newGraph();
    SETUP(cudaGraphAddMemcpyNode1D(&in, good, nullptr, 0, a.data(), host.data(), bytes,
                                   cudaMemcpyHostToDevice));
    SETUP(
        cudaGraphAddMemcpyNode1D(&across, good, &in, 1, b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice));
    OBSERVE("instantiate", cudaGraphInstantiate(&exec, good, 0));
  }
  host[0] = 10;  // pageable memory is read by each launch
  OBSERVE("run", runGraph(exec));
  OBSERVE("values", joined(readBack(b)));
  host[1] = 20;
  OBSERVE("run_again", runGraph(exec));
  OBSERVE("values_again", joined(readBack(b)));

  OBSERVE("get", cudaGraphMemcpyNodeGetParams(across, &box));
  OBSERVE("get_width", box.extent.width);
  OBSERVE("get_height", box.extent.height);
  OBSERVE("get_depth", box.extent.depth);
  OBSERVE("get_kind", static_cast<int>(box.kind));
  OBSERVE("get_dst", box.dstPtr.ptr == b.data());
  OBSERVE("get_null", cudaGraphMemcpyNodeGetParams(across, nullptr));
  std::vector<int> others = {9, 8, 7, 6};
  OBSERVE("exec_set", cudaGraphExecMemcpyNodeSetParams1D(exec, in, a.data(), others.data(), bytes,
                                                         cudaMemcpyHostToDevice));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("values_changed", joined(readBack(b)));
  OBSERVE("exec_set_shorter", cudaGraphExecMemcpyNodeSetParams1D(exec, in, a.data(), host.data(), sizeof(int),
                                                                 cudaMemcpyHostToDevice));
  OBSERVE("run_shorter", runGraph(exec));
  OBSERVE("values_shorter", joined(readBack(b)));
  OBSERVE("exec_set_other_direction", cudaGraphExecMemcpyNodeSetParams1D(exec, across, host.data(), a.data(),
                                                                         bytes, cudaMemcpyDeviceToHost));
  OBSERVE("exec_set_nothing",
          cudaGraphExecMemcpyNodeSetParams1D(exec, across, b.data(), a.data(), 0, cudaMemcpyDeviceToDevice));
  OBSERVE("set", cudaGraphMemcpyNodeSetParams1D(across, a.data(), b.data(), bytes, cudaMemcpyDeviceToDevice));

  cudaGraph_t symbols = newGraph();
  cudaGraphNode_t toSymbol = nullptr;
  cudaGraphNode_t fromSymbol = nullptr;
  OBSERVE("add_to_symbol", cudaGraphAddMemcpyNodeToSymbol(&toSymbol, symbols, nullptr, 0, variable,
                                                          others.data(), bytes, 0, cudaMemcpyHostToDevice));
  OBSERVE("add_from_symbol",
          cudaGraphAddMemcpyNodeFromSymbol(&fromSymbol, symbols, &toSymbol, 1, a.data(), variable,
                                           2 * sizeof(int), sizeof(int), cudaMemcpyDeviceToDevice));
  OBSERVE("add_beyond_symbol",
          cudaGraphAddMemcpyNodeToSymbol(&bad, symbols, nullptr, 0, variable, others.data(), bytes, 4,
                                         cudaMemcpyHostToDevice));
  OBSERVE("add_symbol_direction",
          cudaGraphAddMemcpyNodeToSymbol(&bad, symbols, nullptr, 0, variable, others.data(), bytes, 0,
                                         cudaMemcpyDeviceToHost));
  cudaGraphExec_t symbolExec = instantiated(symbols);
  OBSERVE("run_symbols", runGraph(symbolExec));
  OBSERVE("values_symbols", joined(readBack(a)));
  cudaGetLastError();
}
