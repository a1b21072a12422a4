// What the log tells of a machine and its graphs, in NCCL's words.
#pragma once

#include <vector>

#include "mccl/topology/channel_plan.h"
#include "mccl/topology/graph.h"

namespace musashim::mccl::topology {

void report(const Paths& paths, const std::vector<Graph>& graphs);
// Rings and trees of ranks that are all of one host; across hosts see hosts/agreement.h.
void reportChannels(const ChannelPlan& plan);

}  // namespace musashim::mccl::topology
