// Allocation and free nodes: what is checked, and when memory is there.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.memory_nodes");

static cudaMemAllocNodeParams allocation(size_t bytes) {
  cudaMemAllocNodeParams params = {};
  params.bytesize = bytes;
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.id = 0;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  return params;
}

int main() {
  DeviceArray<int> result(1);
  cudaGraph_t graph = newGraph();
  cudaMemAllocNodeParams params = allocation(sizeof(int));
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t bad = nullptr;
  OBSERVE("add", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  OBSERVE("has_address", params.dptr != nullptr);
  int* place = static_cast<int*>(params.dptr);
  OBSERVE("add_null", cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, nullptr));
  cudaMemAllocNodeParams wrong = allocation(0);
  OBSERVE("add_0_bytes", cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &wrong));
  wrong = allocation(16);
  wrong.poolProps.allocType = cudaMemAllocationTypeInvalid;
  OBSERVE("add_invalid_type", cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &wrong));
  wrong = allocation(16);
  wrong.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  OBSERVE("add_shareable", cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &wrong));
  wrong = allocation(16);
  wrong.poolProps.location.id = 77;
  OBSERVE("add_no_such_device", cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &wrong));

  TimesPlus fill(place, 0, 6);
  cudaGraphNode_t filled = fill.addTo(graph, {node});
  cudaGraphNode_t copied = nullptr;
  OBSERVE("copy_from_it", cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, result.data(), place,
                                                   sizeof(int), cudaMemcpyDeviceToDevice));
  cudaGraphNode_t freed = nullptr;
  OBSERVE("free", cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, place));
  OBSERVE("free_twice", cudaGraphAddMemFreeNode(&bad, graph, &copied, 1, place));
  OBSERVE("free_null", cudaGraphAddMemFreeNode(&bad, graph, nullptr, 0, nullptr));
  OBSERVE("free_ordinary_memory", cudaGraphAddMemFreeNode(&bad, graph, nullptr, 0, result.data()));
  cudaMemAllocNodeParams got = {};
  OBSERVE("get", cudaGraphMemAllocNodeGetParams(node, &got));
  OBSERVE("get_bytes", got.bytesize);
  OBSERVE("get_address", got.dptr == place);
  void* freedAddress = nullptr;
  OBSERVE("get_free", cudaGraphMemFreeNodeGetParams(freed, &freedAddress));
  OBSERVE("get_free_address", freedAddress == place);
  cudaGraph_t clone = nullptr;
  OBSERVE("clone", cudaGraphClone(&clone, graph));
  cudaGraph_t parent = newGraph();
  OBSERVE("as_child", cudaGraphAddChildGraphNode(&bad, parent, nullptr, 0, graph));
  OBSERVE("destroy_node", cudaGraphDestroyNode(freed));
  OBSERVE("remove_edge", cudaGraphRemoveDependencies(graph, &copied, &freed, nullptr, 1));

  cudaGraphExec_t exec = nullptr;
  OBSERVE("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  cudaGraphExec_t second = nullptr;
  OBSERVE("instantiate_twice", cudaGraphInstantiate(&second, graph, 0));
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(result)[0]);
  OBSERVE("run_again", runGraph(exec));
  cudaGetLastError();
}
