#include "musa/graph/plan.h"

#include "musa/api_call.h"
#include "musa/graph/plan_maker.h"

namespace musashim::musa {

Result Plan::make(const Graph& graph, Context& home, const std::unordered_set<const GraphNode*>& disabled,
                  bool nodePriorities, std::shared_ptr<Plan>& plan) {
  plan.reset(new Plan(home));
  return PlanMaker(*plan, disabled, nodePriorities).make(graph);
}

Result Plan::check() const {
  for (const Lane& lane : lanes_) {
    Context* context = driver().contexts.get(lane.context);
    MUSA_REQUIRE(context && context->id() == lane.contextId, MUSA_ERROR_CONTEXT_IS_DESTROYED,
                 "a context of the graph was destroyed");
    MUSA_TRY(context->fault());
  }
  for (Function* function : functions_) {
    MUSA_REQUIRE(driver().functions.get(function), MUSA_ERROR_INVALID_HANDLE, "a kernel was unloaded");
  }
  for (Event* event : events_) {
    MUSA_REQUIRE(driver().events.get(event), MUSA_ERROR_INVALID_HANDLE, "an event was destroyed");
  }
  return {};
}

backend::Sequence Plan::sequence(size_t step) const {
  return {std::shared_ptr<const backend::CommandVector>(shared_from_this(), &steps_[step].commands)};
}

Result Plan::submit(const backend::Fence& begin, std::vector<backend::Fence>& ends) {
  Result result;
  std::vector<backend::Fence> done(steps_.size());
  std::vector<bool> begun(lanes_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    Lane& lane = lanes_[step.lane];
    if (!lane.queue) lane.queue = lane.context->device().backend().createQueue(lane.priority);
    std::vector<backend::Fence> waits;
    if (!begun[step.lane] && begin.queue) waits.push_back(begin);
    begun[step.lane] = true;
    for (size_t before : step.waits) waits.push_back(done[before]);
    if (step.awaited) step.awaited->makeWaitOn(*lane.queue);
    done[i] = {lane.queue, lane.queue->submit(sequence(i), waits)};
    if (step.recorded) {
      Result recorded = step.recorded->recordOn(lane.queue);
      if (result.isOk()) result = std::move(recorded);
      done[i].value = lane.queue->lastSubmitted();
    }
  }
  for (size_t tail : tails_) ends.push_back(done[tail]);
  return result;
}

void Plan::run() {
  std::vector<backend::Fence> ends;
  (void)submit({}, ends).isOk();  // there are no events in bodies
  for (size_t i = 1; i < ends.size(); ++i) ends[i].queue->nudge();
  for (const backend::Fence& end : ends) end.queue->wait(end.value);
}

}  // namespace musashim::musa
