// Finds the channels of a graph: at the highest speed that some have, as many as the links carry.
#pragma once

#include "mccl/topology/graph.h"

namespace musashim::mccl::topology {

struct SearchRequest {
  GraphId id = GraphId::kRing;   // the ring or the tree
  bool severalMachines = false;  // channels begin and end at network devices
  // Whether channels may leave by another network device than they come in by. 0: never, 1: as any, 2: where
  // it helps (MCCL_CROSS_NIC).
  int crossNic = 2;
};

// Without a channel where the machine has no network device or no GPU that a channel needs.
Graph searchGraph(const Paths& paths, const SearchRequest& request);

// All that NCCL writes to a file: ring and tree, and those that no machine of this kind has, empty.
std::vector<Graph> searchGraphs(const Paths& paths, bool severalMachines, int crossNic);

}  // namespace musashim::mccl::topology
