// Capturing into a graph that exists.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.to_graph");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaGraph_t graph = newGraph();
  TimesPlus first(value.data(), 0, 1);
  cudaGraphNode_t node = first.addTo(graph);
  OBSERVE("begin",
          cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 10, 2);
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("begin_null_graph", cudaStreamBeginCaptureToGraph(other, nullptr, nullptr, nullptr, 0,
                                                            cudaStreamCaptureModeThreadLocal));
  cudaGetLastError();
  cudaGraph_t ended = nullptr;
  OBSERVE("end", cudaStreamEndCapture(stream, &ended));
  OBSERVE("same_graph", ended == graph);
  OBSERVE("nodes", nodeCount(graph));
  size_t edges = 0;
  SETUP(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  OBSERVE("edges", edges);
  // Again, from the roots.
  OBSERVE("begin_again", cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                                       cudaStreamCaptureModeThreadLocal));
  OBSERVE("fill", cudaMemsetAsync(value.data(), 0, 0, stream));
  OBSERVE("end_again", cudaStreamEndCapture(stream, &ended));
  OBSERVE("nodes_again", nodeCount(graph));
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("run", runGraph(exec, stream));
  OBSERVE("value", readBack(value)[0]);
  cudaGetLastError();
}
