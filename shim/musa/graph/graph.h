// Graphs: nodes, and the order between them.
//
// All topology is guarded by one lock for the process (GraphLock): graphs are built rarely
// and launched often, and launches do not take it. CUDA leaves it to the user to lock.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "musa/api/result.h"
#include "musa/graph/nodes/work.h"

namespace musashim::musa {

class Graph;
class UserObject;
struct CaptureSequence;

// Held while graphs, capture sequences or user objects are looked at.
class GraphLock {
 public:
  GraphLock() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex();  // a destructor of a user object may call us
  std::lock_guard<std::recursive_mutex> lock_;
};

class GraphNode {
 public:
  GraphNode(Graph& graph, uint64_t id, NodeWork work) : work(std::move(work)), graph_(graph), id_(id) {}

  Graph& graph() const { return graph_; }
  uint64_t id() const { return id_; }
  MUgraphNode handle() { return reinterpret_cast<MUgraphNode>(this); }
  MUgraphNodeType type() const { return typeOf(work); }
  template <class Work>
  Work* as() {
    return std::get_if<Work>(&work);
  }
  template <class Work>
  const Work* as() const {
    return std::get_if<Work>(&work);
  }

  const std::vector<GraphNode*>& dependencies() const { return dependencies_; }
  const std::vector<GraphNode*>& dependents() const { return dependents_; }

  NodeWork work;
  std::vector<void*> paramPointers;  // what muGraphKernelNodeGetParams gave out

 private:
  friend class Graph;
  Graph& graph_;
  const uint64_t id_;
  std::vector<GraphNode*> dependencies_, dependents_;  // in the order they were added
};

class Graph {
 public:
  explicit Graph(GraphNode* owner = nullptr);  // the node whose child or body this is
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  MUgraph handle() { return reinterpret_cast<MUgraph>(this); }
  uint64_t id() const { return id_; }
  GraphNode* owner() const { return owner_; }
  const std::vector<GraphNode*>& nodes() const { return nodes_; }

  // Fails when a dependency is no node of this graph, or is named twice.
  Result addNode(NodeWork work, std::span<const MUgraphNode> dependencies, GraphNode*& node);
  void removeNode(GraphNode& node);
  // All or nothing.
  Result addEdges(std::span<const MUgraphNode> from, std::span<const MUgraphNode> to);
  Result removeEdges(std::span<const MUgraphNode> from, std::span<const MUgraphNode> to);
  void connect(GraphNode& from, GraphNode& to);  // known to be right

  // Nodes in an order that respects all edges, else by creation; fails with a node of a cycle.
  Result order(std::vector<GraphNode*>& ordered, GraphNode*& culprit) const;

  // A copy with all that is inside. Kernel parameters and the like are copied, memory of
  // allocation nodes and conditions are shared: `forExec` allows nodes that muGraphClone refuses.
  Result clone(bool forExec, Graph*& copy) const;
  Result copyInto(bool forExec, Graph& copy) const;
  // The node of this clone that stands for the original with this id, in graphs inside as well.
  GraphNode* counterpart(uint64_t originalId) const;
  // The graph this is a clone of, by id; 0 when it is none.
  uint64_t originalId() const { return originalId_; }

  void addCell(std::shared_ptr<ConditionCell> cell) { cells_.push_back(std::move(cell)); }
  const std::vector<std::shared_ptr<ConditionCell>>& cells() const { return cells_; }

  // Counted references to user objects, given back when the graph ends.
  void retain(UserObject& object, unsigned count);
  Result release(UserObject& object, unsigned count);
  // Holds what `other` holds, instead of what it held.
  void takeUserObjects(const Graph& other);
  const std::unordered_map<UserObject*, unsigned>& userObjects() const { return userObjects_; }

  bool contains(const GraphNode& node) const { return &node.graph() == this; }
  // Allocation and free nodes here or inside.
  bool hasMemoryNodes() const;
  // Conditions, here or inside, that no node looks at.
  bool hasUnusedCondition() const;

  CaptureSequence* capture = nullptr;  // that adds to it now
  std::weak_ptr<void> memoryUser;      // its executable graph, if it has allocation or free nodes

 private:
  Result checkDependencies(std::span<const MUgraphNode> dependencies, std::vector<GraphNode*>& found) const;
  void disconnect(GraphNode& from, GraphNode& to);

  const uint64_t id_;
  GraphNode* const owner_;
  uint64_t originalId_ = 0;
  std::vector<GraphNode*> nodes_;
  std::unordered_map<uint64_t, GraphNode*> byOriginal_;
  std::vector<std::shared_ptr<ConditionCell>> cells_;
  std::unordered_map<UserObject*, unsigned> userObjects_;
};

// ---- Handles ----
Result findGraph(MUgraph handle, Graph*& graph);
Result findNode(MUgraphNode handle, GraphNode*& node);

}  // namespace musashim::musa
