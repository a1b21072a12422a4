// The drawing of a graph for debugging.
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.drawing");

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  TimesPlus work(value.data(), 1, 1);
  emptyNode(graph, {work.addTo(graph)});
  char path[] = "/tmp/conformance_graph_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return 3;
  close(file);
  OBSERVE("print", cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  OBSERVE("is_digraph", text.str().rfind("digraph", 0) == 0);
  OBSERVE("has_edge", text.str().find("->") != std::string::npos);
  OBSERVE("names_kernel", text.str().find("timesPlus") != std::string::npos);
  OBSERVE("print_null_graph", cudaGraphDebugDotPrint(nullptr, path, 0));
  OBSERVE("print_no_directory", cudaGraphDebugDotPrint(graph, "/nonexistent/directory/graph.dot", 0));
  unlink(path);
}
