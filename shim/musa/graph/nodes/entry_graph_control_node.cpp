// Child graphs, empty nodes, events, memory, conditions.
#include "musa/graph/nodes/condition.h"
#include "musa/graph/nodes/node_params.h"

using namespace musashim::musa;

#define NEW_NODE \
  NewNode { phGraphNode, hGraph, dependencies, numDependencies }

extern "C" {

MUresult muGraphAddChildGraphNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                  size_t numDependencies, MUgraph childGraph) {
  return graphCall(
      "muGraphAddChildGraphNode", [&] { return addChildNode(NEW_NODE, childGraph); }, phGraphNode, hGraph,
      dependencies, numDependencies, childGraph);
}

MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph* phGraph) {
  return graphCall(
      "muGraphChildGraphNodeGetGraph",
      [&]() -> Result {
        MUSA_REQUIRE(phGraph, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        ChildWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *phGraph = work->child.graph->handle();
        return {};
      },
      hNode, phGraph);
}

MUresult muGraphAddEmptyNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                             size_t numDependencies) {
  return graphCall(
      "muGraphAddEmptyNode",
      [&] { return addNode<EmptyWork>(NEW_NODE, [](EmptyWork&) { return Result(); }); }, phGraphNode, hGraph,
      dependencies, numDependencies);
}

MUresult muGraphAddEventRecordNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                   size_t numDependencies, MUevent event) {
  return graphCall(
      "muGraphAddEventRecordNode",
      [&] {
        return addNode<EventRecordWork>(NEW_NODE,
                                        [&](EventRecordWork& w) { return findNodeEvent(event, w.event); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, event);
}

MUresult muGraphEventRecordNodeGetEvent(MUgraphNode hNode, MUevent* event_out) {
  return graphCall(
      "muGraphEventRecordNodeGetEvent",
      [&]() -> Result {
        MUSA_REQUIRE(event_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        EventRecordWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *event_out = reinterpret_cast<MUevent>(work->event);
        return {};
      },
      hNode, event_out);
}

MUresult muGraphEventRecordNodeSetEvent(MUgraphNode hNode, MUevent event) {
  return graphCall(
      "muGraphEventRecordNodeSetEvent",
      [&] {
        return setNode<EventRecordWork>(hNode,
                                        [&](EventRecordWork& w) { return findNodeEvent(event, w.event); });
      },
      hNode, event);
}

MUresult muGraphAddEventWaitNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                 size_t numDependencies, MUevent event) {
  return graphCall(
      "muGraphAddEventWaitNode",
      [&] {
        return addNode<EventWaitWork>(NEW_NODE,
                                      [&](EventWaitWork& w) { return findNodeEvent(event, w.event); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, event);
}

MUresult muGraphEventWaitNodeGetEvent(MUgraphNode hNode, MUevent* event_out) {
  return graphCall(
      "muGraphEventWaitNodeGetEvent",
      [&]() -> Result {
        MUSA_REQUIRE(event_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        EventWaitWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *event_out = reinterpret_cast<MUevent>(work->event);
        return {};
      },
      hNode, event_out);
}

MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event) {
  return graphCall(
      "muGraphEventWaitNodeSetEvent",
      [&] {
        return setNode<EventWaitWork>(hNode, [&](EventWaitWork& w) { return findNodeEvent(event, w.event); });
      },
      hNode, event);
}

MUresult muGraphAddMemAllocNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                size_t numDependencies, MUSA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddMemAllocNode", [&] { return addAllocationNode(NEW_NODE, nodeParams); }, phGraphNode, hGraph,
      dependencies, numDependencies, nodeParams);
}

MUresult muGraphMemAllocNodeGetParams(MUgraphNode hNode, MUSA_MEM_ALLOC_NODE_PARAMS* params_out) {
  return graphCall(
      "muGraphMemAllocNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(params_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        AllocWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *params_out = work->described;
        params_out->accessDescs = work->access.empty() ? nullptr : work->access.data();
        params_out->accessDescCount = work->access.size();
        return {};
      },
      hNode, params_out);
}

MUresult muGraphAddMemFreeNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                               size_t numDependencies, MUdeviceptr dptr) {
  return graphCall(
      "muGraphAddMemFreeNode", [&] { return addFreeNode(NEW_NODE, dptr); }, phGraphNode, hGraph, dependencies,
      numDependencies, dptr);
}

MUresult muGraphMemFreeNodeGetParams(MUgraphNode hNode, MUdeviceptr* dptr_out) {
  return graphCall(
      "muGraphMemFreeNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(dptr_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        FreeWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *dptr_out = work->address;
        return {};
      },
      hNode, dptr_out);
}

MUresult muGraphAddBatchMemOpNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                  size_t numDependencies, const MUSA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddBatchMemOpNode",
      [&] {
        return addNode<MemOpWork>(NEW_NODE, [&](MemOpWork& w) { return makeMemOpWork(nodeParams, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

MUresult muGraphBatchMemOpNodeGetParams(MUgraphNode hNode, MUSA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out) {
  return graphCall(
      "muGraphBatchMemOpNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        MemOpWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams_out = {work->context->handle(), static_cast<unsigned>(work->operations.size()),
                           work->operations.data(), 0};
        return {};
      },
      hNode, nodeParams_out);
}

MUresult muGraphBatchMemOpNodeSetParams(MUgraphNode hNode, const MUSA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphBatchMemOpNodeSetParams",
      [&] { return setNode<MemOpWork>(hNode, [&](MemOpWork& w) { return makeMemOpWork(nodeParams, w); }); },
      hNode, nodeParams);
}

MUresult muGraphConditionalHandleCreate(MUgraphConditionalHandle* pHandle_out, MUgraph hGraph, MUcontext ctx,
                                        unsigned int defaultLaunchValue, unsigned int flags) {
  return graphCall(
      "muGraphConditionalHandleCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pHandle_out && flags <= MU_GRAPH_COND_ASSIGN_DEFAULT, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, or unknown flags");
        Graph* graph = nullptr;
        Context* context = nullptr;
        MUSA_TRY(findGraph(hGraph, graph));
        MUSA_TRY(contextOr(ctx, context));
        std::shared_ptr<ConditionCell> cell;
        MUSA_TRY(createCondition(defaultLaunchValue, flags != 0, cell));
        *pHandle_out = cell->handle();
        graph->addCell(std::move(cell));
        return {};
      },
      pHandle_out, hGraph, ctx, defaultLaunchValue, flags);
}

}  // extern "C"
