// Any bytes as a machine and as graphs: no crash, what is read is written and read again, and what is a
// machine has graphs that can be written.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "mccl/topology/document.h"
#include "mccl/topology/search.h"

using namespace musashim::mccl;
using namespace musashim::mccl::topology;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void tryMachine(std::string_view text) {
  pugi::xml_document document, again;
  if (parseDocument(text, "fuzz", "system", document) != mcclSuccess) return;
  const std::string once = textOf(document);
  require(parseDocument(once, "fuzz", "system", again) == mcclSuccess);
  require(textOf(again) == once);
  Machine machine;
  if (Machine::make(document, "fuzz", machine) != mcclSuccess) return;
  if (machine.nodes().size() > 200) return;
  const Paths paths(machine);
  // A search takes a thousand times what a document does: only the smallest are searched.
  if (machine.gpus().size() > 3) return;
  pugi::xml_document graphs;
  writeGraphs(searchGraphs(paths, machine.nets().size() % 2 == 1, 2), graphs);
  std::vector<Graph> read;
  if (machine.gpus().empty() || machine.node(machine.gpus().front()).dev >= 0)
    require(readGraphs(graphs, "fuzz", read) == mcclSuccess);
}

void tryGraphs(std::string_view text) {
  pugi::xml_document document, written;
  std::vector<Graph> graphs;
  if (parseDocument(text, "fuzz", "graphs", document) != mcclSuccess) return;
  if (readGraphs(document, "fuzz", graphs) == mcclSuccess) writeGraphs(graphs, written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tryMachine(text);
  tryGraphs(text);
  return 0;
}
