// Code of the libraries as nodes of graphs.
#pragma once

#include <musa_runtime_api.h>

#include <functional>

namespace musashim::libs {

// Adds `work` to `graph` as a node without predecessors. The graph and all that is made of it keep it.
musaError_t addToGraph(musaGraph_t graph, std::function<void()> work);
// Gives a node that addToGraph() added other work.
musaError_t replaceInGraph(musaGraph_t graph, musaGraphNode_t node, std::function<void()> work);

}  // namespace musashim::libs
