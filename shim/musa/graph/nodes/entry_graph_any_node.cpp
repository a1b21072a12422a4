// Nodes of any kind, by one structure.
#include "musa/graph/nodes/node_params.h"

using namespace musashim::musa;

namespace {

MUSA_KERNEL_NODE_PARAMS oldForm(const MUSA_KERNEL_NODE_PARAMS_v3& p) {
  return {p.func,      p.gridDimX,       p.gridDimY,     p.gridDimZ, p.blockDimX, p.blockDimY,
          p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra,    p.kern,      p.ctx};
}

MUSA_MEMSET_NODE_PARAMS oldForm(const MUSA_MEMSET_NODE_PARAMS_v2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

Result addAny(const NewNode& where, MUgraphNodeParams* params) {
  MUSA_REQUIRE(params, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  switch (params->type) {
    case MU_GRAPH_NODE_TYPE_KERNEL: {
      MUSA_KERNEL_NODE_PARAMS kernel = oldForm(params->kernel);
      return addNode<KernelWork>(where, [&](KernelWork& work) { return makeKernelWork(&kernel, work); });
    }
    case MU_GRAPH_NODE_TYPE_MEMCPY:
      MUSA_TRY(contextOr(params->memcpy.copyCtx, context));
      return addNode<CopyWork>(
          where, [&](CopyWork& work) { return makeCopyWork(&params->memcpy.copyParams, *context, work); });
    case MU_GRAPH_NODE_TYPE_MEMSET: {
      MUSA_TRY(contextOr(params->memset.ctx, context));
      MUSA_MEMSET_NODE_PARAMS memset = oldForm(params->memset);
      return addNode<FillWork>(where, [&](FillWork& work) { return makeFillWork(&memset, *context, work); });
    }
    case MU_GRAPH_NODE_TYPE_HOST:
      return addNode<HostWork>(where, [&](HostWork& work) { return makeHostWork(&params->host, work); });
    case MU_GRAPH_NODE_TYPE_GRAPH:
      return addChildNode(where, params->graph.graph);
    case MU_GRAPH_NODE_TYPE_EMPTY:
      return addNode<EmptyWork>(where, [](EmptyWork&) { return Result(); });
    case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return addNode<EventWaitWork>(
          where, [&](EventWaitWork& work) { return findNodeEvent(params->eventWait.event, work.event); });
    case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return addNode<EventRecordWork>(
          where, [&](EventRecordWork& work) { return findNodeEvent(params->eventRecord.event, work.event); });
    case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return addAllocationNode(where, &params->alloc);
    case MU_GRAPH_NODE_TYPE_MEM_FREE:
      return addFreeNode(where, params->free.dptr);
    case MU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return addNode<MemOpWork>(where, [&](MemOpWork& work) { return makeMemOpWork(&params->memOp, work); });
    case MU_GRAPH_NODE_TYPE_CONDITIONAL:
      return addConditionalNode(where, params->conditional);
    case MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return {MUSA_ERROR_NOT_SUPPORTED, "external semaphores"};
  }
  return {MUSA_ERROR_INVALID_VALUE, "unknown kind of node"};
}

// Calls `set` with the node's kind and a way to make its work: in a graph or an executable one.
template <class Set>
Result setAny(MUgraphNode hNode, const MUgraphNodeParams* params, Set&& set) {
  MUSA_REQUIRE(params, MUSA_ERROR_INVALID_VALUE, "null pointer");
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(hNode, node));
  MUSA_REQUIRE(node->type() == params->type, MUSA_ERROR_INVALID_VALUE, "the node is of another kind");
  switch (params->type) {
    case MU_GRAPH_NODE_TYPE_KERNEL: {
      MUSA_KERNEL_NODE_PARAMS kernel = oldForm(params->kernel);
      return set.template operator()<KernelWork>(
          [&](KernelWork& work) { return makeKernelWork(&kernel, work); });
    }
    case MU_GRAPH_NODE_TYPE_MEMCPY:
      return set.template operator()<CopyWork>(
          [&](CopyWork& work) { return makeCopyWork(&params->memcpy.copyParams, *work.context, work); });
    case MU_GRAPH_NODE_TYPE_MEMSET: {
      MUSA_MEMSET_NODE_PARAMS memset = oldForm(params->memset);
      return set.template operator()<FillWork>(
          [&](FillWork& work) { return makeFillWork(&memset, *work.context, work); });
    }
    case MU_GRAPH_NODE_TYPE_HOST:
      return set.template operator()<HostWork>(
          [&](HostWork& work) { return makeHostWork(&params->host, work); });
    case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return set.template operator()<EventWaitWork>(
          [&](EventWaitWork& work) { return findNodeEvent(params->eventWait.event, work.event); });
    case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return set.template operator()<EventRecordWork>(
          [&](EventRecordWork& work) { return findNodeEvent(params->eventRecord.event, work.event); });
    case MU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return set.template operator()<MemOpWork>(
          [&](MemOpWork& work) { return makeMemOpWork(&params->memOp, work); });
    default:
      return {MUSA_ERROR_NOT_SUPPORTED, "nodes of this kind keep their parameters"};
  }
}

}  // namespace

#define NEW_NODE \
  NewNode { phGraphNode, hGraph, dependencies, numDependencies }

extern "C" {

MUresult muGraphAddNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                        size_t numDependencies, MUgraphNodeParams* nodeParams) {
  return graphCall(
      "muGraphAddNode", [&] { return addAny(NEW_NODE, nodeParams); }, phGraphNode, hGraph, dependencies,
      numDependencies, nodeParams);
}

MUresult muGraphAddNode_v2(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                           const MUgraphEdgeData* dependencyData, size_t numDependencies,
                           MUgraphNodeParams* nodeParams) {
  return graphCall(
      "muGraphAddNode_v2",
      [&]() -> Result {
        MUSA_TRY(refuseEdgeData(dependencyData, numDependencies));
        return addAny(NEW_NODE, nodeParams);
      },
      phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
}

MUresult muGraphNodeSetParams(MUgraphNode hNode, MUgraphNodeParams* nodeParams) {
  return graphCall(
      "muGraphNodeSetParams",
      [&] {
        return setAny(hNode, nodeParams, [&]<class Work>(auto&& make) { return setNode<Work>(hNode, make); });
      },
      hNode, nodeParams);
}

MUresult muGraphExecNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode, MUgraphNodeParams* nodeParams) {
  return graphCall(
      "muGraphExecNodeSetParams",
      [&] {
        return setAny(hNode, nodeParams,
                      [&]<class Work>(auto&& make) { return setExecNode<Work>(hGraphExec, hNode, make); });
      },
      hGraphExec, hNode, nodeParams);
}

}  // extern "C"
