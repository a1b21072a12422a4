// Conditional nodes: misuse.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.condition_errors");

int main() {
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle handle = 0;
  OBSERVE("unknown_flags", cudaGraphConditionalHandleCreate(&handle, graph, 0, 8));
  OBSERVE("null_graph", cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
  SETUP(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  cudaGraphNode_t node = nullptr;
  OBSERVE("while_two_bodies", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.conditional.size = 0;
  OBSERVE("no_body", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 3;
  OBSERVE("if_three_bodies", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.conditional.size = 1;
  OBSERVE("if_one_body", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  OBSERVE("handle_used_twice", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  OBSERVE("null_params", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  cudaGraphConditionalHandle unused = 0;
  cudaGraph_t other = newGraph();
  SETUP(cudaGraphConditionalHandleCreate(&unused, other, 0, 0));
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams instantiation = {};
  OBSERVE("instantiate_unused", cudaGraphInstantiateWithParams(&exec, other, &instantiation));
  OBSERVE("instantiate_unused_result", static_cast<int>(instantiation.result_out));
  cudaGetLastError();
}
