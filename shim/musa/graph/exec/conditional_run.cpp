#include "musa/graph/exec/conditional_run.h"

#include "musa/api/api_call.h"

namespace musashim::musa {
namespace {

bool mayGoOn(const ConditionalRun& run) {
  Context* context = driver().contexts.get(run.context);
  return context && context->id() == run.contextId && !context->isEnding() && context->fault().isOk();
}

}  // namespace

void runConditional(void* data, const Status&) {
  const auto& run = *static_cast<ConditionalRun*>(data);
  auto value = [&] { return run.cell->value->load(std::memory_order_acquire); };
  switch (run.type) {
    case MU_GRAPH_COND_TYPE_IF: {
      size_t body = value() != 0 ? 0 : 1;
      if (body < run.bodies.size()) run.bodies[body]->run();
      return;
    }
    case MU_GRAPH_COND_TYPE_WHILE:
      while (value() != 0 && mayGoOn(run)) run.bodies[0]->run();
      return;
    case MU_GRAPH_COND_TYPE_SWITCH:
      if (uint32_t body = value(); body < run.bodies.size()) run.bodies[body]->run();
      return;
  }
}

}  // namespace musashim::musa
