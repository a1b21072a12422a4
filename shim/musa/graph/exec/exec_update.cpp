#include "musa/graph/exec/exec_update.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "musa/api/api_call.h"

namespace musashim::musa {
namespace {

bool isDevices(const void* pointer) {
  auto allocation = driver().allocations().find(reinterpret_cast<uintptr_t>(pointer));
  return allocation && allocation->isDevice();
}

bool isFlat(const backend::Copy& copy) { return copy.height == 1 && copy.depth == 1; }

// Copies and fills may change within one context, one row, and the same sides.
bool mayReplace(const NodeWork& before, const NodeWork& after) {
  if (auto* old = std::get_if<CopyWork>(&before)) {
    const CopyWork& changed = std::get<CopyWork>(after);
    const backend::Copy &a = old->copy, &b = changed.copy;
    bool same = std::memcmp(&a, &b, sizeof a) == 0;
    return old->context == changed.context && (same || (isFlat(a) && isFlat(b))) &&
           isDevices(a.dst) == isDevices(b.dst) && isDevices(a.src) == isDevices(b.src);
  }
  if (auto* old = std::get_if<FillWork>(&before)) {
    const FillWork& changed = std::get<FillWork>(after);
    bool same = std::memcmp(&old->fill, &changed.fill, sizeof old->fill) == 0;
    return old->context == changed.context && (same || (old->fill.height == 1 && changed.fill.height == 1));
  }
  return true;
}

// Pairs nodes in the order in which they were made, and checks everything before anything is
// changed.
class Updater {
 public:
  explicit Updater(MUgraphExecUpdateResultInfo& info) : info_(info) {}

  bool pair(Graph& copy, const Graph& graph) {
    const auto &ours = copy.nodes(), &theirs = graph.nodes();
    if (ours.size() != theirs.size()) {
      return fail(MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr);
    }
    graphs_.emplace_back(&copy, &graph);
    std::unordered_map<const GraphNode*, const GraphNode*> partner;
    for (size_t i = 0; i < ours.size(); ++i) partner[theirs[i]] = ours[i];
    for (size_t i = 0; i < ours.size(); ++i) {
      if (!sameEdges(*ours[i], *theirs[i], partner)) {
        return fail(MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, theirs[i]);
      }
      if (ours[i]->type() != theirs[i]->type()) {
        return fail(MU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, theirs[i]);
      }
      if (!pairInside(*ours[i], *theirs[i])) return false;
    }
    return true;
  }

  void apply() {
    for (auto& [ours, theirs] : pairs_) std::visit(Take{*ours}, theirs->work);
    for (auto& [ours, theirs] : graphs_) ours->takeUserObjects(*theirs);
  }

 private:
  // Copies plain work; graphs inside were paired by themselves, memory nodes keep theirs.
  struct Take {
    GraphNode& ours;
    void operator()(const ChildWork&) const {}
    void operator()(const ConditionalWork&) const {}
    void operator()(const AllocWork&) const {}
    void operator()(const FreeWork&) const {}
    template <class Work>
    void operator()(const Work& work) const {
      ours.work = work;
    }
  };

  static bool sameEdges(const GraphNode& ours, const GraphNode& theirs,
                        std::unordered_map<const GraphNode*, const GraphNode*>& partner) {
    std::vector<const GraphNode*> a(ours.dependencies().begin(), ours.dependencies().end()), b;
    for (GraphNode* node : theirs.dependencies()) b.push_back(partner[node]);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }

  bool pairInside(GraphNode& ours, GraphNode& theirs) {
    pairs_.emplace_back(&ours, &theirs);
    if (auto* child = ours.as<ChildWork>()) {
      return pair(*child->child.graph, *theirs.as<ChildWork>()->child.graph);
    }
    if (auto* conditional = ours.as<ConditionalWork>()) {
      auto* other = theirs.as<ConditionalWork>();
      if (conditional->type != other->type || conditional->cell != other->cell ||
          conditional->bodies.size() != other->bodies.size()) {
        return fail(MU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, &theirs);
      }
      for (size_t i = 0; i < conditional->bodies.size(); ++i) {
        if (!pair(*conditional->bodies[i].graph, *other->bodies[i].graph)) return false;
      }
      return true;
    }
    if (ours.as<AllocWork>() || ours.as<FreeWork>()) {
      return fail(MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, &theirs);
    }
    if (auto* kernel = ours.as<KernelWork>()) {
      auto* other = theirs.as<KernelWork>();
      if (&kernel->function->context() != &other->function->context()) {
        return fail(MU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE, &theirs);
      }
      if (kernel->cooperative() != other->cooperative()) {
        return fail(MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, &theirs);
      }
    }
    if (!mayReplace(ours.work, theirs.work))
      return fail(MU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, &theirs);
    return true;
  }

  bool fail(MUgraphExecUpdateResult result, GraphNode* node) {
    info_.result = result;
    info_.errorNode = node ? node->handle() : nullptr;
    return false;
  }

  MUgraphExecUpdateResultInfo& info_;
  std::vector<std::pair<GraphNode*, GraphNode*>> pairs_;
  std::vector<std::pair<Graph*, const Graph*>> graphs_;
};

}  // namespace

Result updateGraph(Graph& copy, const Graph& graph, MUgraphExecUpdateResultInfo& info) {
  info = {MU_GRAPH_EXEC_UPDATE_SUCCESS, nullptr, nullptr};
  Updater updater(info);
  MUSA_REQUIRE(updater.pair(copy, graph), MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
               "the graphs differ in more than parameters");
  updater.apply();
  return {};
}

Result replaceWork(GraphNode& copy, NodeWork work) {
  MUSA_REQUIRE(typeOf(work) == copy.type(), MUSA_ERROR_INVALID_VALUE, "the node is of another kind");
  if (auto* kernel = std::get_if<KernelWork>(&work)) {
    MUSA_REQUIRE(&kernel->function->context() == &copy.as<KernelWork>()->function->context(),
                 MUSA_ERROR_INVALID_VALUE, "a kernel of another context");
    kernel->attributes = copy.as<KernelWork>()->attributes;
  }
  MUSA_REQUIRE(mayReplace(copy.work, work), MUSA_ERROR_INVALID_VALUE,
               "another context, other sides, or more than one row");
  copy.work = std::move(work);
  return {};
}

}  // namespace musashim::musa
