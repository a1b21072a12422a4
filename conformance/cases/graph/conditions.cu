// Conditional nodes: if, else, while, switch; values between launches.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.conditions");

__global__ void setFrom(cudaGraphConditionalHandle handle, const int* value) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}
__global__ void countDown(cudaGraphConditionalHandle handle, int* left, int* loops) {
  ++*loops;
  cudaGraphSetConditional(handle, --*left > 0);
}

static cudaGraphNode_t addSetter(cudaGraph_t graph, cudaGraphConditionalHandle handle, int* value) {
  void* arguments[] = {&handle, &value};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(setFrom);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  SETUP(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  return node;
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                       unsigned size) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

int main() {
  DeviceArray<int> choice(1);
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle handle = 0;
  OBSERVE("handle", cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  OBSERVE("handle_null", cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  cudaGraphNode_t setter = addSetter(graph, handle, choice.data());
  cudaGraphNodeParams params = conditional(handle, cudaGraphCondTypeIf, 2);
  cudaGraphNode_t node = nullptr;
  OBSERVE("add_if", cudaGraphAddNode(&node, graph, &setter, nullptr, 1, &params));
  cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  SETUP(cudaGraphNodeGetType(node, &type));
  OBSERVE("type", static_cast<int>(type));
  TimesPlus thenWork(value.data(), 10, 1);
  TimesPlus elseWork(value.data(), 10, 2);
  thenWork.addTo(params.conditional.phGraph_out[0]);
  elseWork.addTo(params.conditional.phGraph_out[1]);
  OBSERVE("destroy_body", cudaGraphDestroy(params.conditional.phGraph_out[0]));
  cudaGraph_t clone = nullptr;
  OBSERVE("clone", cudaGraphClone(&clone, graph));
  cudaGraphExec_t exec = nullptr;
  OBSERVE("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  for (int wanted : {1, 0, 5}) {
    choice.write({wanted});
    OBSERVE("run_" + std::to_string(wanted), runGraph(exec));
  }
  OBSERVE("value", readBack(value)[0]);
  cudaGetLastError();

  DeviceArray<int> left(std::vector<int>{4});
  DeviceArray<int> loops(1);
  cudaGraph_t looping = newGraph();
  cudaGraphConditionalHandle again = 0;
  SETUP(cudaGraphConditionalHandleCreate(&again, looping, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = conditional(again, cudaGraphCondTypeWhile, 1);
  OBSERVE("add_while", cudaGraphAddNode(&node, looping, nullptr, nullptr, 0, &loop));
  {
    int* leftPlace = left.data();
    int* loopPlace = loops.data();
    void* arguments[] = {&again, &leftPlace, &loopPlace};
    cudaKernelNodeParams body = {};
    body.func = reinterpret_cast<void*>(countDown);
    body.gridDim = dim3(1);
    body.blockDim = dim3(1);
    body.kernelParams = arguments;
    SETUP(cudaGraphAddKernelNode(&node, loop.conditional.phGraph_out[0], nullptr, 0, &body));
  }
  cudaGraphExec_t loopExec = instantiated(looping);
  OBSERVE("run_while", runGraph(loopExec));
  OBSERVE("loops", readBack(loops)[0]);
  OBSERVE("run_while_again", runGraph(loopExec));
  OBSERVE("loops_again", readBack(loops)[0]);

  cudaGraph_t switching = newGraph();
  cudaGraphConditionalHandle which = 0;
  SETUP(cudaGraphConditionalHandleCreate(&which, switching, 0, 0));
  cudaGraphNode_t setWhich = addSetter(switching, which, choice.data());
  cudaGraphNodeParams cases = conditional(which, cudaGraphCondTypeSwitch, 3);
  OBSERVE("add_switch", cudaGraphAddNode(&node, switching, &setWhich, nullptr, 1, &cases));
  SETUP(cudaMemset(value.data(), 0, sizeof(int)));
  for (int i = 0; i < 3; ++i) {
    TimesPlus work(value.data(), 10, i + 1);
    work.addTo(cases.conditional.phGraph_out[i]);
  }
  cudaGraphExec_t switchExec = instantiated(switching);
  for (int wanted : {2, 0, 3, 1}) {
    choice.write({wanted});
    OBSERVE("run_switch_" + std::to_string(wanted), runGraph(switchExec));
  }
  OBSERVE("switch_value", readBack(value)[0]);
}
