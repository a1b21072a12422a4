// A picture of a graph, in Graphviz's language.
#pragma once

#include "musa/graph/graph.h"

namespace musashim::musa {

// `flags`: MU_GRAPH_DEBUG_DOT_FLAGS_*, which details to write. Fails when the file cannot be.
Result writeDot(const Graph& graph, const char* path, unsigned flags);

}  // namespace musashim::musa
