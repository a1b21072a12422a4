// links: cudnn
// Descriptors of cuDNN's backend interface without attributes. Finalizing a configuration that has no engine ends the process
// there, so that kinds from this one on are made only.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_descriptors");

int main() {
  for (int kind = -1; kind <= CUDNN_BACKEND_ENGINECFG_DESCRIPTOR; ++kind) {
    Node node(static_cast<cudnnBackendDescriptorType_t>(kind));
    OBSERVE("create." + std::to_string(kind), code(node.created));
    if (node.created == CUDNN_STATUS_SUCCESS && kind < CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)
      OBSERVE("finalize_empty." + std::to_string(kind), code(cudnnBackendFinalize(node.descriptor)));
  }
  return 0;
}
