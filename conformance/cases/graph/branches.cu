// Branches run at the same time, and meet again.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.branches");

__global__ void waitFor(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void raise(volatile int* flag) { *flag = 1; }

int main() {
  // One branch waits for the other, whichever was added first.
  for (int round = 0; round < 2; ++round) {
    DeviceArray<int> flag(1);
    DeviceArray<int> value(1);
    int* place = flag.data();
    void* arguments[] = {&place};
    cudaKernelNodeParams params = {};
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraph_t graph = newGraph();
    cudaGraphNode_t root = emptyNode(graph);
    cudaGraphNode_t ends[2] = {};
    for (int i = 0; i < 2; ++i) {
      params.func = i == round ? reinterpret_cast<void*>(waitFor) : reinterpret_cast<void*>(raise);
      SETUP(cudaGraphAddKernelNode(&ends[i], graph, &root, 1, &params));
    }
    TimesPlus last(value.data(), 0, 5);
    last.addTo(graph, {ends[0], ends[1]});
    cudaGraphExec_t exec = instantiated(graph);
    const std::string name = round == 0 ? "waiting_first" : "waiting_second";
    OBSERVE(name, runGraph(exec));
    OBSERVE(name + "_value", readBack(value)[0]);
  }

  // A lattice of 6 x 6 nodes, each behind the one above and the one to the left.
  DeviceArray<int> values(36);
  std::vector<cudaGraphNode_t> nodes(36);
  std::vector<int> ones(36, 1);
  cudaGraph_t lattice = newGraph();
  for (int i = 0; i < 36; ++i) {
    std::vector<cudaGraphNode_t> after;
    if (i % 6 > 0) after.push_back(nodes[i - 1]);
    if (i / 6 > 0) after.push_back(nodes[i - 6]);
    // Adds the left neighbour's value by way of a copy when there is one.
    if (i % 6 > 0) {
      cudaGraphNode_t copy = nullptr;
      SETUP(cudaGraphAddMemcpyNode1D(&copy, lattice, after.data(), after.size(), values.data() + i,
                                     values.data() + i - 1, sizeof(int), cudaMemcpyDeviceToDevice));
      after = {copy};
    }
    TimesPlus work(values.data() + i, 1, i / 6 + 1);
    nodes[i] = work.addTo(lattice, after);
  }
  cudaGraphExec_t exec = instantiated(lattice);
  OBSERVE("lattice", runGraph(exec));
  OBSERVE("lattice_values", joined(readBack(values)));
}
