// Graphs for tests: kernel nodes on the test image, launches that are waited for.
#pragma once

#include <array>

#include "../support.h"

namespace musashim::test {

// A kernel node's parameters, with the values they point to. adds: values[0] += value.
class KernelNode {
 public:
  KernelNode(const char& kernel, int* values, int value) : values_(values), value_(value) {
    params_.func = const_cast<char*>(&kernel);
    params_.gridDim = dim3(1);
    params_.blockDim = dim3(1);
    params_.kernelParams = arguments_.data();
  }
  KernelNode(const KernelNode&) = delete;
  KernelNode& operator=(const KernelNode&) = delete;

  musaKernelNodeParams& params() { return params_; }
  musaGraphNode_t addTo(musaGraph_t graph, std::vector<musaGraphNode_t> after = {}) {
    musaGraphNode_t node = nullptr;
    EXPECT_MUSA(musaSuccess, musaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params_));
    return node;
  }

 private:
  int* values_;
  int count_ = 1;
  int value_;
  std::array<void*, 3> arguments_{&values_, &count_, &value_};
  musaKernelNodeParams params_ = {};
};

inline musaGraph_t newGraph() {
  musaGraph_t graph = nullptr;
  EXPECT_MUSA(musaSuccess, musaGraphCreate(&graph, 0));
  return graph;
}

inline musaGraphExec_t instantiated(musaGraph_t graph, unsigned long long flags = 0) {
  musaGraphExec_t exec = nullptr;
  EXPECT_MUSA(musaSuccess, ::musaGraphInstantiate(&exec, graph, flags));
  return exec;
}

inline musaError_t runGraph(musaGraphExec_t exec, musaStream_t stream = nullptr) {
  musaError_t launched = musaGraphLaunch(exec, stream);
  musaError_t finished = musaStreamSynchronize(stream);
  return launched != musaSuccess ? launched : finished;
}

}  // namespace musashim::test
