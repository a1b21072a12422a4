// Attributes of kernel nodes.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.kernel_attributes");

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  TimesPlus work(value.data(), 1, 1);
  cudaGraphNode_t node = work.addTo(graph);
  cudaGraphNode_t second = work.addTo(graph, {node});
  cudaLaunchAttributeValue attribute = {};
  OBSERVE("get_cooperative",
          cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &attribute));
  OBSERVE("cooperative", attribute.cooperative);
  attribute.cooperative = 1;
  OBSERVE("set_cooperative",
          cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &attribute));
  attribute = {};
  SETUP(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &attribute));
  OBSERVE("cooperative_after", attribute.cooperative);
  attribute = {};
  OBSERVE("get_priority", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &attribute));
  OBSERVE("priority", attribute.priority);
  attribute.priority = -1;
  OBSERVE("set_priority", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &attribute));
  OBSERVE("copy", cudaGraphKernelNodeCopyAttributes(second, node));
  attribute = {};
  SETUP(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &attribute));
  OBSERVE("copied_priority", attribute.priority);
  SETUP(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeCooperative, &attribute));
  OBSERVE("copied_cooperative", attribute.cooperative);
  cudaGraphNode_t empty = emptyNode(graph);
  OBSERVE("get_of_empty_node",
          cudaGraphKernelNodeGetAttribute(empty, cudaLaunchAttributePriority, &attribute));
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec));
  OBSERVE("value", readBack(value)[0]);
}
