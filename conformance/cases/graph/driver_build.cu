// links: driver
// Graphs through the driver: nodes of every kind, edges, clones, launches.
#include <vector>

#include "../../framework/graphs.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("graph.driver_build");

namespace {

void add(void* sum) { *static_cast<int*>(sum) += 5; }

CUDA_KERNEL_NODE_PARAMS kernelNode(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  return params;
}

int typeOf(CUgraphNode node) {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  SETUP(cuGraphNodeGetType(node, &type));
  return static_cast<int>(type);
}

}  // namespace

int main() {
  useFirstDevice();
  CUcontext context = nullptr;
  SETUP(cuCtxGetCurrent(&context));
  DeviceArray<int> numbers(4);
  int* place = numbers.data();
  int factor = 3, value = 4, sum = 0, back = 0;
  void* arguments[] = {&place, &factor, &value};

  CUgraph graph = nullptr, child = nullptr;
  OBSERVE("create_flags", cuGraphCreate(&graph, 1));
  OBSERVE("create_null", cuGraphCreate(nullptr, 0));
  OBSERVE("create", cuGraphCreate(&graph, 0));
  SETUP(cuGraphCreate(&child, 0));

  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = reinterpret_cast<CUdeviceptr>(place);
  fill.value = 2;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  CUgraphNode filled = nullptr, launched = nullptr, called = nullptr, copied = nullptr, empty = nullptr,
              nested = nullptr, recorded = nullptr, waited = nullptr;
  OBSERVE("add_memset", cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context));
  CUDA_KERNEL_NODE_PARAMS kernel = kernelNode(driverFunction(timesPlus), arguments);
  OBSERVE("add_kernel", cuGraphAddKernelNode(&launched, graph, &filled, 1, &kernel));
  CUDA_HOST_NODE_PARAMS host = {};
  host.fn = add;
  host.userData = &sum;
  OBSERVE("add_host", cuGraphAddHostNode(&called, graph, &launched, 1, &host));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(place);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = &back;
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  OBSERVE("add_copy", cuGraphAddMemcpyNode(&copied, graph, &launched, 1, &copy, context));
  OBSERVE("add_empty", cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CUgraphNode inner = nullptr;
  SETUP(cuGraphAddHostNode(&inner, child, nullptr, 0, &host));
  OBSERVE("add_child", cuGraphAddChildGraphNode(&nested, graph, &empty, 1, child));
  CUevent event = nullptr;
  SETUP(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OBSERVE("add_record", cuGraphAddEventRecordNode(&recorded, graph, nullptr, 0, event));
  OBSERVE("add_wait", cuGraphAddEventWaitNode(&waited, graph, &recorded, 1, event));
  OBSERVE("types", joined(std::vector<int>{typeOf(filled), typeOf(launched), typeOf(called), typeOf(copied),
                                           typeOf(empty), typeOf(nested), typeOf(recorded), typeOf(waited)}));

  // What it looks like.
  size_t count = 0;
  OBSERVE("nodes", cuGraphGetNodes(graph, nullptr, &count));
  OBSERVE("nodes_count", count);
  std::vector<CUgraphNode> nodes(12, nullptr);
  count = nodes.size();
  OBSERVE("nodes_all", cuGraphGetNodes(graph, nodes.data(), &count));
  OBSERVE("nodes_all_count", count);
  OBSERVE("nodes_rest_null", nodes[8] == nullptr && nodes[11] == nullptr);
  count = 3;
  OBSERVE("nodes_some", cuGraphGetNodes(graph, nodes.data(), &count));
  OBSERVE("nodes_some_count", count);
  OBSERVE("nodes_no_count", cuGraphGetNodes(graph, nullptr, nullptr));
  OBSERVE("roots", cuGraphGetRootNodes(graph, nullptr, &count));
  OBSERVE("roots_count", count);
  OBSERVE("edges", cuGraphGetEdges_v2(graph, nullptr, nullptr, nullptr, &count));
  OBSERVE("edges_count", count);
  OBSERVE("dependencies", cuGraphNodeGetDependencies_v2(copied, nullptr, nullptr, &count));
  OBSERVE("dependencies_count", count);
  OBSERVE("dependents", cuGraphNodeGetDependentNodes_v2(launched, nullptr, nullptr, &count));
  OBSERVE("dependents_count", count);
  OBSERVE("add_edge", cuGraphAddDependencies_v2(graph, &copied, &called, nullptr, 1));
  OBSERVE("add_edge_again", cuGraphAddDependencies_v2(graph, &copied, &called, nullptr, 1));
  OBSERVE("add_edge_to_itself", cuGraphAddDependencies_v2(graph, &copied, &copied, nullptr, 1));
  OBSERVE("add_edge_null", cuGraphAddDependencies_v2(graph, nullptr, &called, nullptr, 1));
  OBSERVE("add_no_edges", cuGraphAddDependencies_v2(graph, nullptr, nullptr, nullptr, 0));
  OBSERVE("add_edge_of_child", cuGraphAddDependencies_v2(graph, &inner, &called, nullptr, 1));
  OBSERVE("remove_edge", cuGraphRemoveDependencies_v2(graph, &copied, &called, nullptr, 1));
  OBSERVE("remove_edge_again", cuGraphRemoveDependencies_v2(graph, &copied, &called, nullptr, 1));
  CUgraph found = nullptr;
  OBSERVE("child_graph", cuGraphChildGraphNodeGetGraph(nested, &found));
  OBSERVE("child_is_a_copy", found != child);
  OBSERVE("child_of_kernel", cuGraphChildGraphNodeGetGraph(launched, &found));
  CUevent seen = nullptr;
  OBSERVE("event_of_record", cuGraphEventRecordNodeGetEvent(recorded, &seen));
  OBSERVE("event_is_same", seen == event);
  OBSERVE("event_of_wait", cuGraphEventWaitNodeGetEvent(waited, &seen));
  OBSERVE("event_of_wrong_kind", cuGraphEventWaitNodeGetEvent(recorded, &seen));

  // Clones.
  CUgraph clone = nullptr;
  OBSERVE("clone", cuGraphClone(&clone, graph));
  CUgraphNode twin = nullptr;
  OBSERVE("find_in_clone", cuGraphNodeFindInClone(&twin, launched, clone));
  OBSERVE("twin_is_another", twin != launched);
  OBSERVE("find_in_itself", cuGraphNodeFindInClone(&twin, launched, graph));
  OBSERVE("find_inner", cuGraphNodeFindInClone(&twin, inner, clone));
  OBSERVE("clone_null", cuGraphClone(nullptr, graph));
  OBSERVE("clone_of_null", cuGraphClone(&clone, nullptr));

  // A launch.
  CUgraphExec exec = nullptr;
  OBSERVE("instantiate", cuGraphInstantiateWithFlags(&exec, graph, 0));
  OBSERVE("upload", cuGraphUpload(exec, nullptr));
  OBSERVE("launch", cuGraphLaunch(exec, nullptr));
  SETUP(cuCtxSynchronize());
  OBSERVE("copied_back", back);
  OBSERVE("host_sum", sum);
  OBSERVE("values", joined(readBack(numbers)));
  OBSERVE("event_recorded", cuEventQuery(event));

  OBSERVE("destroy_node", cuGraphDestroyNode(copied));
  OBSERVE("destroy_node_null", cuGraphDestroyNode(nullptr));
  OBSERVE("destroy_graph", cuGraphDestroy(graph));
  OBSERVE("launch_after_destroy", cuGraphLaunch(exec, nullptr));
  SETUP(cuCtxSynchronize());
  OBSERVE("host_sum_after", sum);
  OBSERVE("destroy_exec", cuGraphExecDestroy(exec));
  OBSERVE("destroy_graph_null", cuGraphDestroy(nullptr));
  OBSERVE("destroy_exec_null", cuGraphExecDestroy(nullptr));
  OBSERVE("dot_null_graph", cuGraphDebugDotPrint(nullptr, "/dev/null", 0));
  OBSERVE("dot_null_path", cuGraphDebugDotPrint(child, nullptr, 0));
  OBSERVE("dot", cuGraphDebugDotPrint(child, "/dev/null", CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  OBSERVE("dot_no_folder", cuGraphDebugDotPrint(child, "/no/such/folder/graph.dot", 0));
}
