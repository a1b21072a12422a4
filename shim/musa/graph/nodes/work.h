// What the nodes of graphs do: one plain struct per kind, validated when it is made.
//
// The same structs describe what stream capture saw, so a captured graph and one made node
// by node are the same thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "interface/command.h"
#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;
class Event;
class Function;
class Graph;
class GraphMemory;
struct ConditionCell;
struct LaunchRequest;

// Attributes that a kernel node keeps, by id.
using KernelAttributes = std::map<MUlaunchAttributeID, MUlaunchAttributeValue>;

struct KernelWork {
  Function* function = nullptr;
  MusaDim3 grid{1, 1, 1};
  MusaDim3 block{1, 1, 1};
  uint32_t sharedBytes = 0;
  std::vector<std::byte> params;  // packed
  KernelAttributes attributes;
  bool cooperative() const;
};

// A variable of a module that a node reads or writes. Its memory ends with the module: the process would not
// survive a launch after that.
struct VariableUse {
  uintptr_t base;
  uint64_t id;  // of the allocation
  bool isLoaded() const;
};
std::vector<VariableUse> variablesAt(std::initializer_list<const void*> pointers);

struct CopyWork {
  CopyWork() = default;
  CopyWork(Context& context, const backend::Copy& copy, const MUSA_MEMCPY3D& described)
      : context(&context), copy(copy), described(described), variables(variablesAt({copy.dst, copy.src})) {}

  Context* context = nullptr;
  backend::Copy copy;
  MUSA_MEMCPY3D described = {};  // as the user wrote it
  std::vector<VariableUse> variables;
};

struct FillWork {
  FillWork() = default;
  FillWork(Context& context, const backend::Fill& fill, const MUSA_MEMSET_NODE_PARAMS& described)
      : context(&context), fill(fill), described(described), variables(variablesAt({fill.dst})) {}

  Context* context = nullptr;
  backend::Fill fill;
  MUSA_MEMSET_NODE_PARAMS described = {};
  std::vector<VariableUse> variables;
};

struct HostWork {
  MUSA_HOST_NODE_PARAMS params = {};
};

// Graphs inside a node belong to it, and end with it.
struct OwnedGraph {
  Graph* graph = nullptr;
  OwnedGraph() = default;
  explicit OwnedGraph(Graph* owned) : graph(owned) {}
  OwnedGraph(OwnedGraph&& other) noexcept : graph(std::exchange(other.graph, nullptr)) {}
  OwnedGraph& operator=(OwnedGraph&& other) noexcept {
    std::swap(graph, other.graph);
    return *this;
  }
  ~OwnedGraph();
};

struct ChildWork {
  OwnedGraph child;
};

struct EmptyWork {};

struct EventWaitWork {
  Event* event = nullptr;
};

struct EventRecordWork {
  Event* event = nullptr;
};

struct AllocWork {
  std::shared_ptr<GraphMemory> memory;
  MUSA_MEM_ALLOC_NODE_PARAMS described = {};
  std::vector<MUmemAccessDesc> access;
};

struct FreeWork {
  MUdeviceptr address = 0;
};

struct MemOpWork {
  Context* context = nullptr;
  std::vector<MUstreamBatchMemOpParams> operations;
};

struct ConditionalWork {
  Context* context = nullptr;
  std::shared_ptr<ConditionCell> cell;
  MUgraphConditionalNodeType type = MU_GRAPH_COND_TYPE_IF;
  std::vector<OwnedGraph> bodies;
  std::vector<MUgraph> handles;  // of the bodies, for phGraph_out
};

using NodeWork = std::variant<KernelWork, CopyWork, FillWork, HostWork, ChildWork, EmptyWork, EventWaitWork,
                              EventRecordWork, AllocWork, FreeWork, MemOpWork, ConditionalWork>;

MUgraphNodeType typeOf(const NodeWork& work);

// ---- From the user's parameters; each checks them as the API documents ----

Result makeKernelWork(const MUSA_KERNEL_NODE_PARAMS* params, KernelWork& work);
// A launch that was checked already, as capture sees it.
KernelWork kernelWorkOf(Function& function, const LaunchRequest& request, const backend::ParamBuffer& params);
Result makeCopyWork(const MUSA_MEMCPY3D* params, Context& context, CopyWork& work);
Result makeFillWork(const MUSA_MEMSET_NODE_PARAMS* params, Context& context, FillWork& work);
Result makeMemOpWork(const MUSA_BATCH_MEM_OP_NODE_PARAMS* params, MemOpWork& work);

// A plain copy as the struct of the driver API, for nodes that capture makes.
MUSA_MEMCPY3D describe(const backend::Copy& copy);
MUSA_MEMSET_NODE_PARAMS describe(const backend::Fill& fill);

// Kernel attributes: only those that a node can hold.
Result setKernelAttribute(KernelWork& work, MUlaunchAttributeID id, const MUlaunchAttributeValue& value);
Result getKernelAttribute(const KernelWork& work, MUlaunchAttributeID id, MUlaunchAttributeValue& value);

}  // namespace musashim::musa
