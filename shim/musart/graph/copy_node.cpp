// Copies as nodes of graphs: in a graph and in an executable one, by each way of naming what is copied.
#include "musart/graph/graph_node.h"
#include "musart/memory/memory.h"

using namespace musashim::musart;

namespace {

// ---- In the driver's words and back

// A plain copy; `kind` is checked as by musaMemcpy.
musaError_t driverCopy1D(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                         MUSA_MEMCPY3D& copy) {
  struct musaMemcpy3DParms params = {};
  params.dstPtr = {dst, count, count, 1};
  params.srcPtr = {const_cast<void*>(src), count, count, 1};
  params.extent = {count, 1, 1};
  params.kind = kind;
  return driverCopy(&params, copy);
}

enum musaMemcpyKind kindOf(MUmemorytype dst, MUmemorytype src) {
  bool toDevice = dst == MU_MEMORYTYPE_DEVICE, fromDevice = src == MU_MEMORYTYPE_DEVICE;
  if (dst == MU_MEMORYTYPE_UNIFIED || src == MU_MEMORYTYPE_UNIFIED) return musaMemcpyDefault;
  if (toDevice) return fromDevice ? musaMemcpyDeviceToDevice : musaMemcpyHostToDevice;
  return fromDevice ? musaMemcpyDeviceToHost : musaMemcpyHostToHost;
}

void* sideOf(MUmemorytype type, const void* host, MUdeviceptr device) {
  return type == MU_MEMORYTYPE_HOST ? const_cast<void*>(host) : toPointer(device);
}

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

// ---- One way for all entries

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
