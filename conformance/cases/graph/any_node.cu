// Nodes of all kinds by the general call.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.any_node");

static void CUDART_CB addOne(void* data) { ++*static_cast<int*>(data); }

int main() {
  DeviceArray<int> value(1);
  DeviceArray<int> copy(1);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t last = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams params = {};

  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = value.data();
  params.memset.value = 7;
  params.memset.elementSize = 4;
  params.memset.width = 1;
  params.memset.height = 1;
  OBSERVE("fill", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  cudaGraphNode_t fill = node;

  params = {};
  params.type = cudaGraphNodeTypeKernel;
  TimesPlus work(value.data(), 10, 2);
  params.kernel.func = work.params().func;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = work.params().kernelParams;
  last = node;
  OBSERVE("kernel", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));
  cudaGraphNode_t kernel = node;
  cudaGraphNodeParams kernelParams = params;

  params = {};
  params.type = cudaGraphNodeTypeMemcpy;
  params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(value.data(), sizeof(int), sizeof(int), 1);
  params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(copy.data(), sizeof(int), sizeof(int), 1);
  params.memcpy.copyParams.extent = make_cudaExtent(sizeof(int), 1, 1);
  params.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
  last = node;
  OBSERVE("copy", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));

  int calls = 0;
  params = {};
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = addOne;
  params.host.userData = &calls;
  last = node;
  OBSERVE("host", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));

  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  last = node;
  OBSERVE("empty", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));

  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  params = {};
  params.type = cudaGraphNodeTypeEventRecord;
  params.eventRecord.event = event;
  last = node;
  OBSERVE("record", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));

  cudaGraph_t child = newGraph();
  TimesPlus inner(copy.data(), 10, 5);
  inner.addTo(child);
  params = {};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  last = node;
  OBSERVE("child", cudaGraphAddNode(&node, graph, &last, nullptr, 1, &params));

  params = {};
  params.type = static_cast<cudaGraphNodeType>(99);
  OBSERVE("unknown", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  OBSERVE("nodes", nodeCount(graph));
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(value)[0]);
  OBSERVE("copied", readBack(copy)[0]);
  OBSERVE("calls", calls);

  TimesPlus changed(value.data(), 100, 3);
  kernelParams.kernel.kernelParams = changed.params().kernelParams;
  OBSERVE("exec_set", cudaGraphExecNodeSetParams(exec, kernel, &kernelParams));
  OBSERVE("exec_set_other_kind", cudaGraphExecNodeSetParams(exec, fill, &kernelParams));
  OBSERVE("set", cudaGraphNodeSetParams(kernel, &kernelParams));
  OBSERVE("set_other_kind", cudaGraphNodeSetParams(fill, &kernelParams));
  OBSERVE("run_changed", runGraph(exec));
  OBSERVE("value_changed", readBack(value)[0]);
  cudaGetLastError();
}
