// Making graphs and looking at them.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.construction");

int main() {
  cudaGraph_t graph = nullptr;
  OBSERVE("create", cudaGraphCreate(&graph, 0));
  OBSERVE("create_null", cudaGraphCreate(nullptr, 0));
  cudaGraph_t flagged = nullptr;
  OBSERVE("create_flags", cudaGraphCreate(&flagged, 1));
  OBSERVE("destroy_null", cudaGraphDestroy(nullptr));

  cudaGraphNode_t a = nullptr;
  cudaGraphNode_t b = nullptr;
  cudaGraphNode_t c = nullptr;
  OBSERVE("add_empty", cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  OBSERVE("add_behind", cudaGraphAddEmptyNode(&b, graph, &a, 1));
  cudaGraphNode_t both[] = {a, b};
  OBSERVE("add_behind_two", cudaGraphAddEmptyNode(&c, graph, both, 2));
  cudaGraphNode_t d = nullptr;
  OBSERVE("add_null_node", cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  OBSERVE("add_null_graph", cudaGraphAddEmptyNode(&d, nullptr, nullptr, 0));
  OBSERVE("add_null_dependencies", cudaGraphAddEmptyNode(&d, graph, nullptr, 1));
  OBSERVE("add_pointer_but_count_0", cudaGraphAddEmptyNode(&d, graph, both, 0));
  cudaGraphNode_t twice[] = {a, a};
  OBSERVE("add_same_dependency_twice", cudaGraphAddEmptyNode(&d, graph, twice, 2));
  cudaGraph_t other = newGraph();
  cudaGraphNode_t foreign = emptyNode(other);
  OBSERVE("add_dependency_of_other_graph", cudaGraphAddEmptyNode(&d, graph, &foreign, 1));

  size_t count = 0;
  OBSERVE("count_nodes", cudaGraphGetNodes(graph, nullptr, &count));
  OBSERVE("nodes", count);
  OBSERVE("count_nodes_null", cudaGraphGetNodes(graph, nullptr, nullptr));
  OBSERVE("count_nodes_null_graph", cudaGraphGetNodes(nullptr, nullptr, &count));
  cudaGraphNode_t found[6] = {foreign, foreign, foreign, foreign, foreign, foreign};
  count = 2;
  OBSERVE("fewer_nodes", cudaGraphGetNodes(graph, found, &count));
  OBSERVE("fewer_nodes_count", count);
  OBSERVE("fewer_nodes_first", found[0] == a);
  OBSERVE("fewer_nodes_rest_untouched", found[2] == foreign);
  count = 6;
  OBSERVE("more_nodes", cudaGraphGetNodes(graph, found, &count));
  OBSERVE("more_nodes_count", count);
  OBSERVE("more_nodes_rest_null", found[5] == nullptr);

  count = 0;
  OBSERVE("count_roots", cudaGraphGetRootNodes(graph, nullptr, &count));
  OBSERVE("roots", count);
  count = 1;
  OBSERVE("get_root", cudaGraphGetRootNodes(graph, found, &count));
  OBSERVE("root_is_first", found[0] == a);
  OBSERVE("roots_null_count", cudaGraphGetRootNodes(graph, found, nullptr));

  cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  OBSERVE("type", cudaGraphNodeGetType(a, &type));
  OBSERVE("type_value", static_cast<int>(type));
  OBSERVE("type_null_node", cudaGraphNodeGetType(nullptr, &type));
  OBSERVE("type_null", cudaGraphNodeGetType(a, nullptr));

  OBSERVE("destroy_node", cudaGraphDestroyNode(b));
  OBSERVE("nodes_after_destroy", nodeCount(graph));
  count = 0;
  SETUP(cudaGraphNodeGetDependencies(c, nullptr, nullptr, &count));
  OBSERVE("dependencies_after_destroy", count);
  OBSERVE("destroy_null_node", cudaGraphDestroyNode(nullptr));
  OBSERVE("destroy", cudaGraphDestroy(graph));
}
