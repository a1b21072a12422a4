// What a conditional node does when its turn comes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interface/status.h"
#include "musa.h"
#include "musa/graph/exec/plan.h"
#include "musa/graph/nodes/condition.h"

namespace musashim::musa {

struct ConditionalRun {
  Context* context = nullptr;
  uint64_t contextId = 0;
  std::shared_ptr<ConditionCell> cell;
  MUgraphConditionalNodeType type = MU_GRAPH_COND_TYPE_IF;
  std::vector<std::shared_ptr<Plan>> bodies;
};

// A HostCall on a ConditionalRun: runs the bodies that the value asks for, waiting for them.
// A loop ends when the device faults or the context ends.
void runConditional(void* data, const Status& status);

}  // namespace musashim::musa
