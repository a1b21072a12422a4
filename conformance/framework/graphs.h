// Graphs for cases: kernel nodes, launches that are waited for.
#pragma once

#include "buffers.h"

static __global__ void timesPlus(int* place, int factor, int value) { *place = *place * factor + value; }

// An array's values, whatever calls failed before.
template <class T>
std::vector<T> readBack(const DeviceArray<T>& array) {
  cudaGetLastError();
  return array.read();
}

// Keeps the values that a kernel node's parameters point to alive while it is added.
class TimesPlus {
 public:
  TimesPlus(int* place, int factor, int value) : place_(place), factor_(factor), value_(value) {
    params_.func = reinterpret_cast<void*>(timesPlus);
    params_.gridDim = dim3(1);
    params_.blockDim = dim3(1);
    params_.kernelParams = arguments_;
  }
  TimesPlus(const TimesPlus&) = delete;
  TimesPlus& operator=(const TimesPlus&) = delete;
  cudaKernelNodeParams& params() { return params_; }

  cudaGraphNode_t addTo(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after = {}) {
    cudaGraphNode_t node = nullptr;
    SETUP(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params_));
    return node;
  }

 private:
  int* place_;
  int factor_, value_;
  void* arguments_[3] = {&place_, &factor_, &value_};
  cudaKernelNodeParams params_ = {};
};

inline cudaGraph_t newGraph() {
  cudaGraph_t graph = nullptr;
  SETUP(cudaGraphCreate(&graph, 0));
  return graph;
}

inline cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  SETUP(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

// Launches and waits; the first error.
inline cudaError_t runGraph(cudaGraphExec_t exec, cudaStream_t stream = nullptr) {
  const cudaError_t launched = cudaGraphLaunch(exec, stream);
  const cudaError_t finished = cudaStreamSynchronize(stream);
  return launched != cudaSuccess ? launched : finished;
}

inline size_t nodeCount(cudaGraph_t graph) {
  size_t count = 0;
  SETUP(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

inline cudaGraphNode_t emptyNode(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after = {}) {
  cudaGraphNode_t node = nullptr;
  SETUP(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()));
  return node;
}
