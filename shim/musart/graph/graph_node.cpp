// Nodes of any kind, where the runtime's parameters are not the driver's: those of kernels and copies.
#include "musart/graph/graph_node.h"

#include "musart/memory/memory.h"

using namespace musashim::musart;

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
