// Graphs: making and ending them, nodes and edges, clones, user objects.
#include <algorithm>

#include "musa/graph/dot.h"
#include "musa/graph/graph_call.h"
#include "musa/graph/user_object.h"

using namespace musashim::musa;

namespace {

Result giveEdges(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to, MUgraphEdgeData* data, size_t* count) {
  MUSA_REQUIRE(count && (from != nullptr) == (to != nullptr), MUSA_ERROR_INVALID_VALUE, "null pointer");
  Graph* graph = nullptr;
  MUSA_TRY(findGraph(hGraph, graph));
  std::vector<std::pair<GraphNode*, GraphNode*>> edges;
  for (GraphNode* node : graph->nodes()) {
    for (GraphNode* dependent : node->dependents()) edges.emplace_back(node, dependent);
  }
  size_t asked = *count;
  MUSA_TRY(giveList(edges.size(), from, count, [&](size_t i) { return edges[i].first->handle(); }));
  if (!from) return {};
  for (size_t i = 0; i < asked; ++i) to[i] = i < edges.size() ? edges[i].second->handle() : nullptr;
  for (size_t i = 0; data && i < *count; ++i) data[i] = {};
  return {};
}

Result giveNodes(const std::vector<GraphNode*>& nodes, MUgraphNode* out, MUgraphEdgeData* data,
                 size_t* count) {
  MUSA_TRY(giveList(nodes.size(), out, count, [&](size_t i) { return nodes[i]->handle(); }));
  for (size_t i = 0; out && data && i < *count; ++i) data[i] = {};
  return {};
}

Result giveDependencies(MUgraphNode hNode, MUgraphNode* out, MUgraphEdgeData* data, size_t* count) {
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(hNode, node));
  return giveNodes(node->dependencies(), out, data, count);
}

Result giveDependents(MUgraphNode hNode, MUgraphNode* out, MUgraphEdgeData* data, size_t* count) {
  GraphNode* node = nullptr;
  MUSA_TRY(findNode(hNode, node));
  return giveNodes(node->dependents(), out, data, count);
}

// Graphs with allocation nodes keep the edges they have.
Result changeEdges(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                   const MUgraphEdgeData* data, size_t count, bool add) {
  Graph* graph = nullptr;
  MUSA_TRY(findGraph(hGraph, graph));
  if (count == 0) return {};
  MUSA_REQUIRE(from && to, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_TRY(refuseEdgeData(data, count));
  if (add) return graph->addEdges(std::span(from, count), std::span(to, count));
  MUSA_REQUIRE(!graph->hasMemoryNodes(), MUSA_ERROR_NOT_SUPPORTED,
               "edges of graphs with allocation or free nodes are not removed");
  return graph->removeEdges(std::span(from, count), std::span(to, count));
}

}  // namespace

extern "C" {

MUresult muGraphCreate(MUgraph* phGraph, unsigned int flags) {
  return graphCall(
      "muGraphCreate",
      [&]() -> Result {
        MUSA_REQUIRE(phGraph && flags == 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or flags not 0");
        *phGraph = driver().graphs.create()->handle();
        return {};
      },
      phGraph, flags);
}

MUresult muGraphDestroy(MUgraph hGraph) {
  return graphCall(
      "muGraphDestroy",
      [&]() -> Result {
        Graph* graph = nullptr;
        MUSA_TRY(findGraph(hGraph, graph));
        MUSA_REQUIRE(!graph->owner(), MUSA_ERROR_INVALID_VALUE, "the graph belongs to a node");
        MUSA_REQUIRE(!graph->capture, MUSA_ERROR_INVALID_VALUE, "a capture adds to the graph");
        driver().graphs.destroy(graph);
        return {};
      },
      hGraph);
}

MUresult muGraphClone(MUgraph* phGraphClone, MUgraph originalGraph) {
  return graphCall(
      "muGraphClone",
      [&]() -> Result {
        MUSA_REQUIRE(phGraphClone, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Graph *original = nullptr, *copy = nullptr;
        MUSA_TRY(findGraph(originalGraph, original));
        MUSA_TRY(original->clone(false, copy));
        *phGraphClone = copy->handle();
        return {};
      },
      phGraphClone, originalGraph);
}

MUresult muGraphNodeFindInClone(MUgraphNode* phNode, MUgraphNode hOriginalNode, MUgraph hClonedGraph) {
  return graphCall(
      "muGraphNodeFindInClone",
      [&]() -> Result {
        MUSA_REQUIRE(phNode, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* original = nullptr;
        Graph* clone = nullptr;
        MUSA_TRY(findNode(hOriginalNode, original));
        MUSA_TRY(findGraph(hClonedGraph, clone));
        GraphNode* found = clone->counterpart(original->id());
        MUSA_REQUIRE(found, MUSA_ERROR_INVALID_VALUE, "the graph is no clone of the node's");
        *phNode = found->handle();
        return {};
      },
      phNode, hOriginalNode, hClonedGraph);
}

MUresult muGraphGetNodes(MUgraph hGraph, MUgraphNode* nodes, size_t* numNodes) {
  return graphCall(
      "muGraphGetNodes",
      [&]() -> Result {
        Graph* graph = nullptr;
        MUSA_TRY(findGraph(hGraph, graph));
        return giveNodes(graph->nodes(), nodes, nullptr, numNodes);
      },
      hGraph, nodes, numNodes);
}

MUresult muGraphGetRootNodes(MUgraph hGraph, MUgraphNode* rootNodes, size_t* numRootNodes) {
  return graphCall(
      "muGraphGetRootNodes",
      [&]() -> Result {
        Graph* graph = nullptr;
        MUSA_TRY(findGraph(hGraph, graph));
        std::vector<GraphNode*> roots;
        for (GraphNode* node : graph->nodes()) {
          if (node->dependencies().empty()) roots.push_back(node);
        }
        std::reverse(roots.begin(), roots.end());  // the latest first, as hardware's driver gives them
        return giveNodes(roots, rootNodes, nullptr, numRootNodes);
      },
      hGraph, rootNodes, numRootNodes);
}

MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to, size_t* numEdges) {
  return graphCall(
      "muGraphGetEdges", [&] { return giveEdges(hGraph, from, to, nullptr, numEdges); }, hGraph, from, to,
      numEdges);
}

MUresult muGraphGetEdges_v2(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to, MUgraphEdgeData* edgeData,
                            size_t* numEdges) {
  return graphCall(
      "muGraphGetEdges_v2", [&] { return giveEdges(hGraph, from, to, edgeData, numEdges); }, hGraph, from, to,
      edgeData, numEdges);
}

MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode* dependencies, size_t* numDependencies) {
  return graphCall(
      "muGraphNodeGetDependencies",
      [&] { return giveDependencies(hNode, dependencies, nullptr, numDependencies); }, hNode, dependencies,
      numDependencies);
}

MUresult muGraphNodeGetDependencies_v2(MUgraphNode hNode, MUgraphNode* dependencies,
                                       MUgraphEdgeData* edgeData, size_t* numDependencies) {
  return graphCall(
      "muGraphNodeGetDependencies_v2",
      [&] { return giveDependencies(hNode, dependencies, edgeData, numDependencies); }, hNode, dependencies,
      edgeData, numDependencies);
}

MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode* dependentNodes,
                                      size_t* numDependentNodes) {
  return graphCall(
      "muGraphNodeGetDependentNodes",
      [&] { return giveDependents(hNode, dependentNodes, nullptr, numDependentNodes); }, hNode,
      dependentNodes, numDependentNodes);
}

MUresult muGraphNodeGetDependentNodes_v2(MUgraphNode hNode, MUgraphNode* dependentNodes,
                                         MUgraphEdgeData* edgeData, size_t* numDependentNodes) {
  return graphCall(
      "muGraphNodeGetDependentNodes_v2",
      [&] { return giveDependents(hNode, dependentNodes, edgeData, numDependentNodes); }, hNode,
      dependentNodes, edgeData, numDependentNodes);
}

MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                                size_t numDependencies) {
  return graphCall(
      "muGraphAddDependencies", [&] { return changeEdges(hGraph, from, to, nullptr, numDependencies, true); },
      hGraph, from, to, numDependencies);
}

MUresult muGraphAddDependencies_v2(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                                   const MUgraphEdgeData* edgeData, size_t numDependencies) {
  return graphCall(
      "muGraphAddDependencies_v2",
      [&] { return changeEdges(hGraph, from, to, edgeData, numDependencies, true); }, hGraph, from, to,
      edgeData, numDependencies);
}

MUresult muGraphRemoveDependencies(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                                   size_t numDependencies) {
  return graphCall(
      "muGraphRemoveDependencies",
      [&] { return changeEdges(hGraph, from, to, nullptr, numDependencies, false); }, hGraph, from, to,
      numDependencies);
}

MUresult muGraphRemoveDependencies_v2(MUgraph hGraph, const MUgraphNode* from, const MUgraphNode* to,
                                      const MUgraphEdgeData* edgeData, size_t numDependencies) {
  return graphCall(
      "muGraphRemoveDependencies_v2",
      [&] { return changeEdges(hGraph, from, to, edgeData, numDependencies, false); }, hGraph, from, to,
      edgeData, numDependencies);
}

MUresult muGraphDestroyNode(MUgraphNode hNode) {
  return graphCall(
      "muGraphDestroyNode",
      [&]() -> Result {
        GraphNode* node = nullptr;
        MUSA_TRY(findNode(hNode, node));
        MUSA_REQUIRE(!node->graph().hasMemoryNodes(), MUSA_ERROR_NOT_SUPPORTED,
                     "nodes of graphs with allocation or free nodes are not removed");
        node->graph().removeNode(*node);
        return {};
      },
      hNode);
}

MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType* type) {
  return graphCall(
      "muGraphNodeGetType",
      [&]() -> Result {
        MUSA_REQUIRE(type, MUSA_ERROR_INVALID_VALUE, "null pointer");
        GraphNode* node = nullptr;
        MUSA_TRY(findNode(hNode, node));
        *type = node->type();
        return {};
      },
      hNode, type);
}

MUresult muGraphDebugDotPrint(MUgraph hGraph, const char* path, unsigned int flags) {
  return graphCall(
      "muGraphDebugDotPrint",
      [&]() -> Result {
        MUSA_REQUIRE(path, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Graph* graph = nullptr;
        MUSA_TRY(findGraph(hGraph, graph));
        return writeDot(*graph, path, flags);
      },
      hGraph, path, flags);
}

// ---- User objects

MUresult muUserObjectCreate(MUuserObject* object_out, void* ptr, MUhostFn destroy,
                            unsigned int initialRefcount, unsigned int flags) {
  return graphCall(
      "muUserObjectCreate",
      [&]() -> Result {
        MUSA_REQUIRE(object_out && destroy, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(initialRefcount != 0 && initialRefcount <= INT32_MAX, MUSA_ERROR_INVALID_VALUE,
                     "a count of 0, or more than INT_MAX");
        MUSA_REQUIRE(flags == MU_USER_OBJECT_NO_DESTRUCTOR_SYNC, MUSA_ERROR_INVALID_VALUE,
                     "flags must say that the destructor is not waited for");
        *object_out = driver().userObjects.create(ptr, destroy, initialRefcount)->handle();
        return {};
      },
      object_out, ptr, destroy, initialRefcount, flags);
}

MUresult muUserObjectRetain(MUuserObject object, unsigned int count) {
  return graphCall(
      "muUserObjectRetain",
      [&]() -> Result {
        UserObject* found = nullptr;
        MUSA_TRY(findUserObject(object, found));
        MUSA_REQUIRE(count != 0 && count <= INT32_MAX, MUSA_ERROR_INVALID_VALUE, "the count");
        found->retain(count);
        return {};
      },
      object, count);
}

MUresult muUserObjectRelease(MUuserObject object, unsigned int count) {
  return graphCall(
      "muUserObjectRelease",
      [&]() -> Result {
        UserObject* found = nullptr;
        MUSA_TRY(findUserObject(object, found));
        MUSA_REQUIRE(count != 0 && count <= found->count(), MUSA_ERROR_INVALID_VALUE,
                     "more references than there are");
        found->release(count);
        return {};
      },
      object, count);
}

MUresult muGraphRetainUserObject(MUgraph graph, MUuserObject object, unsigned int count, unsigned int flags) {
  return graphCall(
      "muGraphRetainUserObject",
      [&]() -> Result {
        Graph* holder = nullptr;
        UserObject* found = nullptr;
        MUSA_TRY(findGraph(graph, holder));
        MUSA_TRY(findUserObject(object, found));
        MUSA_REQUIRE(count != 0 && count <= INT32_MAX, MUSA_ERROR_INVALID_VALUE, "the count");
        MUSA_REQUIRE(flags <= MU_GRAPH_USER_OBJECT_MOVE, MUSA_ERROR_INVALID_VALUE, "unknown flags");
        // Moved references are the caller's own; else the graph gets new ones.
        if (flags == 0) found->retain(count);
        holder->retain(*found, count);
        return {};
      },
      graph, object, count, flags);
}

MUresult muGraphReleaseUserObject(MUgraph graph, MUuserObject object, unsigned int count) {
  return graphCall(
      "muGraphReleaseUserObject",
      [&]() -> Result {
        Graph* holder = nullptr;
        UserObject* found = nullptr;
        MUSA_TRY(findGraph(graph, holder));
        MUSA_TRY(findUserObject(object, found));
        return holder->release(*found, count);
      },
      graph, object, count);
}

}  // extern "C"
