#include "musa/graph/exec/plan_maker.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <ranges>

#include "musa/api/api_call.h"
#include "musa/graph/exec/conditional_run.h"
#include "musa/graph/nodes/condition.h"
#include "musa/graph/user_object.h"
#include "musa/stream/host_work.h"
#include "musa/stream/memory_operation.h"

namespace musashim::musa {
namespace {

// More branches than this share queues, in an order that their edges allow.
constexpr size_t kLanes = 32;

// Where as many nodes wait for as many others, all for the same, they wait for a join of those: the fences
// are then as many as the nodes and not as their product.
constexpr size_t kJoined = 8;

constexpr size_t kNone = SIZE_MAX;

// Nodes that depend on the same ones, named in the same order.
struct Sharers {
  size_t count = 0;
  size_t join = kNone;  // their item
};
struct SameNodes {
  bool operator()(const std::vector<GraphNode*>* a, const std::vector<GraphNode*>* b) const {
    return *a < *b;
  }
};

void assignInitialValues(void* data, const Status&) {
  for (const auto& cell : *static_cast<std::vector<std::shared_ptr<ConditionCell>>*>(data)) {
    cell->value->store(cell->initial);
  }
}

}  // namespace

Result PlanMaker::make(const Graph& graph) {
  std::vector<size_t> before, after;
  collectShared(graph);
  if (!initial_.empty()) before.push_back(addItem(nullptr, {}));
  MUSA_TRY(flatten(graph, before, after));
  return finish();
}

Result PlanMaker::makeBody(const Graph& graph) {
  std::vector<size_t> after;
  MUSA_TRY(flatten(graph, {}, after));
  return finish();
}

Result PlanMaker::finish() {
  chooseLanes();
  findLastRecords();
  makeSteps();
  for (Item& item : items_) MUSA_TRY(addCommand(item, plan_.steps_[item.step]));
  const bool alone = plan_.steps_.size() == 1 && plan_.lanes_[0].context == &plan_.home_;
  plan_.single_ = alone || plan_.steps_.empty();
  return {};
}

// Conditions and the user's objects in this graph and in all that is inside it. Objects stay until launches
// by this plan have ended, whatever becomes of the graph.
void PlanMaker::collectShared(const Graph& graph) {
  for (const auto& [object, count] : graph.userObjects())
    plan_.kept_.push_back(std::make_shared<UserObjectReference>(*object));
  for (const auto& cell : graph.cells()) {
    if (cell->assignInitial) initial_.push_back(cell);
  }
  for (GraphNode* node : graph.nodes()) {
    if (auto* child = node->as<ChildWork>()) collectShared(*child->child.graph);
    if (auto* conditional = node->as<ConditionalWork>()) {
      for (const OwnedGraph& body : conditional->bodies) collectShared(*body.graph);
    }
  }
}

// ---- Flattening

size_t PlanMaker::addItem(const GraphNode* source, std::vector<size_t> dependencies) {
  std::sort(dependencies.begin(), dependencies.end());
  dependencies.erase(std::unique(dependencies.begin(), dependencies.end()), dependencies.end());
  Item& item = items_.emplace_back();
  item.source = source;
  item.dependencies = std::move(dependencies);
  return items_.size() - 1;
}

size_t PlanMaker::addJoin(std::vector<size_t> dependencies) {
  size_t join = addItem(nullptr, std::move(dependencies));
  items_[join].joins = true;
  return join;
}

Result PlanMaker::flatten(const Graph& graph, const std::vector<size_t>& before, std::vector<size_t>& after) {
  std::vector<GraphNode*> ordered;
  GraphNode* culprit = nullptr;
  MUSA_TRY(graph.order(ordered, culprit));
  size_t rootCount = 0;
  std::map<const std::vector<GraphNode*>*, Sharers, SameNodes> sharers;
  for (GraphNode* node : ordered) {
    rootCount += node->dependencies().empty();
    if (node->dependencies().size() >= kJoined) ++sharers[&node->dependencies()].count;
  }
  std::vector<size_t> begin = before;
  if (begin.size() >= kJoined && rootCount >= kJoined) begin = {addJoin(begin)};
  // What stands for a node's end: its item, or the ends of the graph inside it.
  std::unordered_map<const GraphNode*, std::vector<size_t>> ends;
  for (GraphNode* node : ordered) {
    auto* kernel = node->as<KernelWork>();
    MUSA_REQUIRE(!kernel || driver().functions.get(kernel->function), MUSA_ERROR_INVALID_HANDLE,
                 "a kernel's module was unloaded");
    std::vector<size_t> dependencies;
    auto sharer = sharers.find(&node->dependencies());
    const bool shares = sharer != sharers.end() && sharer->second.count >= kJoined;
    if (shares && sharer->second.join != kNone) {
      dependencies = {sharer->second.join};
    } else if (node->dependencies().empty()) {
      dependencies = begin;
    } else {
      for (GraphNode* dependency : node->dependencies()) {
        const auto& end = ends[dependency];
        dependencies.insert(dependencies.end(), end.begin(), end.end());
      }
      if (shares) dependencies = {sharer->second.join = addJoin(std::move(dependencies))};
    }
    auto* child = node->as<ChildWork>();
    if (child && !disabled_.contains(node)) {
      MUSA_TRY(flatten(*child->child.graph, dependencies, ends[node]));
    } else {
      ends[node] = {addItem(node, std::move(dependencies))};
    }
    if (!node->dependents().empty()) continue;
    after.insert(after.end(), ends[node].begin(), ends[node].end());
  }
  if (ordered.empty()) after = before;
  return {};
}

// ---- Lanes

Context* PlanMaker::contextOf(const Item& item) const {
  if (!item.source) return nullptr;
  const NodeWork& work = item.source->work;
  if (auto* kernel = std::get_if<KernelWork>(&work)) return &kernel->function->context();
  if (auto* copy = std::get_if<CopyWork>(&work)) return copy->context;
  if (auto* fill = std::get_if<FillWork>(&work)) return fill->context;
  if (auto* operations = std::get_if<MemOpWork>(&work)) return operations->context;
  if (auto* conditional = std::get_if<ConditionalWork>(&work)) return conditional->context;
  return nullptr;  // any will do
}

int PlanMaker::priorityOf(const Item& item) const {
  if (!nodePriorities_ || !item.source) return 0;
  auto* kernel = item.source->as<KernelWork>();
  if (!kernel) return 0;
  auto found = kernel->attributes.find(MU_LAUNCH_ATTRIBUTE_PRIORITY);
  return found == kernel->attributes.end() ? 0 : found->second.priority;
}

// The lane whose last item this one depends on; else a new lane; else the one used least lately.
size_t PlanMaker::chooseLane(const Item& item, std::vector<size_t>& tails) {
  Context* context = contextOf(item);
  auto suits = [&](size_t lane) { return !context || plan_.lanes_[lane].context == context; };
  for (size_t dependency : item.dependencies) {
    size_t lane = items_[dependency].lane;
    if (tails[lane] == dependency && suits(lane)) return lane;
  }
  if (plan_.lanes_.size() < kLanes) {
    Context& owner = context ? *context : plan_.home_;
    plan_.lanes_.push_back({&owner, owner.id(), priorityOf(item), nullptr});
    tails.push_back(kNone);
    return tails.size() - 1;
  }
  size_t oldest = kNone;
  for (size_t lane = 0; lane < tails.size(); ++lane) {
    if (suits(lane) && (oldest == kNone || tails[lane] < tails[oldest])) oldest = lane;
  }
  if (oldest != kNone) return oldest;
  plan_.lanes_.push_back({context, context->id(), priorityOf(item), nullptr});
  tails.push_back(kNone);
  return tails.size() - 1;
}

void PlanMaker::chooseLanes() {
  std::vector<size_t> tails;  // the last item of each lane
  for (size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    item.lane = chooseLane(item, tails);
    tails[item.lane] = i;
    chooseWaits(item);
  }
}

// The last dependency in each other lane, as lanes keep their order, less what an earlier item of this lane
// has waited for.
void PlanMaker::chooseWaits(Item& item) {
  if (seen_.size() <= item.lane) seen_.resize(item.lane + 1);
  std::vector<size_t>& seen = seen_[item.lane];
  seen.resize(plan_.lanes_.size());
  for (size_t dependency : item.dependencies | std::views::reverse) {
    Item& before = items_[dependency];
    if (before.lane == item.lane || seen[before.lane] > dependency) continue;
    seen[before.lane] = dependency + 1;
    before.awaitedByOthers = true;
    item.waits.push_back(dependency);
  }
}

// ---- Steps

// Records of each event but the last do nothing: a launch that has been queued is over for all who look at
// the event. Each would begin a new step.
void PlanMaker::findLastRecords() {
  for (size_t i = 0; i < items_.size(); ++i) {
    const GraphNode* node = items_[i].source;
    const EventRecordWork* record = node ? node->as<EventRecordWork>() : nullptr;
    if (record && !disabled_.contains(node)) lastRecords_[record->event] = i;
  }
}

bool PlanMaker::records(const Item& item) const {
  if (!item.source || disabled_.contains(item.source)) return false;
  const EventRecordWork* record = item.source->as<EventRecordWork>();
  return record && &items_[lastRecords_.at(record->event)] == &item;
}

void PlanMaker::makeSteps() {
  constexpr size_t kClosed = SIZE_MAX;
  std::vector<size_t> open(plan_.lanes_.size(), kClosed);
  plan_.tails_.assign(plan_.lanes_.size(), kClosed);
  for (Item& item : items_) {
    bool awaits = item.source && item.source->as<EventWaitWork>() && !disabled_.contains(item.source);
    size_t& current = open[item.lane];
    if (current == kClosed || !item.waits.empty() || awaits) {
      current = plan_.steps_.size();
      Plan::Step& step = plan_.steps_.emplace_back();
      step.lane = item.lane;
      for (size_t before : item.waits) step.waits.push_back(items_[before].step);
    }
    item.step = current;
    plan_.tails_[item.lane] = current;
    if (item.awaitedByOthers || records(item)) current = kClosed;
  }
}

// ---- Commands

template <class Data>
void PlanMaker::call(void (*function)(void*, const Status&), std::shared_ptr<Data> data, Plan::Step& step) {
  step.commands.commands.emplace_back(backend::HostCall{function, data.get(), false});
  plan_.kept_.push_back(std::move(data));
}

Result PlanMaker::addCommand(const Item& item, Plan::Step& step) {
  if (item.joins) return {};
  if (!item.source) {
    call(assignInitialValues, std::make_shared<decltype(initial_)>(initial_), step);
    return {};
  }
  if (disabled_.contains(item.source)) return {};
  const NodeWork& work = item.source->work;
  auto& commands = step.commands.commands;
  if (auto* one = std::get_if<KernelWork>(&work)) return kernel(*one, step);
  const auto uses = [&](const std::vector<VariableUse>& variables) {
    plan_.variables_.insert(plan_.variables_.end(), variables.begin(), variables.end());
  };
  if (auto* one = std::get_if<CopyWork>(&work)) {
    commands.emplace_back(one->copy);
    uses(one->variables);
  }
  if (auto* one = std::get_if<FillWork>(&work)) {
    commands.emplace_back(one->fill);
    uses(one->variables);
  }
  if (auto* one = std::get_if<HostWork>(&work)) {
    auto call = std::make_shared<QueuedHostWork>(
        QueuedHostWork{.function = one->params.fn, .userData = one->params.userData});
    this->call(runQueuedHostWork, std::move(call), step);
  }
  if (auto* one = std::get_if<EventRecordWork>(&work); one && records(item)) {
    step.recorded = one->event;
    plan_.events_.push_back(one->event);
  }
  if (auto* one = std::get_if<EventWaitWork>(&work)) {
    step.awaited = one->event;
    plan_.events_.push_back(one->event);
  }
  if (auto* one = std::get_if<MemOpWork>(&work)) {
    std::shared_ptr<void> keep;
    commands.emplace_back(memoryOperationsCall(*one->context, one->operations, keep));
    plan_.kept_.push_back(std::move(keep));
  }
  if (auto* one = std::get_if<AllocWork>(&work)) plan_.kept_.push_back(one->memory);
  if (auto* one = std::get_if<ConditionalWork>(&work)) return conditional(*one, step);
  return {};
}

Result PlanMaker::kernel(const KernelWork& work, Plan::Step& step) {
  backend::KernelLaunch launch{.kernel = &work.function->kernel(),
                               .grid = work.grid,
                               .block = work.block,
                               .dynamicSharedBytes = work.sharedBytes,
                               .cooperative = work.cooperative(),
                               .params = backend::ParamBuffer(work.params.size())};
  if (!work.params.empty()) std::memcpy(launch.params.data(), work.params.data(), work.params.size());
  step.commands.commands.emplace_back(std::move(launch));
  plan_.functions_.push_back(work.function);
  return {};
}

Result PlanMaker::conditional(const ConditionalWork& work, Plan::Step& step) {
  auto run = std::make_shared<ConditionalRun>();
  run->context = work.context;
  run->contextId = work.context->id();
  run->cell = work.cell;
  run->type = work.type;
  for (const OwnedGraph& body : work.bodies) {
    std::shared_ptr<Plan> plan(new Plan(*work.context));
    MUSA_TRY(PlanMaker(*plan, disabled_, nodePriorities_).makeBody(*body.graph));
    plan_.functions_.insert(plan_.functions_.end(), plan->functions_.begin(), plan->functions_.end());
    plan_.variables_.insert(plan_.variables_.end(), plan->variables_.begin(), plan->variables_.end());
    run->bodies.push_back(std::move(plan));
  }
  call(runConditional, std::move(run), step);
  return {};
}

}  // namespace musashim::musa
