// Beginning and ending a capture: state, misuse.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.begin_end");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  cudaStream_t other;
  SETUP(cudaStreamCreate(&stream));
  SETUP(cudaStreamCreate(&other));
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  OBSERVE("status_before", cudaStreamIsCapturing(stream, &status));
  OBSERVE("status_before_value", static_cast<int>(status));
  OBSERVE("end_without_begin", cudaStreamEndCapture(stream, &graph));
  OBSERVE("begin_legacy", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  OBSERVE("begin_legacy_handle", cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  OBSERVE("begin_unknown_mode", cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)));
  cudaGetLastError();
  OBSERVE("begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("begin_twice", cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("status", cudaStreamIsCapturing(stream, &status));
  OBSERVE("status_value", static_cast<int>(status));
  OBSERVE("status_null", cudaStreamIsCapturing(stream, nullptr));
  SETUP(cudaStreamIsCapturing(other, &status));
  OBSERVE("other_status_value", static_cast<int>(status));
  timesPlus<<<1, 1, 0, stream>>>(value.data(), 10, 1);
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("end_other", cudaStreamEndCapture(other, &graph));
  OBSERVE("end_null", cudaStreamEndCapture(stream, nullptr));
  SETUP(cudaStreamIsCapturing(stream, &status));
  OBSERVE("status_after_end_null", static_cast<int>(status));
  OBSERVE("end", cudaStreamEndCapture(stream, &graph));
  OBSERVE("end_gives_graph", graph != nullptr);
  cudaGetLastError();
  OBSERVE("nothing_ran", readBack(value)[0]);

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("end_empty", cudaStreamEndCapture(stream, &graph));
  OBSERVE("empty_nodes", nodeCount(graph));
  OBSERVE("begin_per_thread", cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  timesPlus<<<1, 1, 0, cudaStreamPerThread>>>(value.data(), 10, 1);
  OBSERVE("end_per_thread", cudaStreamEndCapture(cudaStreamPerThread, &graph));
  OBSERVE("per_thread_nodes", nodeCount(graph));
  cudaGetLastError();
}
