// Taking over the parameters of a graph into a copy of an earlier one of the same shape.
#pragma once

#include "musa/graph/graph.h"

namespace musashim::musa {

// Either all nodes are updated, or none and `info` says which node stands in the way.
Result updateGraph(Graph& copy, const Graph& graph, MUgraphExecUpdateResultInfo& info);

// One node's work by other work of the same kind; fails where the API allows no such change.
Result replaceWork(GraphNode& copy, NodeWork work);

}  // namespace musashim::musa
