// machine_graphs MACHINE...: the graphs of machines, on one and on several, one line each; with GRAPH=...
// behind a machine, compared with those in that file: fewer channels x speed, or farther paths, is a failure.
#include <cstdio>
#include <cstring>
#include <string>

#include "mccl/core/log.h"
#include "mccl/topology/document.h"
#include "mccl/topology/search.h"

using namespace musashim::mccl;
using namespace musashim::mccl::topology;

namespace {

void print(const char* what, const Graph& graph) {
  std::printf("  %-10s graph %d pattern %d: %zu x %g/%g %s/%s cross %d\n", what, static_cast<int>(graph.id),
              static_cast<int>(graph.pattern), graph.channels.size(), graph.speedIntra, graph.speedInter,
              nameOf(graph.typeIntra), nameOf(graph.typeInter), graph.crossNic);
}

bool reaches(const Graph& found, const Graph& wanted) {
  const auto times = [](const Graph& graph, double speed) {
    return static_cast<double>(graph.channels.size()) * speed;
  };
  return times(found, found.speedIntra) >= times(wanted, wanted.speedIntra) &&
         times(found, found.speedInter) >= times(wanted, wanted.speedInter) &&
         found.typeIntra <= wanted.typeIntra && found.typeInter <= wanted.typeInter;
}

}  // namespace

int main(int argc, char** argv) {
  int failures = 0;
  for (int i = 1; i < argc; ++i) {
    pugi::xml_document document, again;
    Machine machine;
    if (readDocument(argv[i], "system", document) != mcclSuccess ||
        parseDocument(textOf(document), argv[i], "system", again) != mcclSuccess ||
        textOf(again) != textOf(document) || Machine::make(document, argv[i], machine) != mcclSuccess) {
      std::printf("%s: %s\n", argv[i], lastError().c_str());
      ++failures;
      continue;
    }
    std::printf("%s: %zu GPUs, %zu network devices\n", argv[i], machine.gpus().size(), machine.nets().size());
    const Paths paths(machine);
    std::vector<Graph> of[2] = {searchGraphs(paths, false, 2), searchGraphs(paths, true, 2)};
    for (int several = 0; several < 2; ++several) {
      for (int id = 0; id < 2; ++id)
        print(several != 0 ? "several" : "one", of[several][static_cast<size_t>(id)]);
    }
    for (; i + 1 < argc && std::strncmp(argv[i + 1], "GRAPH=", 6) == 0; ++i) {
      std::vector<Graph> wanted;
      pugi::xml_document file;
      if (readDocument(argv[i + 1] + 6, "graphs", file) != mcclSuccess ||
          readGraphs(file, argv[i + 1] + 6, wanted) != mcclSuccess) {
        std::printf("%s\n", lastError().c_str());
        ++failures;
        continue;
      }
      for (const Graph& graph : wanted) {
        if (graph.id != GraphId::kRing && graph.id != GraphId::kTree) continue;
        const bool several = !graph.channels.empty() && graph.channels.front().netIn >= 0;
        const bool isReached = reaches(of[several][static_cast<size_t>(graph.id)], graph);
        print(isReached ? "reached" : "MISSED", graph);
        failures += isReached ? 0 : 1;
      }
    }
  }
  return failures == 0 ? 0 : 1;
}
