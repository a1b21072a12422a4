// Nodes of graphs, where the runtime's parameters are not the driver's: kernels are known by
// their host symbols, copies by their own structs.
#include "musart/graph/graph_node.h"

#include "musart/memory/memory.h"
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
            params->extra};
  return musaSuccess;
}

template <class Params>
void runtimeKernel(const MUSA_KERNEL_NODE_PARAMS& kernel, Params& params) {
  params.func = const_cast<void*>(Program::get().hostFunction(kernel.func));
  params.gridDim = dim3{kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ};
  params.blockDim = dim3{kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ};
  params.sharedMemBytes = kernel.sharedMemBytes;
  params.kernelParams = kernel.kernelParams;
  params.extra = kernel.extra;
}

musaError_t driverCopy1D(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                         MUSA_MEMCPY3D& copy) {
  struct musaMemcpy3DParms params = {};
  params.dstPtr = {dst, count, count, 1};
  params.srcPtr = {const_cast<void*>(src), count, count, 1};
  params.extent = {count, 1, 1};
  params.kind = kind;
  return driverCopy(&params, copy);
}

namespace {

enum musaMemcpyKind kindOf(MUmemorytype dst, MUmemorytype src) {
  bool toDevice = dst == MU_MEMORYTYPE_DEVICE, fromDevice = src == MU_MEMORYTYPE_DEVICE;
  if (dst == MU_MEMORYTYPE_UNIFIED || src == MU_MEMORYTYPE_UNIFIED) return musaMemcpyDefault;
  if (toDevice) return fromDevice ? musaMemcpyDeviceToDevice : musaMemcpyHostToDevice;
  return fromDevice ? musaMemcpyDeviceToHost : musaMemcpyHostToHost;
}

void* sideOf(MUmemorytype type, const void* host, MUdeviceptr device) {
  return type == MU_MEMORYTYPE_HOST ? const_cast<void*>(host) : toPointer(device);
}

}  // namespace

void runtimeCopy(const MUSA_MEMCPY3D& copy, struct musaMemcpy3DParms& params) {
  params = {};
  params.dstPos = {copy.dstXInBytes, copy.dstY, copy.dstZ};
  params.srcPos = {copy.srcXInBytes, copy.srcY, copy.srcZ};
  params.dstPtr = {sideOf(copy.dstMemoryType, copy.dstHost, copy.dstDevice), copy.dstPitch, copy.WidthInBytes,
                   copy.dstHeight};
  params.srcPtr = {sideOf(copy.srcMemoryType, copy.srcHost, copy.srcDevice), copy.srcPitch, copy.WidthInBytes,
                   copy.srcHeight};
  params.extent = {copy.WidthInBytes, copy.Height, copy.Depth};
  params.kind = kindOf(copy.dstMemoryType, copy.srcMemoryType);
}

}  // namespace musashim::musart

extern "C" {

// ---- Kernels

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

// ---- Copies: in a graph and in an executable one, by each way of naming what is copied

}  // extern "C"

namespace {

struct Place {
  musaGraphNode_t* out;
  musaGraph_t graph;
  const musaGraphNode_t* dependencies;
  size_t count;
};

// What becomes of a copy once it is in the driver's words.
auto adds(const Place& at) {
  return [at](const MUSA_MEMCPY3D& copy) {
    return muGraphAddMemcpyNode(at.out, at.graph, at.dependencies, at.count, &copy, nullptr);
  };
}
auto sets(musaGraphNode_t node) {
  return [node](const MUSA_MEMCPY3D& copy) { return muGraphMemcpyNodeSetParams(node, &copy); };
}
auto sets(musaGraphExec_t exec, musaGraphNode_t node) {
  return [exec, node](const MUSA_MEMCPY3D& copy) {
    return muGraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr);
  };
}

template <class Use>
musaError_t box(const struct musaMemcpy3DParms* params, Use&& use) {
  MUSART_REQUIRE(params, musaErrorInvalidValue);
  auto fits = [&](const struct musaPitchedPtr& side) {
    return !side.ptr || params->extent.width <= side.pitch;
  };
  MUSART_REQUIRE(fits(params->dstPtr) && fits(params->srcPtr), musaErrorInvalidPitchValue);
  MUSA_MEMCPY3D copy;
  MUSART_TRY(driverCopy(params, copy));
  return fromDriver(use(copy));
}

template <class Use>
musaError_t line(void* dst, const void* src, size_t count, enum musaMemcpyKind kind, Use&& use) {
  MUSA_MEMCPY3D copy;
  MUSART_TRY(driverCopy1D(dst, src, count, kind, copy));
  return fromDriver(use(copy));
}

template <class Use>
musaError_t toSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                     enum musaMemcpyKind kind, Use&& use) {
  void* dst = nullptr;
  MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kTo, dst));
  return line(dst, src, count, kind, use);
}

template <class Use>
musaError_t fromSymbol(void* dst, const void* symbol, size_t count, size_t offset, enum musaMemcpyKind kind,
                       Use&& use) {
  void* src = nullptr;
  MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kFrom, src));
  return line(dst, src, count, kind, use);
}

}  // namespace

extern "C" {

musaError_t musaGraphAddMemcpyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaMemcpy3DParms* pCopyParams) {
  return apiCall(
      "musaGraphAddMemcpyNode",
      [&] { return box(pCopyParams, adds({pGraphNode, graph, pDependencies, numDependencies})); }, pGraphNode,
      graph, pDependencies, numDependencies, pCopyParams);
}

musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies, void* dst,
                                     const void* src, size_t count, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphAddMemcpyNode1D",
      [&] { return line(dst, src, count, kind, adds({pGraphNode, graph, pDependencies, numDependencies})); },
      pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind);
}

musaError_t musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                           const musaGraphNode_t* pDependencies, size_t numDependencies,
                                           const void* symbol, const void* src, size_t count, size_t offset,
                                           enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphAddMemcpyNodeToSymbol",
      [&] {
        return toSymbol(symbol, src, count, offset, kind,
                        adds({pGraphNode, graph, pDependencies, numDependencies}));
      },
      pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind);
}

musaError_t musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                             const musaGraphNode_t* pDependencies, size_t numDependencies,
                                             void* dst, const void* symbol, size_t count, size_t offset,
                                             enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphAddMemcpyNodeFromSymbol",
      [&] {
        return fromSymbol(dst, symbol, count, offset, kind,
                          adds({pGraphNode, graph, pDependencies, numDependencies}));
      },
      pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind);
}

musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node, struct musaMemcpy3DParms* pNodeParams) {
  return apiCall(
      "musaGraphMemcpyNodeGetParams",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pNodeParams, musaErrorInvalidValue);
        MUSA_MEMCPY3D copy;
        MUSART_TRY(muGraphMemcpyNodeGetParams(node, &copy));
        runtimeCopy(copy, *pNodeParams);
        return musaSuccess;
      },
      node, pNodeParams);
}

musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node, const struct musaMemcpy3DParms* pNodeParams) {
  return apiCall(
      "musaGraphMemcpyNodeSetParams", [&] { return box(pNodeParams, sets(node)); }, node, pNodeParams);
}

musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void* dst, const void* src, size_t count,
                                           enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphMemcpyNodeSetParams1D", [&] { return line(dst, src, count, kind, sets(node)); }, node, dst,
      src, count, kind);
}

musaError_t musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const void* symbol, const void* src,
                                                 size_t count, size_t offset, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphMemcpyNodeSetParamsToSymbol",
      [&] { return toSymbol(symbol, src, count, offset, kind, sets(node)); }, node, symbol, src, count,
      offset, kind);
}

musaError_t musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void* dst, const void* symbol,
                                                   size_t count, size_t offset, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphMemcpyNodeSetParamsFromSymbol",
      [&] { return fromSymbol(dst, symbol, count, offset, kind, sets(node)); }, node, dst, symbol, count,
      offset, kind);
}

musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                             const struct musaMemcpy3DParms* pNodeParams) {
  return apiCall(
      "musaGraphExecMemcpyNodeSetParams", [&] { return box(pNodeParams, sets(hGraphExec, node)); },
      hGraphExec, node, pNodeParams);
}

musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec, musaGraphNode_t node, void* dst,
                                               const void* src, size_t count, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphExecMemcpyNodeSetParams1D",
      [&] { return line(dst, src, count, kind, sets(hGraphExec, node)); }, hGraphExec, node, dst, src, count,
      kind);
}

musaError_t musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                                     const void* symbol, const void* src, size_t count,
                                                     size_t offset, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphExecMemcpyNodeSetParamsToSymbol",
      [&] { return toSymbol(symbol, src, count, offset, kind, sets(hGraphExec, node)); }, hGraphExec, node,
      symbol, src, count, offset, kind);
}

musaError_t musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                                       void* dst, const void* symbol, size_t count,
                                                       size_t offset, enum musaMemcpyKind kind) {
  return apiCall(
      "musaGraphExecMemcpyNodeSetParamsFromSymbol",
      [&] { return fromSymbol(dst, symbol, count, offset, kind, sets(hGraphExec, node)); }, hGraphExec, node,
      dst, symbol, count, offset, kind);
}

}  // extern "C"

// ---- Nodes of any kind

namespace {

// Numbers and layouts of all but kernels and copies are the driver's.
musaError_t driverParams(const struct musaGraphNodeParams* params, MUgraphNodeParams& any) {
  MUSART_REQUIRE(params, musaErrorInvalidValue);
  any = {};
  any.type = static_cast<MUgraphNodeType>(params->type);
  switch (params->type) {
    case musaGraphNodeTypeKernel: {
      MUSA_KERNEL_NODE_PARAMS kernel;
      MUSART_TRY(driverKernel(&params->kernel, kernel));
      static_assert(sizeof kernel <= sizeof any.kernel);
      __builtin_memcpy(&any.kernel, &kernel, sizeof kernel);
      return musaSuccess;
    }
    case musaGraphNodeTypeMemcpy:
      MUSART_REQUIRE(params->memcpy.flags == 0, musaErrorInvalidValue);
      return driverCopy(&params->memcpy.copyParams, any.memcpy.copyParams);
    default:
      static_assert(sizeof *params == sizeof any);
      __builtin_memcpy(any.reserved1, params->reserved1, sizeof any.reserved1);
      return musaSuccess;
  }
}

// What the driver wrote into the parameters.
void takeResults(const MUgraphNodeParams& any, struct musaGraphNodeParams& params) {
  if (params.type == musaGraphNodeTypeMemAlloc) params.alloc.dptr = toPointer(any.alloc.dptr);
  if (params.type == musaGraphNodeTypeConditional) {
    params.conditional.phGraph_out = any.conditional.phGraph_out;
  }
}

musaError_t addAny(const Place& at, const musaGraphEdgeData* edges, struct musaGraphNodeParams* params) {
  MUgraphNodeParams any;
  MUSART_TRY(driverParams(params, any));
  if (any.type == MU_GRAPH_NODE_TYPE_MEMSET) any.memset.ctx = nullptr;
  if (any.type == MU_GRAPH_NODE_TYPE_CONDITIONAL) any.conditional.ctx = nullptr;
  MUSART_TRY(muGraphAddNode_v2(at.out, at.graph, at.dependencies,
                               reinterpret_cast<const MUgraphEdgeData*>(edges), at.count, &any));
  takeResults(any, *params);
  return musaSuccess;
}

}  // namespace

extern "C" {

musaError_t musaGraphAddNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                             const musaGraphNode_t* pDependencies, size_t numDependencies,
                             struct musaGraphNodeParams* nodeParams) {
  return apiCall(
      "musaGraphAddNode",
      [&] { return addAny({pGraphNode, graph, pDependencies, numDependencies}, nullptr, nodeParams); },
      pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}

musaError_t musaGraphAddNode_v2(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                const musaGraphNode_t* pDependencies, const musaGraphEdgeData* dependencyData,
                                size_t numDependencies, struct musaGraphNodeParams* nodeParams) {
  return apiCall(
      "musaGraphAddNode_v2",
      [&] { return addAny({pGraphNode, graph, pDependencies, numDependencies}, dependencyData, nodeParams); },
      pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams);
}

musaError_t musaGraphNodeSetParams(musaGraphNode_t node, struct musaGraphNodeParams* nodeParams) {
  return apiCall(
      "musaGraphNodeSetParams",
      [&]() -> musaError_t {
        MUgraphNodeParams any;
        MUSART_TRY(driverParams(nodeParams, any));
        return fromDriver(muGraphNodeSetParams(node, &any));
      },
      node, nodeParams);
}

musaError_t musaGraphExecNodeSetParams(musaGraphExec_t graphExec, musaGraphNode_t node,
                                       struct musaGraphNodeParams* nodeParams) {
  return apiCall(
      "musaGraphExecNodeSetParams",
      [&]() -> musaError_t {
        MUgraphNodeParams any;
        MUSART_TRY(driverParams(nodeParams, any));
        return fromDriver(muGraphExecNodeSetParams(graphExec, node, &any));
      },
      graphExec, node, nodeParams);
}

}  // extern "C"
