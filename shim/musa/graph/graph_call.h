// What entries of graphs share.
#pragma once

#include <fmt/format.h>

#include <span>
#include <utility>

#include "musa/api/api_call.h"
#include "musa/graph/exec/exec_update.h"
#include "musa/graph/exec/graph_exec.h"
#include "musa/graph/graph.h"

namespace musashim::musa {

// apiCall() with the graphs' lock held.
template <class Body, class... Args>
MUresult graphCall(const char* name, Body&& body, const Args&... args) {
  return apiCall(
      name,
      [&]() -> Result {
        GraphLock lock;
        return body();
      },
      args...);
}

// A new node in the user's graph, behind its dependencies.
struct NewNode {
  MUgraphNode* out;
  MUgraph graph;
  const MUgraphNode* dependencies;
  size_t count;
};

// `make` turns the parameters into work: Result(Work&).
template <class Work, class Make>
Result addNode(const NewNode& where, Make&& make) {
  MUSA_REQUIRE(where.out && (where.dependencies || where.count == 0), MUSA_ERROR_INVALID_VALUE,
               "null pointer");
  Graph* graph = nullptr;
  MUSA_TRY(findGraph(where.graph, graph));
  Work work;
  MUSA_TRY(make(work));
  GraphNode* node = nullptr;
  MUSA_TRY(graph->addNode(std::move(work), std::span(where.dependencies, where.count), node));
  *where.out = node->handle();
  return {};
}

template <class Work>
Result findNodeOf(MUgraphNode handle, GraphNode*& node, Work*& work) {
  MUSA_TRY(findNode(handle, node));
  work = node->as<Work>();
  MUSA_REQUIRE(work, MUSA_ERROR_INVALID_VALUE, "the node is of another kind");
  return {};
}

// Replaces a node's work; `make` gets a copy of the old one.
template <class Work, class Make>
Result setNode(MUgraphNode handle, Make&& make) {
  GraphNode* node = nullptr;
  Work* work = nullptr;
  MUSA_TRY(findNodeOf<Work>(handle, node, work));
  Work changed = *work;
  MUSA_TRY(make(changed));
  *work = std::move(changed);
  return {};
}

// The same in an executable graph, for later launches.
template <class Work, class Make>
Result setExecNode(MUgraphExec handle, MUgraphNode original, Make&& make) {
  GraphExec* exec = nullptr;
  GraphNode* copy = nullptr;
  MUSA_TRY(findExec(handle, exec));
  MUSA_TRY(exec->findCopy(original, copy));
  Work* work = copy->as<Work>();
  MUSA_REQUIRE(work, MUSA_ERROR_INVALID_VALUE, "the node is of another kind");
  Work changed = *work;
  MUSA_TRY(make(changed));
  MUSA_TRY(replaceWork(*copy, std::move(changed)));
  exec->changed();
  return {};
}

// Fills the user's array: with a null array only `count`, else up to *count entries, and the
// rest of the array with null.
template <class Handle, class Get>
Result giveList(size_t available, Handle* array, size_t* count, Get&& get) {
  MUSA_REQUIRE(count, MUSA_ERROR_INVALID_VALUE, "null pointer");
  if (!array) {
    *count = available;
    return {};
  }
  for (size_t i = 0; i < *count; ++i) array[i] = i < available ? get(i) : nullptr;
  if (*count > available) *count = available;
  return {};
}

// Edges that are more than an order of two nodes are not emulated.
inline Result refuseEdgeData(const MUgraphEdgeData* data, size_t count) {
  for (size_t i = 0; data && i < count; ++i) {
    MUSA_REQUIRE(data[i].from_port == 0 && data[i].to_port == 0 && data[i].type == 0,
                 MUSA_ERROR_NOT_SUPPORTED, "edges other than ordinary dependencies");
  }
  return {};
}

}  // namespace musashim::musa
