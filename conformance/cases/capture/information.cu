// What a capturing stream tells, and changing what the next node depends on.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.information");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  size_t count = 77;
  OBSERVE("before", cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("before_status", static_cast<int>(status));
  OBSERVE("null_status",
          cudaStreamGetCaptureInfo(stream, nullptr, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("update_before", cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
  cudaGetLastError();

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("begun", cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("begun_status", static_cast<int>(status));
  OBSERVE("begun_id", id != 0);
  OBSERVE("begun_graph", graph != nullptr);
  OBSERVE("begun_count", count);
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 0, 1);
  OBSERVE("status_only",
          cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  SETUP(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("count_after_kernel", count);
  cudaGraphNode_t first = dependencies[0];
  // A node of the user's own in the graph that is being captured.
  TimesPlus work(value.data(), 10, 2);
  cudaGraphNode_t own = work.addTo(graph, {first});
  OBSERVE("add_dependency",
          cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamAddCaptureDependencies));
  SETUP(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("count_after_add", count);
  OBSERVE("set_dependency",
          cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies));
  SETUP(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  OBSERVE("count_after_set", count);
  OBSERVE("unknown_flags", cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, 7));
  cudaGetLastError();
  cudaGraph_t other = newGraph();
  cudaGraphNode_t foreign = emptyNode(other);
  OBSERVE("foreign_node", cudaStreamUpdateCaptureDependencies(stream, &foreign, nullptr, 1,
                                                              cudaStreamSetCaptureDependencies));
  cudaGetLastError();
  SETUP(cudaStreamIsCapturing(stream, &status));
  OBSERVE("status_after_foreign", static_cast<int>(status));
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 10, 3);
  cudaGraph_t ended = nullptr;
  OBSERVE("end", cudaStreamEndCapture(stream, &ended));
  OBSERVE("same_graph", ended == graph);
  OBSERVE("nodes", nodeCount(ended));
  cudaGraphExec_t exec = instantiated(ended);
  OBSERVE("run", runGraph(exec, stream));
  OBSERVE("value", readBack(value)[0]);

  // Dropping all dependencies leaves work that nothing joins.
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 0, 1);
  OBSERVE("set_none",
          cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
  OBSERVE("end_set_none", cudaStreamEndCapture(stream, &ended));
  cudaGetLastError();
}
