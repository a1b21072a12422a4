// links: driver
// Parameters of nodes through the driver: read, set before and after instantiation, and what cannot change.
#include "../../framework/graphs.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("graph.driver_params");

namespace {

void add(void* sum) { *static_cast<int*>(sum) += 5; }
void addMore(void* sum) { *static_cast<int*>(sum) += 100; }

}  // namespace

int main() {
  useFirstDevice();
  CUcontext context = nullptr;
  SETUP(cuCtxGetCurrent(&context));
  DeviceArray<int> numbers(4), others(4);
  int* place = numbers.data();
  int factor = 3, value = 4, sum = 0;
  void* arguments[] = {&place, &factor, &value};
  CUgraph graph = nullptr;
  SETUP(cuGraphCreate(&graph, 0));

  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = reinterpret_cast<CUdeviceptr>(place);
  fill.value = 2;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  CUgraphNode filled = nullptr, launched = nullptr, called = nullptr;
  SETUP(cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context));
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = driverFunction(timesPlus);
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  SETUP(cuGraphAddKernelNode(&launched, graph, &filled, 1, &kernel));
  CUDA_HOST_NODE_PARAMS host = {add, &sum};
  SETUP(cuGraphAddHostNode(&called, graph, &launched, 1, &host));

  // Reading.
  CUDA_KERNEL_NODE_PARAMS readKernel = {};
  OBSERVE("get_kernel", cuGraphKernelNodeGetParams(launched, &readKernel));
  OBSERVE("get_kernel_same", readKernel.func == kernel.func && readKernel.blockDimX == 1);
  OBSERVE("get_kernel_value", *static_cast<int*>(readKernel.kernelParams[2]));
  OBSERVE("get_kernel_of_memset", cuGraphKernelNodeGetParams(filled, &readKernel));
  OBSERVE("get_kernel_null", cuGraphKernelNodeGetParams(launched, nullptr));
  OBSERVE("get_kernel_no_node", cuGraphKernelNodeGetParams(nullptr, &readKernel));
  CUDA_MEMSET_NODE_PARAMS readFill = {};
  OBSERVE("get_memset", cuGraphMemsetNodeGetParams(filled, &readFill));
  OBSERVE("get_memset_value", readFill.value);
  OBSERVE("get_memset_width", readFill.width);
  OBSERVE("get_memset_null", cuGraphMemsetNodeGetParams(filled, nullptr));
  CUDA_HOST_NODE_PARAMS readHost = {};
  OBSERVE("get_host", cuGraphHostNodeGetParams(called, &readHost));
  OBSERVE("get_host_same", readHost.userData == &sum);
  OBSERVE("get_host_of_kernel", cuGraphHostNodeGetParams(launched, &readHost));

  // Setting.
  kernel.gridDimX = 0;
  OBSERVE("set_kernel_no_blocks", cuGraphKernelNodeSetParams(launched, &kernel));
  kernel.gridDimX = 1;
  kernel.blockDimX = 2000;
  OBSERVE("set_kernel_large_block", cuGraphKernelNodeSetParams(launched, &kernel));
  kernel.blockDimX = 1;
  value = 10;
  OBSERVE("set_kernel", cuGraphKernelNodeSetParams(launched, &kernel));
  OBSERVE("set_kernel_null", cuGraphKernelNodeSetParams(launched, nullptr));
  fill.value = 1;
  OBSERVE("set_memset", cuGraphMemsetNodeSetParams(filled, &fill));
  fill.elementSize = 3;
  OBSERVE("set_memset_element_3", cuGraphMemsetNodeSetParams(filled, &fill));
  fill.elementSize = 4;
  fill.height = 2;
  fill.pitch = 4;
  OBSERVE("set_memset_small_pitch", cuGraphMemsetNodeSetParams(filled, &fill));
  fill.height = 1;
  host.fn = nullptr;
  OBSERVE("set_host_null_function", cuGraphHostNodeSetParams(called, &host));
  host.fn = add;
  OBSERVE("set_host", cuGraphHostNodeSetParams(called, &host));

  CUlaunchAttributeValue attribute = {};
  OBSERVE("get_priority", cuGraphKernelNodeGetAttribute(launched, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
  OBSERVE("priority", attribute.priority);
  attribute.priority = -1;
  OBSERVE("set_priority", cuGraphKernelNodeSetAttribute(launched, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
  OBSERVE("get_attribute_unknown",
          cuGraphKernelNodeGetAttribute(launched, static_cast<CUlaunchAttributeID>(99), &attribute));
  OBSERVE("set_attribute_of_memset",
          cuGraphKernelNodeSetAttribute(filled, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
  OBSERVE("copy_attributes_to_itself", cuGraphKernelNodeCopyAttributes(launched, launched));
  OBSERVE("copy_attributes_of_memset", cuGraphKernelNodeCopyAttributes(launched, filled));

  // An executable graph.
  CUgraphExec exec = nullptr;
  OBSERVE("instantiate_flags", cuGraphInstantiateWithFlags(&exec, graph, 1ull << 40));
  OBSERVE("instantiate_null", cuGraphInstantiateWithFlags(nullptr, graph, 0));
  OBSERVE("instantiate_no_graph", cuGraphInstantiateWithFlags(&exec, nullptr, 0));
  OBSERVE("instantiate",
          cuGraphInstantiateWithFlags(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY));
  cuuint64_t flags = 77;
  OBSERVE("exec_flags", cuGraphExecGetFlags(exec, &flags));
  OBSERVE("exec_flags_value", static_cast<unsigned long long>(flags));
  OBSERVE("exec_flags_null", cuGraphExecGetFlags(exec, nullptr));
  value = 20;
  OBSERVE("exec_set_kernel", cuGraphExecKernelNodeSetParams(exec, launched, &kernel));
  OBSERVE("exec_set_kernel_of_memset", cuGraphExecKernelNodeSetParams(exec, filled, &kernel));
  OBSERVE("exec_set_kernel_null", cuGraphExecKernelNodeSetParams(exec, launched, nullptr));
  fill.value = 7;
  OBSERVE("exec_set_memset", cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
  fill.dst = reinterpret_cast<CUdeviceptr>(others.data());
  OBSERVE("exec_set_memset_other_target", cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
  fill.dst = reinterpret_cast<CUdeviceptr>(place);
  SETUP(cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
  host.fn = addMore;
  OBSERVE("exec_set_host", cuGraphExecHostNodeSetParams(exec, called, &host));
  SETUP(cuGraphLaunch(exec, nullptr));
  SETUP(cuCtxSynchronize());
  OBSERVE("values", joined(readBack(numbers)));
  OBSERVE("sum", sum);
  SETUP(cuGraphKernelNodeGetParams(launched, &readKernel));
  OBSERVE("node_keeps_its_value", *static_cast<int*>(readKernel.kernelParams[2]));

  unsigned enabled = 77;
  OBSERVE("get_enabled", cuGraphNodeGetEnabled(exec, launched, &enabled));
  OBSERVE("enabled", enabled);
  OBSERVE("disable", cuGraphNodeSetEnabled(exec, launched, 0));
  SETUP(cuGraphNodeGetEnabled(exec, launched, &enabled));
  OBSERVE("disabled", enabled);
  OBSERVE("disable_host", cuGraphNodeSetEnabled(exec, called, 0));
  SETUP(cuGraphLaunch(exec, nullptr));
  SETUP(cuCtxSynchronize());
  OBSERVE("values_disabled", joined(readBack(numbers)));

  // Updates by a whole graph.
  CUgraphExecUpdateResultInfo info = {};
  OBSERVE("update", cuGraphExecUpdate_v2(exec, graph, &info));
  OBSERVE("update_result", static_cast<int>(info.result));
  CUgraphNode extra = nullptr;
  SETUP(cuGraphAddEmptyNode(&extra, graph, nullptr, 0));
  OBSERVE("update_more_nodes", cuGraphExecUpdate_v2(exec, graph, &info));
  OBSERVE("update_more_nodes_result", static_cast<int>(info.result));
  OBSERVE("update_null_info", cuGraphExecUpdate_v2(exec, graph, nullptr));
  OBSERVE("launch_null", cuGraphLaunch(nullptr, nullptr));
  OBSERVE("upload_null", cuGraphUpload(nullptr, nullptr));
}
