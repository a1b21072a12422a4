// Memory that a graph allocates and does not free.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.unfreed_memory");

static int* addAllocation(cudaGraph_t graph, cudaGraphNode_t* node) {
  cudaMemAllocNodeParams params = {};
  params.bytesize = 4096;
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  SETUP(cudaGraphAddMemAllocNode(node, graph, nullptr, 0, &params));
  return static_cast<int*>(params.dptr);
}

static unsigned long long used() {
  unsigned long long bytes = 0;
  SETUP(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}

int main() {
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t node = nullptr;
  int* place = addAllocation(graph, &node);
  TimesPlus fill(place, 0, 8);
  fill.addTo(graph, {node});
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("nothing_used_before", used() == 0);
  OBSERVE("run", runGraph(exec, stream));
  OBSERVE("used_after", used() >= 4096);
  int value = 0;
  OBSERVE("copy", cudaMemcpy(&value, place, sizeof(int), cudaMemcpyDeviceToHost));
  OBSERVE("value", value);
  OBSERVE("run_without_free", cudaGraphLaunch(exec, stream));
  cudaGetLastError();
  OBSERVE("free_async", cudaFreeAsync(place, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("nothing_used_after_free", used() == 0);
  OBSERVE("run_after_free", runGraph(exec, stream));
  OBSERVE("free", cudaFree(place));
  OBSERVE("run_after_second_free", runGraph(exec, stream));

  // Freed by another graph.
  cudaGraph_t freeing = newGraph();
  cudaGraphNode_t freed = nullptr;
  OBSERVE("add_free_of_other_graph", cudaGraphAddMemFreeNode(&freed, freeing, nullptr, 0, place));
  cudaGraphExec_t freeingExec = instantiated(freeing);
  OBSERVE("run_free", runGraph(freeingExec, stream));
  OBSERVE("nothing_used_after_graph", used() == 0);

  cudaGraph_t automatic = newGraph();
  cudaGraphNode_t automaticNode = nullptr;
  addAllocation(automatic, &automaticNode);
  cudaGraphExec_t automaticExec = nullptr;
  OBSERVE("instantiate_auto_free",
          cudaGraphInstantiate(&automaticExec, automatic, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  OBSERVE("auto_free_run", runGraph(automaticExec, stream));
  OBSERVE("auto_free_run_again", runGraph(automaticExec, stream));
  OBSERVE("trim", cudaDeviceGraphMemTrim(0));
  OBSERVE("trim_bad_device", cudaDeviceGraphMemTrim(99));
  unsigned long long bytes = 1;
  OBSERVE("set_used_high_1", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  bytes = 0;
  OBSERVE("set_used_high_0", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  OBSERVE("set_used_current", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  OBSERVE("get_unknown",
          cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(77), &bytes));
  OBSERVE("get_bad_device", cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemHigh, &bytes));
  cudaGetLastError();
}
