// Parameters of single nodes of executable graphs.
#include "musa/graph/nodes/node_params.h"

using namespace musashim::musa;

extern "C" {

MUresult muGraphExecKernelNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphExecKernelNodeSetParams",
      [&] {
        return setExecNode<KernelWork>(hGraphExec, hNode,
                                       [&](KernelWork& w) { return makeKernelWork(nodeParams, w); });
      },
      hGraphExec, hNode, nodeParams);
}

MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  return graphCall(
      "muGraphExecMemcpyNodeSetParams",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return setExecNode<CopyWork>(hGraphExec, hNode,
                                     [&](CopyWork& w) { return makeCopyWork(copyParams, *context, w); });
      },
      hGraphExec, hNode, copyParams, ctx);
}

MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_MEMSET_NODE_PARAMS* memsetParams, MUcontext ctx) {
  return graphCall(
      "muGraphExecMemsetNodeSetParams",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return setExecNode<FillWork>(hGraphExec, hNode,
                                     [&](FillWork& w) { return makeFillWork(memsetParams, *context, w); });
      },
      hGraphExec, hNode, memsetParams, ctx);
}

MUresult muGraphExecHostNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                      const MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphExecHostNodeSetParams",
      [&] {
        return setExecNode<HostWork>(hGraphExec, hNode,
                                     [&](HostWork& w) { return makeHostWork(nodeParams, w); });
      },
      hGraphExec, hNode, nodeParams);
}

MUresult muGraphExecChildGraphNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode, MUgraph childGraph) {
  return graphCall(
      "muGraphExecChildGraphNodeSetParams",
      [&]() -> Result {
        GraphExec* exec = nullptr;
        GraphNode* copy = nullptr;
        Graph* child = nullptr;
        MUSA_TRY(findExec(hGraphExec, exec));
        MUSA_TRY(exec->findCopy(hNode, copy));
        MUSA_TRY(findGraph(childGraph, child));
        ChildWork* work = copy->as<ChildWork>();
        MUSA_REQUIRE(work, MUSA_ERROR_INVALID_VALUE, "the node is of another kind");
        MUgraphExecUpdateResultInfo info;
        MUSA_TRY(updateGraph(*work->child.graph, *child, info));
        exec->changed();
        return {};
      },
      hGraphExec, hNode, childGraph);
}

MUresult muGraphExecEventRecordNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event) {
  return graphCall(
      "muGraphExecEventRecordNodeSetEvent",
      [&] {
        return setExecNode<EventRecordWork>(
            hGraphExec, hNode, [&](EventRecordWork& w) { return findNodeEvent(event, w.event); });
      },
      hGraphExec, hNode, event);
}

MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event) {
  return graphCall(
      "muGraphExecEventWaitNodeSetEvent",
      [&] {
        return setExecNode<EventWaitWork>(hGraphExec, hNode,
                                          [&](EventWaitWork& w) { return findNodeEvent(event, w.event); });
      },
      hGraphExec, hNode, event);
}

MUresult muGraphExecBatchMemOpNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                            const MUSA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphExecBatchMemOpNodeSetParams",
      [&] {
        return setExecNode<MemOpWork>(hGraphExec, hNode,
                                      [&](MemOpWork& w) { return makeMemOpWork(nodeParams, w); });
      },
      hGraphExec, hNode, nodeParams);
}

}  // extern "C"
