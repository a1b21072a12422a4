// Makes plans (see plan.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "musa/graph/exec/plan.h"

namespace musashim::musa {

class PlanMaker {
 public:
  PlanMaker(Plan& plan, const std::unordered_set<const GraphNode*>& disabled, bool nodePriorities)
      : plan_(plan), disabled_(disabled), nodePriorities_(nodePriorities) {}

  // A whole graph; its launches begin with the initial values of conditions.
  Result make(const Graph& graph);
  // The body of a conditional node.
  Result makeBody(const Graph& graph);

 private:
  // A node to run, or (no source) the assignment of initial values or a join.
  struct Item {
    const GraphNode* source = nullptr;
    bool joins = false;                // does nothing but wait
    std::vector<size_t> dependencies;  // items before this one
    size_t lane = 0;
    std::vector<size_t> waits;     // those of the dependencies that its step has to wait for
    bool awaitedByOthers = false;  // an item of another lane waits for it
    size_t step = 0;
  };

  // Adds the graph's nodes behind the items `before`; `after` gets what ends it.
  Result flatten(const Graph& graph, const std::vector<size_t>& before, std::vector<size_t>& after);
  size_t addItem(const GraphNode* source, std::vector<size_t> dependencies);
  size_t addJoin(std::vector<size_t> dependencies);
  void collectShared(const Graph& graph);
  Result finish();

  Context* contextOf(const Item& item) const;
  int priorityOf(const Item& item) const;
  void chooseLanes();
  size_t chooseLane(const Item& item, std::vector<size_t>& tails);
  void chooseWaits(Item& item);
  void findLastRecords();
  bool records(const Item& item) const;
  void makeSteps();
  Result addCommand(const Item& item, Plan::Step& step);

  Result kernel(const KernelWork& work, Plan::Step& step);
  Result conditional(const ConditionalWork& work, Plan::Step& step);
  template <class Data>
  void call(void (*function)(void*, const Status&), std::shared_ptr<Data> data, Plan::Step& step);

  Plan& plan_;
  const std::unordered_set<const GraphNode*>& disabled_;
  const bool nodePriorities_;
  std::vector<Item> items_;
  std::unordered_map<const Event*, size_t> lastRecords_;  // items
  std::vector<std::shared_ptr<ConditionCell>> initial_;   // conditions that a launch assigns
  // For each pair of lanes: behind which item of the second the first has waited, plus 1.
  std::vector<std::vector<size_t>> seen_;
};

}  // namespace musashim::musa
