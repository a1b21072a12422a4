// Executable graphs: a private copy of a graph, and the plan by which it is launched.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "musa/graph/exec/plan.h"
#include "musa/graph/graph.h"

namespace musashim::musa {

class GraphExec {
 public:
  // With GraphLock. On failure `culprit` may name a node of `graph`.
  static Result create(Graph& graph, Context& home, uint64_t flags, GraphExec*& exec, GraphNode*& culprit);

  GraphExec(OwnedGraph copy, Context& home, uint64_t flags);
  ~GraphExec();
  MUgraphExec handle() { return reinterpret_cast<MUgraphExec>(this); }
  uint64_t flags() const { return flags_; }

  // Behind earlier work of the stream and earlier launches of this executable graph.
  Result launch(Stream& stream);
  // Makes the plan now instead of at the first launch.
  Result upload(Stream& stream);

  // ---- Changes for later launches; with GraphLock ----

  // This copy's node for a node of the graph it was made from.
  Result findCopy(MUgraphNode original, GraphNode*& copy);
  void changed();
  void setEnabled(GraphNode& copy, bool enabled);
  bool isEnabled(const GraphNode& copy) const { return !disabled_.contains(&copy); }
  // Takes the parameters of all nodes of `graph`, if it has the same shape.
  Result update(Graph& graph, MUgraphExecUpdateResultInfo& info);

  const Graph& graph() const { return *copy_.graph; }

 private:
  Result preparePlan();
  Result takeMemory(const Graph& graph);
  Result checkMemory(const Graph& graph, std::unordered_set<MUdeviceptr>& live) const;

  OwnedGraph copy_;
  Context& home_;
  const uint64_t homeId_;
  const uint64_t flags_;
  std::unordered_set<const GraphNode*> disabled_;

  std::mutex mutex_;  // of launches; taken before GraphLock
  std::atomic<bool> stale_{true};
  std::shared_ptr<Plan> plan_;
  bool hasMemory_ = false;
  std::shared_ptr<void> memoryUse_;  // tells the graph that it is instantiated
  backend::Fence last_;              // the latest launch
};

Result findExec(MUgraphExec handle, GraphExec*& exec);

}  // namespace musashim::musa
