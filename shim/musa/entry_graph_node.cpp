// Nodes of graphs: adding them, and their parameters.
#include <cstring>

#include "musa/copy.h"
#include "musa/graph/condition.h"
#include "musa/graph/graph_call.h"
#include "musa/graph/graph_memory.h"
#include "musa/graph/memory_nodes.h"

using namespace musashim::musa;

namespace {

Result contextOr(MUcontext handle, Context*& context) {
  return handle ? findContext(handle, context) : currentContext(context);
}

// The node's own copies of the parameters, as the user would pass them to a launch.
MUSA_KERNEL_NODE_PARAMS kernelParamsOf(GraphNode& node) {
  KernelWork& work = *node.as<KernelWork>();
  const MusaKernelInfo& info = work.function->info();
  node.paramPointers.clear();
  for (uint32_t i = 0; i < info.param_count; ++i) {
    node.paramPointers.push_back(work.params.data() + info.params[i].offset);
  }
  return {.func = reinterpret_cast<MUfunction>(work.function),
          .gridDimX = work.grid.x,
          .gridDimY = work.grid.y,
          .gridDimZ = work.grid.z,
          .blockDimX = work.block.x,
          .blockDimY = work.block.y,
          .blockDimZ = work.block.z,
          .sharedMemBytes = work.sharedBytes,
          .kernelParams = node.paramPointers.empty() ? nullptr : node.paramPointers.data(),
          .extra = nullptr};
}

MUSA_KERNEL_NODE_PARAMS oldForm(const MUSA_KERNEL_NODE_PARAMS_v3& p) {
  return {p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
          p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra};
}

MUSA_MEMSET_NODE_PARAMS oldForm(const MUSA_MEMSET_NODE_PARAMS_v2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

Result checkHost(const MUSA_HOST_NODE_PARAMS* params, HostWork& work) {
  MUSA_REQUIRE(params && params->fn, MUSA_ERROR_INVALID_VALUE, "no function");
  work.params = *params;
  return {};
}

Result eventOf(MUevent handle, Event*& event) {
  event = driver().events.get(handle);
  MUSA_REQUIRE(event, MUSA_ERROR_INVALID_HANDLE, fmt::format("no event {}", fmt::ptr(handle)));
  return {};
}

Result addChild(const NewNode& where, MUgraph childGraph) {
  Graph* child = nullptr;
  MUSA_TRY(findGraph(childGraph, child));
  Graph* parent = nullptr;
  MUSA_TRY(findGraph(where.graph, parent));
  MUSA_REQUIRE(parent != child, MUSA_ERROR_INVALID_VALUE, "a graph inside itself");
  MUSA_REQUIRE(!child->hasMemoryNodes(), MUSA_ERROR_NOT_SUPPORTED,
               "graphs with allocation or free nodes are no children");
  // The copy is made first: the parent may be a part of what is copied.
  Graph* copy = nullptr;
  MUSA_TRY(child->clone(false, copy));
  OwnedGraph checked(copy);
  MUSA_TRY(addNode<EmptyWork>(where, [](EmptyWork&) { return Result(); }));
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(*where.out, node));
  ChildWork work;
  work.child = OwnedGraph(driver().graphs.create(node));
  MUSA_TRY(child->copyInto(false, *work.child.graph));
  node->work = std::move(work);
  return {};
}

Result addAllocation(const NewNode& where, MUSA_MEM_ALLOC_NODE_PARAMS* params) {
  MUSA_REQUIRE(params, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  MUSA_TRY(
      addNode<AllocWork>(where, [&](AllocWork& work) { return makeAllocWork(*context, *params, work); }));
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(*where.out, node));
  params->dptr = node->as<AllocWork>()->memory->address();
  return {};
}

Result addFree(const NewNode& where, MUdeviceptr address) {
  Graph* graph = nullptr;
  MUSA_TRY(findGraph(where.graph, graph));
  MUSA_TRY(checkFreeWork(*graph, address));
  return addNode<FreeWork>(where, [&](FreeWork& work) {
    work.address = address;
    return Result();
  });
}

Result addConditional(const NewNode& where, MUSA_CONDITIONAL_NODE_PARAMS& params) {
  Context* context = nullptr;
  MUSA_TRY(contextOr(params.ctx, context));
  bool known = params.type >= MU_GRAPH_COND_TYPE_IF && params.type <= MU_GRAPH_COND_TYPE_SWITCH;
  MUSA_REQUIRE(known, MUSA_ERROR_INVALID_VALUE, "unknown kind of condition");
  unsigned most = params.type == MU_GRAPH_COND_TYPE_IF      ? 2
                  : params.type == MU_GRAPH_COND_TYPE_WHILE ? 1
                                                            : 1024;
  MUSA_REQUIRE(params.size >= 1 && params.size <= most, MUSA_ERROR_INVALID_VALUE, "the number of bodies");
  auto cell = findCondition(params.handle);
  MUSA_REQUIRE(cell && !cell->used, MUSA_ERROR_INVALID_VALUE, "no condition, or used by another node");
  MUSA_TRY(addNode<ConditionalWork>(where, [&](ConditionalWork& work) {
    work.context = context;
    work.cell = cell;
    work.type = params.type;
    return Result();
  }));
  cell->used = true;
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(*where.out, node));
  auto& work = *node->as<ConditionalWork>();
  for (unsigned i = 0; i < params.size; ++i) {
    work.bodies.emplace_back(driver().graphs.create(node));
    work.handles.push_back(work.bodies.back().graph->handle());
  }
  params.phGraph_out = work.handles.data();
  return {};
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
      return addNode<HostWork>(where, [&](HostWork& work) { return checkHost(&params->host, work); });
    case MU_GRAPH_NODE_TYPE_GRAPH:
      return addChild(where, params->graph.graph);
    case MU_GRAPH_NODE_TYPE_EMPTY:
      return addNode<EmptyWork>(where, [](EmptyWork&) { return Result(); });
    case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return addNode<EventWaitWork>(
          where, [&](EventWaitWork& work) { return eventOf(params->eventWait.event, work.event); });
    case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return addNode<EventRecordWork>(
          where, [&](EventRecordWork& work) { return eventOf(params->eventRecord.event, work.event); });
    case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return addAllocation(where, &params->alloc);
    case MU_GRAPH_NODE_TYPE_MEM_FREE:
      return addFree(where, params->free.dptr);
    case MU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return addNode<MemOpWork>(where, [&](MemOpWork& work) { return makeMemOpWork(&params->memOp, work); });
    case MU_GRAPH_NODE_TYPE_CONDITIONAL:
      return addConditional(where, params->conditional);
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
          [&](HostWork& work) { return checkHost(&params->host, work); });
    case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return set.template operator()<EventWaitWork>(
          [&](EventWaitWork& work) { return eventOf(params->eventWait.event, work.event); });
    case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return set.template operator()<EventRecordWork>(
          [&](EventRecordWork& work) { return eventOf(params->eventRecord.event, work.event); });
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

MUresult muGraphAddKernelNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddKernelNode",
      [&] {
        return addNode<KernelWork>(NEW_NODE, [&](KernelWork& w) { return makeKernelWork(nodeParams, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphKernelNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = kernelParamsOf(*node);
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphKernelNodeSetParams(MUgraphNode hNode, const MUSA_KERNEL_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphKernelNodeSetParams",
      [&] {
        return setNode<KernelWork>(hNode, [&](KernelWork& w) { return makeKernelWork(nodeParams, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
                                       MUkernelNodeAttrValue* value_out) {
  return graphCall(
      "muGraphKernelNodeGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        return getKernelAttribute(*work, attr, *value_out);
      },
      hNode, attr, value_out);
}

MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
                                       const MUkernelNodeAttrValue* value) {
  return graphCall(
      "muGraphKernelNodeSetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        KernelWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        return setKernelAttribute(*work, attr, *value);
      },
      hNode, attr, value);
}

MUresult muGraphKernelNodeCopyAttributes(MUgraphNode dst, MUgraphNode src) {
  return graphCall(
      "muGraphKernelNodeCopyAttributes",
      [&]() -> Result {
        GraphNode *to = nullptr, *from = nullptr;
        KernelWork *target = nullptr, *source = nullptr;
        MUSA_TRY(findNodeOf(dst, to, target));
        MUSA_TRY(findNodeOf(src, from, source));
        target->attributes = source->attributes;
        return {};
      },
      dst, src);
}

MUresult muGraphAddMemcpyNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  return graphCall(
      "muGraphAddMemcpyNode",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return addNode<CopyWork>(NEW_NODE,
                                 [&](CopyWork& w) { return makeCopyWork(copyParams, *context, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
}

MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D* nodeParams) {
  return graphCall(
      "muGraphMemcpyNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        CopyWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->described;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D* nodeParams) {
  return graphCall(
      "muGraphMemcpyNodeSetParams",
      [&] {
        return setNode<CopyWork>(hNode, [&](CopyWork& w) { return makeCopyWork(nodeParams, *w.context, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphAddMemsetNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                              size_t numDependencies, const MUSA_MEMSET_NODE_PARAMS* memsetParams,
                              MUcontext ctx) {
  return graphCall(
      "muGraphAddMemsetNode",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOr(ctx, context));
        return addNode<FillWork>(NEW_NODE,
                                 [&](FillWork& w) { return makeFillWork(memsetParams, *context, w); });
      },
      phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
}

MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphMemsetNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        FillWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->described;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode, const MUSA_MEMSET_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphMemsetNodeSetParams",
      [&] {
        return setNode<FillWork>(hNode, [&](FillWork& w) { return makeFillWork(nodeParams, *w.context, w); });
      },
      hNode, nodeParams);
}

MUresult muGraphAddHostNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                            size_t numDependencies, const MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddHostNode",
      [&] { return addNode<HostWork>(NEW_NODE, [&](HostWork& w) { return checkHost(nodeParams, w); }); },
      phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphHostNodeGetParams",
      [&]() -> Result {
        MUSA_REQUIRE(nodeParams, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        HostWork* work = nullptr;
        MUSA_TRY(findNodeOf(hNode, node, work));
        *nodeParams = work->params;
        return {};
      },
      hNode, nodeParams);
}

MUresult muGraphHostNodeSetParams(MUgraphNode hNode, const MUSA_HOST_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphHostNodeSetParams",
      [&] { return setNode<HostWork>(hNode, [&](HostWork& w) { return checkHost(nodeParams, w); }); }, hNode,
      nodeParams);
}

MUresult muGraphAddChildGraphNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                  size_t numDependencies, MUgraph childGraph) {
  return graphCall(
      "muGraphAddChildGraphNode", [&] { return addChild(NEW_NODE, childGraph); }, phGraphNode, hGraph,
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
                                        [&](EventRecordWork& w) { return eventOf(event, w.event); });
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
        return setNode<EventRecordWork>(hNode, [&](EventRecordWork& w) { return eventOf(event, w.event); });
      },
      hNode, event);
}

MUresult muGraphAddEventWaitNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                 size_t numDependencies, MUevent event) {
  return graphCall(
      "muGraphAddEventWaitNode",
      [&] {
        return addNode<EventWaitWork>(NEW_NODE, [&](EventWaitWork& w) { return eventOf(event, w.event); });
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
        return setNode<EventWaitWork>(hNode, [&](EventWaitWork& w) { return eventOf(event, w.event); });
      },
      hNode, event);
}

MUresult muGraphAddMemAllocNode(MUgraphNode* phGraphNode, MUgraph hGraph, const MUgraphNode* dependencies,
                                size_t numDependencies, MUSA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  return graphCall(
      "muGraphAddMemAllocNode", [&] { return addAllocation(NEW_NODE, nodeParams); }, phGraphNode, hGraph,
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
      "muGraphAddMemFreeNode", [&] { return addFree(NEW_NODE, dptr); }, phGraphNode, hGraph, dependencies,
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
                                     [&](HostWork& w) { return checkHost(nodeParams, w); });
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
        return setExecNode<EventRecordWork>(hGraphExec, hNode,
                                            [&](EventRecordWork& w) { return eventOf(event, w.event); });
      },
      hGraphExec, hNode, event);
}

MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event) {
  return graphCall(
      "muGraphExecEventWaitNodeSetEvent",
      [&] {
        return setExecNode<EventWaitWork>(hGraphExec, hNode,
                                          [&](EventWaitWork& w) { return eventOf(event, w.event); });
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
