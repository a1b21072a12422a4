// Copy nodes of three dimensions.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.box_copies");

int main() {
  std::vector<unsigned char> host(4 * 4 * 4);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i);
  cudaPitchedPtr device = {};
  SETUP(cudaMalloc3D(&device, make_cudaExtent(4, 4, 4)));
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(host.data(), 4, 4, 4);
  in.dstPtr = device;
  in.extent = make_cudaExtent(4, 4, 4);
  in.kind = cudaMemcpyHostToDevice;
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t first = nullptr;
  OBSERVE("add_in", cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, &in));
  std::vector<unsigned char> result(2 * 2 * 2);
  cudaMemcpy3DParms out = {};
  out.srcPtr = device;
  out.srcPos = make_cudaPos(1, 2, 1);
  out.dstPtr = make_cudaPitchedPtr(result.data(), 2, 2, 2);
  out.extent = make_cudaExtent(2, 2, 2);
  out.kind = cudaMemcpyDeviceToHost;
  cudaGraphNode_t second = nullptr;
  OBSERVE("add_out", cudaGraphAddMemcpyNode(&second, graph, &first, 1, &out));
  cudaGraphExec_t exec = nullptr;
  OBSERVE("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  OBSERVE("run", runGraph(exec));
  std::vector<int> values(result.begin(), result.end());
  OBSERVE("values", joined(values));
  cudaMemcpy3DParms got = {};
  OBSERVE("get", cudaGraphMemcpyNodeGetParams(second, &got));
  OBSERVE("get_position", got.srcPos.x * 100 + got.srcPos.y * 10 + got.srcPos.z);
  out.srcPos = make_cudaPos(0, 0, 0);
  OBSERVE("exec_set", cudaGraphExecMemcpyNodeSetParams(exec, second, &out));
  OBSERVE("run_changed", runGraph(exec));
  values.assign(result.begin(), result.end());
  OBSERVE("values_changed", joined(values));
  OBSERVE("set", cudaGraphMemcpyNodeSetParams(second, &out));
  OBSERVE("set_null", cudaGraphMemcpyNodeSetParams(second, nullptr));
  out.extent.width = 0;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add_no_width", cudaGraphAddMemcpyNode(&bad, graph, nullptr, 0, &out));
  out.extent = make_cudaExtent(3, 2, 2);
  OBSERVE("add_wider_than_pitch", cudaGraphAddMemcpyNode(&bad, graph, nullptr, 0, &out));
}
