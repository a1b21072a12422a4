#include "musa/graph/exec/plan.h"

#include "musa/api/api_call.h"
#include "musa/graph/exec/plan_maker.h"

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
  for (const VariableUse& variable : variables_) {
    MUSA_REQUIRE(variable.isLoaded(), MUSA_ERROR_INVALID_HANDLE, "the module of a variable was unloaded");
  }
  for (Event* event : events_) {
    MUSA_REQUIRE(driver().events.get(event), MUSA_ERROR_INVALID_HANDLE, "an event was destroyed");
  }
  return {};
}

backend::Sequence Plan::sequence(size_t step) const {
  return {std::shared_ptr<const backend::CommandVector>(shared_from_this(), &steps_[step].commands)};
}

Result Plan::submitSingle(Stream& stream, std::span<const backend::Fence> before, backend::Fence& end) {
  if (steps_.empty()) {
    end = stream.submit(backend::Marker{}, before);
    return {};
  }
  const Step& step = steps_.front();
  if (step.awaited) step.awaited->makeWait(stream);
  end = stream.submit(sequence(0), before);
  return step.recorded ? step.recorded->record(stream) : Result{};
}

Result Plan::prepare(std::vector<EventUse>& uses) {
  for (Lane& lane : lanes_) {
    if (!lane.queue) lane.queue = lane.context->device().backend().createQueue(lane.priority);
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (!step.awaited && !step.recorded) continue;
    EventUse use{.step = i};
    if (step.awaited) use.waits = step.awaited->waitCommand(use.wait, use.fence);
    if (step.recorded) MUSA_TRY(step.recorded->prepareRecord(*lanes_[step.lane].queue, use.record));
    uses.push_back(std::move(use));
  }
  return {};
}

void Plan::submit(const backend::Fence& begin, std::span<EventUse> uses, std::vector<backend::Fence>& ends) {
  std::vector<backend::Fence> done(steps_.size());
  std::vector<bool> begun(lanes_.size());
  std::vector<backend::Fence> waits;
  auto use = uses.begin();
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const std::shared_ptr<backend::Queue>& queue = lanes_[step.lane].queue;
    waits.clear();
    if (!begun[step.lane] && begin.queue) waits.push_back(begin);
    begun[step.lane] = true;
    for (size_t before : step.waits) waits.push_back(done[before]);
    EventUse* events = use != uses.end() && use->step == i ? &*use++ : nullptr;
    if (events && events->waits) {
      queue->submit(std::move(events->wait), std::span(&events->fence, events->fence.queue ? 1 : 0));
    }
    done[i] = {queue, queue->submit(sequence(i), waits)};
    if (!step.recorded) continue;
    done[i].value = queue->submit(std::move(events->record.command), {});
    events->recorded = done[i];
  }
  for (size_t tail : tails_) ends.push_back(done[tail]);
}

void Plan::finish(std::span<const EventUse> uses) {
  for (const EventUse& use : uses) {
    Event* event = steps_[use.step].recorded;
    if (event) event->finishRecord(use.record, use.recorded);
  }
}

void Plan::run() {
  std::vector<EventUse> none;  // there are no events in bodies
  std::vector<backend::Fence> ends;
  (void)prepare(none).isOk();
  submit({}, none, ends);
  for (size_t i = 1; i < ends.size(); ++i) ends[i].queue->nudge();
  for (const backend::Fence& end : ends) end.queue->wait(end.value);
}

}  // namespace musashim::musa
