// What the log tells of a machine and its graphs, in NCCL's words.
#pragma once

#include <vector>

#include "mccl/hosts/schedule.h"
#include "mccl/topology/graph.h"

namespace musashim::mccl::topology {

void report(const Paths& paths, const std::vector<Graph>& graphs);
// `channels`: the ranks of each.
void reportChannels(const Graph& graph, const std::vector<std::vector<int>>& channels, const HostMap& hosts);

}  // namespace musashim::mccl::topology
