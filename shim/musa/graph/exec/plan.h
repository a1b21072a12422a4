// A graph made ready to run: which commands go to which queue, and what waits for what.
//
//   nodes, graphs inside them flattened -> lanes (a queue each) -> steps (commands in a row)
//
// A step is a stretch of one lane between two places where lanes meet. A graph without
// branches is one step, which goes to the launching stream in one piece.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "musa/graph/graph.h"
#include "musa/stream/event.h"
#include "musa/stream/stream.h"

namespace musashim::musa {

class Plan : public std::enable_shared_from_this<Plan> {
 public:
  // With GraphLock. `home`: the context of nodes that have none of their own. Disabled nodes
  // do nothing. Fails when the graph has a cycle.
  static Result make(const Graph& graph, Context& home, const std::unordered_set<const GraphNode*>& disabled,
                     bool nodePriorities, std::shared_ptr<Plan>& plan);

  // One step or none at all, for a stream of the home context: may be submitted as it is.
  bool isSingle() const { return single_; }
  Context& home() const { return home_; }
  backend::Sequence sequence(size_t step) const;
  Result submitSingle(Stream& stream, std::span<const backend::Fence> before, backend::Fence& end);

  // A launch: prepare(), then submit() while no one else submits to the stream, then finish().
  // One caller at a time. Events are looked at before and changed after the middle part, as
  // their locks are taken before those of streams elsewhere.
  struct EventUse {
    size_t step = 0;
    bool waits = false;
    backend::Command wait = {};
    backend::Fence fence = {};
    Event::PendingRecord record = {};
    backend::Fence recorded = {};
  };
  Result prepare(std::vector<EventUse>& uses);
  // Everything runs after `begin`; `ends` are complete when all is.
  void submit(const backend::Fence& begin, std::span<EventUse> uses, std::vector<backend::Fence>& ends);
  void finish(std::span<const EventUse> uses);
  // All of it at once, on this thread, which helps. For bodies of conditional nodes.
  void run();

  // Fails when something that the plan uses was destroyed meanwhile.
  Result check() const;

 private:
  friend class PlanMaker;
  explicit Plan(Context& home) : home_(home) {}

  struct Lane {
    Context* context;
    uint64_t contextId;
    int priority;
    std::shared_ptr<backend::Queue> queue;  // made when first needed
  };
  struct Step {
    size_t lane = 0;
    std::vector<size_t> waits;  // steps of other lanes
    Event* recorded = nullptr;  // after the commands
    Event* awaited = nullptr;   // before them
    backend::CommandVector commands;
  };

  Context& home_;
  bool single_ = false;
  std::vector<Lane> lanes_;
  std::vector<Step> steps_;
  std::vector<size_t> tails_;  // the last step of each lane
  std::vector<Function*> functions_;
  std::vector<Event*> events_;
  std::vector<VariableUse> variables_;
  std::vector<std::shared_ptr<void>> kept_;  // what commands point to
};

}  // namespace musashim::musa
