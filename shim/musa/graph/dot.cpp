#include "musa/graph/dot.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "musa/api/api_call.h"
#include "musa/graph/nodes/condition.h"
#include "musa/graph/nodes/graph_memory.h"

namespace musashim::musa {
namespace {

const char* kindName(MUgraphNodeType type) {
  static const char* const kNames[] = {"KERNEL",    "MEMCPY",     "MEMSET",       "HOST",       "GRAPH",
                                       "EMPTY",     "WAIT_EVENT", "EVENT_RECORD", "SIGNAL",     "WAIT",
                                       "MEM_ALLOC", "MEM_FREE",   "BATCH_MEM_OP", "CONDITIONAL"};
  return kNames[type];
}

class Writer {
 public:
  explicit Writer(unsigned flags) : flags_(flags) {}

  std::string text(const Graph& graph) {
    out_ = "digraph dot {\n";
    write(graph, 0);
    return out_ + "}\n";
  }

 private:
  bool shows(unsigned flag) const { return (flags_ & (flag | MU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)) != 0; }
  static std::string name(const GraphNode& node) {
    return fmt::format("\"graph_{}_node_{}\"", node.graph().id(), node.id());
  }

  void write(const Graph& graph, int depth) {
    out_ += fmt::format("subgraph cluster_{} {{\nlabel=\"graph_{}\"\n", graph.id(), graph.id());
    for (const GraphNode* node : graph.nodes()) {
      out_ += fmt::format("{} [shape=\"record\" label=\"{{{}{}}}\"];\n", name(*node), kindName(node->type()),
                          std::visit(Details{*this, *node}, node->work));
    }
    for (const GraphNode* node : graph.nodes()) {
      for (const GraphNode* next : node->dependents())
        out_ += fmt::format("{} -> {};\n", name(*node), name(*next));
    }
    out_ += "}\n";
    for (const GraphNode* node : graph.nodes()) {
      if (auto* child = node->as<ChildWork>()) write(*child->child.graph, depth + 1);
      if (auto* conditional = node->as<ConditionalWork>()) {
        for (const OwnedGraph& body : conditional->bodies) write(*body.graph, depth + 1);
      }
    }
  }

  // What is behind a node's kind, by flags.
  struct Details {
    const Writer& writer;
    const GraphNode& node;

    std::string operator()(const KernelWork& work) const {
      const bool loaded = driver().functions.get(work.function) != nullptr;
      std::string text = fmt::format("|{}", loaded ? work.function->info().name : "unloaded");
      if (writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS)) {
        text += fmt::format("\\<\\<\\<({},{},{}),({},{},{}),{}\\>\\>\\>", work.grid.x, work.grid.y,
                            work.grid.z, work.block.x, work.block.y, work.block.z, work.sharedBytes);
      }
      if (writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)) {
        text += fmt::format("|{}", fmt::ptr(work.function));
      }
      if (writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES)) {
        for (auto& [id, value] : work.attributes) text += fmt::format("|attribute {}", static_cast<int>(id));
      }
      return text;
    }
    std::string operator()(const CopyWork& work) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS)) return {};
      return fmt::format("|{} to {}|{}x{}x{} bytes", work.copy.src, work.copy.dst, work.copy.width,
                         work.copy.height, work.copy.depth);
    }
    std::string operator()(const FillWork& work) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS)) return {};
      return fmt::format("|{}|{:#x} ({} bytes) x {} x {}", work.fill.dst, work.fill.value,
                         work.fill.elementBytes, work.fill.width, work.fill.height);
    }
    std::string operator()(const HostWork& work) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS)) return {};
      return fmt::format("|{}({})", reinterpret_cast<const void*>(work.params.fn), work.params.userData);
    }
    std::string operator()(const EventWaitWork& work) const { return event(work.event); }
    std::string operator()(const EventRecordWork& work) const { return event(work.event); }
    std::string operator()(const AllocWork& work) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS)) return {};
      return fmt::format("|{:#x}|{} bytes", work.memory->address(), work.memory->bytes());
    }
    std::string operator()(const FreeWork& work) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS)) return {};
      return fmt::format("|{:#x}", work.address);
    }
    std::string operator()(const MemOpWork& work) const {
      return fmt::format("|{} operations", work.operations.size());
    }
    std::string operator()(const ConditionalWork& work) const {
      static const char* const kKinds[] = {"if", "while", "switch"};
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS)) return {};
      return fmt::format("|{}|{:#x}", kKinds[work.type], work.cell->handle());
    }
    std::string operator()(const ChildWork& work) const {
      return fmt::format("|graph_{}", work.child.graph->id());
    }
    std::string operator()(const EmptyWork&) const { return {}; }

    std::string event(const Event* event) const {
      if (!writer.shows(MU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS)) return {};
      return fmt::format("|{}", fmt::ptr(event));
    }
  };

  const unsigned flags_;
  std::string out_;
};

}  // namespace

Result writeDot(const Graph& graph, const char* path, unsigned flags) {
  FILE* file = std::fopen(path, "w");
  MUSA_REQUIRE(file, MUSA_ERROR_OPERATING_SYSTEM, fmt::format("cannot write {}", path));
  std::string text = Writer(flags).text(graph);
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written = std::fclose(file) == 0 && written;
  MUSA_REQUIRE(written, MUSA_ERROR_OPERATING_SYSTEM, fmt::format("cannot write {}", path));
  return {};
}

}  // namespace musashim::musa
