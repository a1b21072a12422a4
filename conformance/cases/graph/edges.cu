// Edges: adding, removing, asking for them; cycles.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.edges");

int main() {
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t a = emptyNode(graph);
  cudaGraphNode_t b = emptyNode(graph);
  cudaGraphNode_t c = emptyNode(graph);
  cudaGraph_t other = newGraph();
  cudaGraphNode_t foreign = emptyNode(other);

  OBSERVE("add", cudaGraphAddDependencies(graph, &a, &b, nullptr, 1));
  OBSERVE("add_again", cudaGraphAddDependencies(graph, &a, &b, nullptr, 1));
  OBSERVE("add_to_itself", cudaGraphAddDependencies(graph, &c, &c, nullptr, 1));
  OBSERVE("add_foreign", cudaGraphAddDependencies(graph, &a, &foreign, nullptr, 1));
  OBSERVE("add_none", cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0));
  OBSERVE("add_null", cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 1));
  OBSERVE("add_null_graph", cudaGraphAddDependencies(nullptr, &a, &c, nullptr, 1));
  cudaGraphNode_t from[] = {b, a};
  cudaGraphNode_t to[] = {c, c};
  OBSERVE("add_two", cudaGraphAddDependencies(graph, from, to, nullptr, 2));

  size_t count = 0;
  OBSERVE("count", cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  OBSERVE("edges", count);
  cudaGraphNode_t gotFrom[5] = {};
  cudaGraphNode_t gotTo[5] = {};
  count = 5;
  OBSERVE("get", cudaGraphGetEdges(graph, gotFrom, gotTo, nullptr, &count));
  OBSERVE("got", count);
  int ab = 0;
  int ac = 0;
  int bc = 0;
  for (size_t i = 0; i < count; ++i) {
    ab += gotFrom[i] == a && gotTo[i] == b;
    ac += gotFrom[i] == a && gotTo[i] == c;
    bc += gotFrom[i] == b && gotTo[i] == c;
  }
  OBSERVE("each_once", ab == 1 && ac == 1 && bc == 1);
  OBSERVE("get_null_count", cudaGraphGetEdges(graph, gotFrom, gotTo, nullptr, nullptr));
  OBSERVE("get_one_array", cudaGraphGetEdges(graph, gotFrom, nullptr, nullptr, &count));

  OBSERVE("dependencies", cudaGraphNodeGetDependencies(c, nullptr, nullptr, &count));
  OBSERVE("dependencies_count", count);
  OBSERVE("dependents", cudaGraphNodeGetDependentNodes(a, nullptr, nullptr, &count));
  OBSERVE("dependents_count", count);
  OBSERVE("dependencies_null_node", cudaGraphNodeGetDependencies(nullptr, nullptr, nullptr, &count));
  OBSERVE("dependents_null_count", cudaGraphNodeGetDependentNodes(a, nullptr, nullptr, nullptr));

  OBSERVE("remove", cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1));
  OBSERVE("remove_again", cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1));
  OBSERVE("remove_reversed", cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
  OBSERVE("remove_none", cudaGraphRemoveDependencies(graph, nullptr, nullptr, nullptr, 0));

  // a -> b -> c -> a
  const cudaError_t closing = cudaGraphAddDependencies(graph, &c, &a, nullptr, 1);
  OBSERVE("close_cycle", closing);
  cudaGraphExec_t exec = nullptr;
  OBSERVE("instantiate_cycle", cudaGraphInstantiate(&exec, graph, 0));
  cudaGraphInstantiateParams params = {};
  OBSERVE("instantiate_cycle_with_params", cudaGraphInstantiateWithParams(&exec, graph, &params));
  OBSERVE("instantiate_result", static_cast<int>(params.result_out));
}
