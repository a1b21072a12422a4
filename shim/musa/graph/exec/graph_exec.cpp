#include "musa/graph/exec/graph_exec.h"

#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/graph/exec/exec_update.h"
#include "musa/graph/nodes/graph_memory.h"

namespace musashim::musa {

Result findExec(MUgraphExec handle, GraphExec*& exec) {
  exec = driver().graphExecs.get(handle);
  MUSA_REQUIRE(exec, MUSA_ERROR_INVALID_VALUE, fmt::format("no executable graph {}", fmt::ptr(handle)));
  return {};
}

Result GraphExec::create(Graph& graph, Context& home, uint64_t flags, GraphExec*& exec, GraphNode*& culprit) {
  std::vector<GraphNode*> ordered;
  MUSA_TRY(graph.order(ordered, culprit));
  Graph* copy = nullptr;
  MUSA_TRY(graph.clone(true, copy));
  OwnedGraph owned(copy);
  exec = driver().graphExecs.create(std::move(owned), home, flags);
  Result result = exec->preparePlan();
  if (result.isOk()) {
    if (exec->hasMemory_) graph.memoryUser = exec->memoryUse_ = std::make_shared<int>();
    return {};
  }
  driver().graphExecs.destroy(exec);
  return result;
}

GraphExec::GraphExec(OwnedGraph copy, Context& home, uint64_t flags)
    : copy_(std::move(copy)),
      home_(home),
      homeId_(home.id()),
      flags_(flags),
      hasMemory_(copy_.graph->hasMemoryNodes()) {}

// Work under way goes on: what it needs, the user's objects too, belongs to the plan, which the queues hold.
GraphExec::~GraphExec() = default;

Result GraphExec::preparePlan() {
  Context* home = driver().contexts.get(&home_);
  MUSA_REQUIRE(home && home->id() == homeId_, MUSA_ERROR_CONTEXT_IS_DESTROYED, "the graph's context ended");
  stale_ = false;
  std::shared_ptr<Plan> plan;
  Result made = Plan::make(*copy_.graph, home_, disabled_,
                           (flags_ & MUSA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY) != 0, plan);
  if (made.isOk()) {
    plan_ = std::move(plan);
  } else {
    stale_ = true;
  }
  return made;
}

Result GraphExec::launch(Stream& stream) {
  std::lock_guard lock(mutex_);
  if (stale_ || hasMemory_) {
    GraphLock graphs;
    if (stale_) MUSA_TRY(preparePlan());
    if (hasMemory_) MUSA_TRY(takeMemory(*copy_.graph));
  }
  MUSA_TRY(plan_->check());
  std::vector<backend::Fence> before;
  if (last_.queue && last_.queue != stream.lastFence().queue && !last_.queue->isComplete(last_.value)) {
    before.push_back(last_);
  }
  if (plan_->isSingle() && &plan_->home() == &stream.context())
    return plan_->submitSingle(stream, before, last_);
  std::vector<Plan::EventUse> events;
  MUSA_TRY(plan_->prepare(events));
  last_ = stream.submitGroup(before, [&](const backend::Fence& begin, std::vector<backend::Fence>& ends) {
    plan_->submit(begin, events, ends);
  });
  plan_->finish(events);
  return {};
}

Result GraphExec::upload(Stream& stream) {
  std::lock_guard lock(mutex_);
  if (stale_) {
    GraphLock graphs;
    MUSA_TRY(preparePlan());
  }
  stream.submit(backend::Marker{});
  return {};
}

Result GraphExec::findCopy(MUgraphNode original, GraphNode*& copy) {
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(original, node));
  copy = copy_.graph->counterpart(node->id());
  MUSA_REQUIRE(copy, MUSA_ERROR_INVALID_VALUE, "not a node of the graph this was instantiated from");
  return {};
}

// The plan goes, with what it holds of the user's, unless a launch is being made by it.
void GraphExec::changed() {
  stale_ = true;
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) plan_.reset();
}

void GraphExec::setEnabled(GraphNode& copy, bool enabled) {
  if (enabled) {
    disabled_.erase(&copy);
  } else {
    disabled_.insert(&copy);
  }
  changed();
}

Result GraphExec::update(Graph& graph, MUgraphExecUpdateResultInfo& info) {
  MUSA_TRY(updateGraph(*copy_.graph, graph, info));
  changed();
  return {};
}

// ---- Allocation nodes

// All allocations must be free, or be freed by an earlier launch's rules; all frees must find
// something allocated, here or by other graphs.
Result GraphExec::checkMemory(const Graph& graph, std::unordered_set<MUdeviceptr>& live) const {
  bool autoFree = (flags_ & MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  std::vector<GraphNode*> ordered;
  GraphNode* culprit = nullptr;
  MUSA_TRY(graph.order(ordered, culprit));
  for (GraphNode* node : ordered) {
    if (auto* child = node->as<ChildWork>()) MUSA_TRY(checkMemory(*child->child.graph, live));
    if (auto* allocation = node->as<AllocWork>()) {
      MUSA_REQUIRE(autoFree || !allocation->memory->isAllocated(), MUSA_ERROR_INVALID_VALUE,
                   "memory of an earlier launch was not freed");
      live.insert(allocation->memory->address());
    }
    if (auto* release = node->as<FreeWork>()) {
      auto memory = GraphMemory::find(release->address);
      bool fine = live.erase(release->address) != 0 || (memory && memory->isAllocated());
      MUSA_REQUIRE(fine, MUSA_ERROR_INVALID_VALUE, "a free node's memory is not allocated");
    }
  }
  return {};
}

Result GraphExec::takeMemory(const Graph& graph) {
  std::unordered_set<MUdeviceptr> live;
  if (&graph == copy_.graph) MUSA_TRY(checkMemory(graph, live));
  std::vector<GraphNode*> ordered;
  GraphNode* culprit = nullptr;
  MUSA_TRY(graph.order(ordered, culprit));
  for (GraphNode* node : ordered) {
    if (auto* child = node->as<ChildWork>()) MUSA_TRY(takeMemory(*child->child.graph));
    if (auto* allocation = node->as<AllocWork>()) {
      allocation->memory->free();  // by automatic free on launch
      allocation->memory->allocate();
    }
    if (auto* release = node->as<FreeWork>()) {
      if (auto memory = GraphMemory::find(release->address)) memory->free();
    }
  }
  return {};
}

}  // namespace musashim::musa
