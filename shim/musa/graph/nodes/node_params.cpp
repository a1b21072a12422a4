#include "musa/graph/nodes/node_params.h"

#include "musa/graph/nodes/condition.h"
#include "musa/graph/nodes/graph_memory.h"
#include "musa/graph/nodes/memory_nodes.h"

namespace musashim::musa {

Result contextOr(MUcontext handle, Context*& context) {
  return handle ? findContext(handle, context) : currentContext(context);
}

Result makeHostWork(const MUSA_HOST_NODE_PARAMS* params, HostWork& work) {
  MUSA_REQUIRE(params && params->fn, MUSA_ERROR_INVALID_VALUE, "no function");
  work.params = *params;
  return {};
}

Result findNodeEvent(MUevent handle, Event*& event) {
  event = driver().events.get(handle);
  MUSA_REQUIRE(event, MUSA_ERROR_INVALID_VALUE, fmt::format("no event {}", fmt::ptr(handle)));
  return {};
}

Result addChildNode(const NewNode& where, MUgraph childGraph) {
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

Result addAllocationNode(const NewNode& where, MUSA_MEM_ALLOC_NODE_PARAMS* params) {
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

Result addFreeNode(const NewNode& where, MUdeviceptr address) {
  Graph* graph = nullptr;
  MUSA_TRY(findGraph(where.graph, graph));
  MUSA_TRY(checkFreeWork(*graph, address));
  return addNode<FreeWork>(where, [&](FreeWork& work) {
    work.address = address;
    return Result();
  });
}

Result addConditionalNode(const NewNode& where, MUSA_CONDITIONAL_NODE_PARAMS& params) {
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

}  // namespace musashim::musa
