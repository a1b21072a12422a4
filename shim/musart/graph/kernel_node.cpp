// Kernels as nodes of graphs. The runtime knows kernels by their host symbols.
#include "musart/graph/graph_node.h"
#include "musart/module/program.h"

using namespace musashim::musart;

namespace musashim::musart {

template <class Params>
musaError_t driverKernel(const Params* params, MUSA_KERNEL_NODE_PARAMS& kernel) {
  MUSART_REQUIRE(params, musaErrorInvalidValue);
  MUSART_REQUIRE(params->func, musaErrorInvalidDeviceFunction);
  MUfunction function = nullptr;
  MUSART_TRY(Program::get().function(params->func, function));
  const dim3 &grid = params->gridDim, &block = params->blockDim;
  kernel = {function,
            grid.x,
            grid.y,
            grid.z,
            block.x,
            block.y,
            block.z,
            params->sharedMemBytes,
            params->kernelParams,
            params->extra,
            nullptr,
            nullptr};
  return musaSuccess;
}

template musaError_t driverKernel(const struct musaKernelNodeParams* params, MUSA_KERNEL_NODE_PARAMS& kernel);
template musaError_t driverKernel(const struct musaKernelNodeParamsV2* params,
                                  MUSA_KERNEL_NODE_PARAMS& kernel);

}  // namespace musashim::musart

namespace {

void runtimeKernel(const MUSA_KERNEL_NODE_PARAMS& kernel, struct musaKernelNodeParams& params) {
  params.func = const_cast<void*>(Program::get().hostFunction(kernel.func));
  params.gridDim = dim3{kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ};
  params.blockDim = dim3{kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ};
  params.sharedMemBytes = kernel.sharedMemBytes;
  params.kernelParams = kernel.kernelParams;
  params.extra = kernel.extra;
}

}  // namespace

extern "C" {

musaError_t musaGraphAddKernelNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaKernelNodeParams* pNodeParams) {
  return apiCall(
      "musaGraphAddKernelNode",
      [&]() -> musaError_t {
        MUSA_KERNEL_NODE_PARAMS kernel;
        MUSART_TRY(driverKernel(pNodeParams, kernel));
        return fromDriver(muGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, &kernel));
      },
      pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
}

musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node, struct musaKernelNodeParams* pNodeParams) {
  return apiCall(
      "musaGraphKernelNodeGetParams",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pNodeParams, musaErrorInvalidValue);
        MUSA_KERNEL_NODE_PARAMS kernel;
        MUSART_TRY(muGraphKernelNodeGetParams(node, &kernel));
        runtimeKernel(kernel, *pNodeParams);
        return musaSuccess;
      },
      node, pNodeParams);
}

musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
                                         const struct musaKernelNodeParams* pNodeParams) {
  return apiCall(
      "musaGraphKernelNodeSetParams",
      [&]() -> musaError_t {
        MUSA_KERNEL_NODE_PARAMS kernel;
        MUSART_TRY(driverKernel(pNodeParams, kernel));
        return fromDriver(muGraphKernelNodeSetParams(node, &kernel));
      },
      node, pNodeParams);
}

musaError_t musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                             const struct musaKernelNodeParams* pNodeParams) {
  return apiCall(
      "musaGraphExecKernelNodeSetParams",
      [&]() -> musaError_t {
        MUSA_KERNEL_NODE_PARAMS kernel;
        MUSART_TRY(driverKernel(pNodeParams, kernel));
        return fromDriver(muGraphExecKernelNodeSetParams(hGraphExec, node, &kernel));
      },
      hGraphExec, node, pNodeParams);
}

}  // extern "C"
