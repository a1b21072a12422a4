// Instantiation: flags, parameters, empty graphs, misuse.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.instantiation");

int main() {
  DeviceArray<int> value(1);
  cudaGraph_t graph = newGraph();
  cudaGraphExec_t exec = nullptr;
  OBSERVE("empty", cudaGraphInstantiate(&exec, graph, 0));
  OBSERVE("run_empty", runGraph(exec));
  OBSERVE("null_exec", cudaGraphInstantiate(nullptr, graph, 0));
  OBSERVE("null_graph", cudaGraphInstantiate(&exec, nullptr, 0));
  OBSERVE("unknown_flags", cudaGraphInstantiate(&exec, graph, 0x100));
  OBSERVE("auto_free", cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags = 77;
  OBSERVE("get_flags", cudaGraphExecGetFlags(exec, &flags));
  OBSERVE("flags", flags);
  OBSERVE("get_flags_null", cudaGraphExecGetFlags(exec, nullptr));
  OBSERVE("get_flags_null_exec", cudaGraphExecGetFlags(nullptr, &flags));
  OBSERVE("use_node_priority", cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  OBSERVE("with_flags", cudaGraphInstantiateWithFlags(&exec, graph, 0));
  OBSERVE("upload_without_params", cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUpload));

  TimesPlus work(value.data(), 10, 1);
  work.addTo(graph);
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  cudaGraphInstantiateParams params = {};
  params.flags = cudaGraphInstantiateFlagUpload;
  params.uploadStream = stream;
  OBSERVE("with_params", cudaGraphInstantiateWithParams(&exec, graph, &params));
  OBSERVE("with_params_result", static_cast<int>(params.result_out));
  OBSERVE("with_params_null", cudaGraphInstantiateWithParams(&exec, graph, nullptr));
  OBSERVE("upload", cudaGraphUpload(exec, stream));
  OBSERVE("upload_null", cudaGraphUpload(nullptr, stream));
  OBSERVE("launch_null", cudaGraphLaunch(nullptr, stream));
  OBSERVE("run", runGraph(exec, stream));
  OBSERVE("value", readBack(value)[0]);
  // Nodes added later belong to later instantiations.
  work.addTo(graph);
  OBSERVE("run_old", runGraph(exec, stream));
  OBSERVE("value_old", readBack(value)[0]);
  cudaGraphExec_t another = instantiated(graph);
  OBSERVE("several", another != exec);
  OBSERVE("run_legacy", runGraph(exec, nullptr));
  OBSERVE("run_per_thread", runGraph(exec, cudaStreamPerThread));
  OBSERVE("value_after", readBack(value)[0]);
}
