#include "musa/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "musa/api/api_call.h"
#include "musa/graph/nodes/condition.h"
#include "musa/graph/nodes/graph_memory.h"
#include "musa/graph/user_object.h"

namespace musashim::musa {
namespace {

void eraseOne(std::vector<GraphNode*>& nodes, GraphNode* node) {
  auto found = std::find(nodes.begin(), nodes.end(), node);
  if (found != nodes.end()) nodes.erase(found);
}

void releaseAll(const std::unordered_map<UserObject*, unsigned>& objects) {
  for (auto& [object, count] : objects) object->release(count);
}

bool has(const std::vector<GraphNode*>& nodes, const GraphNode* node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

std::recursive_mutex& GraphLock::mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

Result findGraph(MUgraph handle, Graph*& graph) {
  graph = driver().graphs.get(handle);
  MUSA_REQUIRE(graph, MUSA_ERROR_INVALID_VALUE, fmt::format("no graph {}", fmt::ptr(handle)));
  return {};
}

Result findNode(MUgraphNode handle, GraphNode*& node) {
  node = driver().graphNodes.get(handle);
  MUSA_REQUIRE(node, MUSA_ERROR_INVALID_VALUE, fmt::format("no graph node {}", fmt::ptr(handle)));
  return {};
}

OwnedGraph::~OwnedGraph() {
  if (graph) driver().graphs.destroy(graph);
}

Graph::Graph(GraphNode* owner) : id_(driver().nextId()), owner_(owner) {}

Graph::~Graph() {
  for (GraphNode* node : nodes_) driver().graphNodes.destroy(node);
  releaseAll(userObjects_);
}

Result Graph::checkDependencies(std::span<const MUgraphNode> dependencies,
                                std::vector<GraphNode*>& found) const {
  for (MUgraphNode handle : dependencies) {
    GraphNode* node = nullptr;
    MUSA_TRY(findNode(handle, node));
    MUSA_REQUIRE(contains(*node), MUSA_ERROR_INVALID_VALUE, "a dependency is a node of another graph");
    MUSA_REQUIRE(!has(found, node), MUSA_ERROR_INVALID_VALUE, "a dependency is named twice");
    found.push_back(node);
  }
  return {};
}

Result Graph::addNode(NodeWork work, std::span<const MUgraphNode> dependencies, GraphNode*& node) {
  std::vector<GraphNode*> before;
  MUSA_TRY(checkDependencies(dependencies, before));
  node = driver().graphNodes.create(*this, driver().nextId(), std::move(work));
  nodes_.push_back(node);
  for (GraphNode* dependency : before) connect(*dependency, *node);
  return {};
}

void Graph::removeNode(GraphNode& node) {
  while (!node.dependencies_.empty()) disconnect(*node.dependencies_.front(), node);
  while (!node.dependents_.empty()) disconnect(node, *node.dependents_.front());
  eraseOne(nodes_, &node);
  driver().graphNodes.destroy(&node);
}

void Graph::connect(GraphNode& from, GraphNode& to) {
  from.dependents_.push_back(&to);
  to.dependencies_.push_back(&from);
}

void Graph::disconnect(GraphNode& from, GraphNode& to) {
  eraseOne(from.dependents_, &to);
  eraseOne(to.dependencies_, &from);
}

Result Graph::addEdges(std::span<const MUgraphNode> from, std::span<const MUgraphNode> to) {
  std::vector<std::pair<GraphNode*, GraphNode*>> edges;
  for (size_t i = 0; i < from.size(); ++i) {
    GraphNode *first = nullptr, *second = nullptr;
    MUSA_TRY(findNode(from[i], first));
    MUSA_TRY(findNode(to[i], second));
    MUSA_REQUIRE(contains(*first) && contains(*second), MUSA_ERROR_INVALID_VALUE, "a node of another graph");
    MUSA_REQUIRE(first != second, MUSA_ERROR_INVALID_VALUE, "a node that depends on itself");
    std::pair edge(first, second);
    bool known =
        has(first->dependents_, second) || std::find(edges.begin(), edges.end(), edge) != edges.end();
    MUSA_REQUIRE(!known, MUSA_ERROR_INVALID_VALUE, "the edge exists already");
    edges.push_back(edge);
  }
  for (auto& [first, second] : edges) connect(*first, *second);
  return {};
}

Result Graph::removeEdges(std::span<const MUgraphNode> from, std::span<const MUgraphNode> to) {
  std::vector<std::pair<GraphNode*, GraphNode*>> edges;
  for (size_t i = 0; i < from.size(); ++i) {
    GraphNode *first = nullptr, *second = nullptr;
    MUSA_TRY(findNode(from[i], first));
    MUSA_TRY(findNode(to[i], second));
    MUSA_REQUIRE(contains(*first) && has(first->dependents_, second), MUSA_ERROR_INVALID_VALUE,
                 "there is no such edge");
    edges.emplace_back(first, second);
  }
  for (auto& [first, second] : edges) disconnect(*first, *second);
  return {};
}

Result Graph::order(std::vector<GraphNode*>& ordered, GraphNode*& culprit) const {
  std::unordered_map<const GraphNode*, size_t> missing;
  for (GraphNode* node : nodes_) missing[node] = node->dependencies_.size();
  ordered.clear();
  for (GraphNode* node : nodes_) {
    if (node->dependencies_.empty()) ordered.push_back(node);
  }
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (GraphNode* next : ordered[i]->dependents_) {
      if (--missing[next] == 0) ordered.push_back(next);
    }
  }
  if (ordered.size() == nodes_.size()) return {};
  for (GraphNode* node : nodes_) {
    if (missing[node] != 0) culprit = node;
  }
  return {MUSA_ERROR_INVALID_VALUE, "the graph has a cycle"};
}

namespace {

// Copies work; graphs inside it belong to `owner` then.
struct CopyWorkOf {
  bool forExec;
  GraphNode& owner;

  Result inner(const OwnedGraph& original, OwnedGraph& copy) const {
    copy = OwnedGraph(driver().graphs.create(&owner));
    return original.graph->copyInto(forExec, *copy.graph);
  }
  Result operator()(const ChildWork& work) const {
    ChildWork copy;
    MUSA_TRY(inner(work.child, copy.child));
    owner.work = std::move(copy);
    return {};
  }
  Result operator()(const ConditionalWork& work) const {
    MUSA_REQUIRE(forExec, MUSA_ERROR_NOT_SUPPORTED, "graphs with conditional nodes are not cloned");
    ConditionalWork copy{work.context, work.cell, work.type, {}, {}};
    for (const OwnedGraph& body : work.bodies) {
      copy.bodies.emplace_back();
      MUSA_TRY(inner(body, copy.bodies.back()));
    }
    owner.work = std::move(copy);
    return {};
  }
  Result operator()(const AllocWork& work) const { return memoryNode(work); }
  Result operator()(const FreeWork& work) const { return memoryNode(work); }
  template <class Work>
  Result operator()(const Work& work) const {
    owner.work = work;
    return {};
  }

 private:
  template <class Work>
  Result memoryNode(const Work& work) const {
    MUSA_REQUIRE(forExec, MUSA_ERROR_NOT_SUPPORTED, "graphs with allocation or free nodes are not cloned");
    owner.work = work;
    return {};
  }
};

}  // namespace

Result Graph::copyInto(bool forExec, Graph& copy) const {
  copy.originalId_ = id_;
  std::unordered_map<const GraphNode*, GraphNode*> twins;
  for (GraphNode* node : nodes_) {
    GraphNode* twin = driver().graphNodes.create(copy, driver().nextId(), EmptyWork{});
    copy.nodes_.push_back(twin);
    copy.byOriginal_[node->id()] = twin;
    twins[node] = twin;
    MUSA_TRY(std::visit(CopyWorkOf{forExec, *twin}, node->work));
  }
  for (GraphNode* node : nodes_) {
    for (GraphNode* dependency : node->dependencies_) twins[node]->dependencies_.push_back(twins[dependency]);
    for (GraphNode* dependent : node->dependents_) twins[node]->dependents_.push_back(twins[dependent]);
  }
  copy.cells_ = cells_;
  copy.takeUserObjects(*this);
  return {};
}

Result Graph::clone(bool forExec, Graph*& copy) const {
  OwnedGraph made(driver().graphs.create(nullptr));
  MUSA_TRY(copyInto(forExec, *made.graph));
  copy = std::exchange(made.graph, nullptr);
  return {};
}

GraphNode* Graph::counterpart(uint64_t originalId) const {
  if (auto found = byOriginal_.find(originalId); found != byOriginal_.end()) return found->second;
  for (GraphNode* node : nodes_) {
    GraphNode* found = nullptr;
    if (auto* child = node->as<ChildWork>()) found = child->child.graph->counterpart(originalId);
    if (auto* conditional = node->as<ConditionalWork>()) {
      for (OwnedGraph& body : conditional->bodies) {
        if (!found) found = body.graph->counterpart(originalId);
      }
    }
    if (found) return found;
  }
  return nullptr;
}

void Graph::retain(UserObject& object, unsigned count) { userObjects_[&object] += count; }

Result Graph::release(UserObject& object, unsigned count) {
  auto found = userObjects_.find(&object);
  MUSA_REQUIRE(found != userObjects_.end() && found->second >= count, MUSA_ERROR_INVALID_VALUE,
               "the graph holds fewer references");
  found->second -= count;
  if (found->second == 0) userObjects_.erase(found);
  object.release(count);
  return {};
}

void Graph::takeUserObjects(const Graph& other) {
  for (auto& [object, count] : other.userObjects_) object->retain(count);
  const auto before = std::exchange(userObjects_, other.userObjects_);
  releaseAll(before);
}

bool Graph::hasUnusedCondition() const {
  for (const auto& cell : cells_) {
    if (!cell->used) return true;
  }
  for (GraphNode* node : nodes_) {
    if (auto* child = node->as<ChildWork>(); child && child->child.graph->hasUnusedCondition()) return true;
    if (auto* conditional = node->as<ConditionalWork>()) {
      for (const OwnedGraph& body : conditional->bodies) {
        if (body.graph->hasUnusedCondition()) return true;
      }
    }
  }
  return false;
}

bool Graph::hasMemoryNodes() const {
  for (GraphNode* node : nodes_) {
    if (node->as<AllocWork>() || node->as<FreeWork>()) return true;
    if (auto* child = node->as<ChildWork>(); child && child->child.graph->hasMemoryNodes()) return true;
  }
  return false;
}

}  // namespace musashim::musa
