// Calls on a capturing stream that cannot be captured, and what they do to the capture.
#include <functional>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.illegal_calls");

static cudaStream_t stream;

static void attempt(const std::string& name, const std::function<cudaError_t()>& call) {
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OBSERVE(name, call());
  cudaGetLastError();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  OBSERVE(name + "_ask", cudaStreamIsCapturing(stream, &status));
  OBSERVE(name + "_status", static_cast<int>(status));
  cudaGraph_t graph = nullptr;
  OBSERVE(name + "_end", cudaStreamEndCapture(stream, &graph));
  OBSERVE(name + "_graph", graph != nullptr);
  cudaGetLastError();
}

int main() {
  DeviceArray<int> value(1);
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t plain;
  cudaEvent_t never;
  SETUP(cudaEventCreate(&plain));
  SETUP(cudaEventCreate(&never));
  SETUP(cudaEventRecord(plain, other));
  SETUP(cudaDeviceSynchronize());
  cudaGraph_t empty = newGraph();
  cudaGraphExec_t exec = instantiated(empty);

  attempt("nothing", [] { return cudaSuccess; });
  attempt("stream_synchronise", [] { return cudaStreamSynchronize(stream); });
  attempt("stream_query", [] { return cudaStreamQuery(stream); });
  attempt("device_synchronise", [] { return cudaDeviceSynchronize(); });
  attempt("other_stream_synchronise", [&] { return cudaStreamSynchronize(other); });
  attempt("other_stream_query", [&] { return cudaStreamQuery(other); });
  attempt("plain_event_query", [&] { return cudaEventQuery(plain); });
  attempt("plain_event_synchronise", [&] { return cudaEventSynchronize(plain); });
  attempt("wait_plain_event", [&] { return cudaStreamWaitEvent(stream, plain, 0); });
  attempt("wait_never_recorded", [&] { return cudaStreamWaitEvent(stream, never, 0); });
  attempt("captured_event_query", [&] {
    SETUP(cudaEventRecord(never, stream));
    return cudaEventQuery(never);
  });
  attempt("captured_event_synchronise", [&] {
    SETUP(cudaEventRecord(never, stream));
    return cudaEventSynchronize(never);
  });
  attempt("captured_event_elapsed", [&] {
    SETUP(cudaEventRecord(never, stream));
    float ms = 0;
    return cudaEventElapsedTime(&ms, plain, never);
  });
  attempt("captured_event_destroy", [&] {
    cudaEvent_t event;
    SETUP(cudaEventCreate(&event));
    SETUP(cudaEventRecord(event, stream));
    return cudaEventDestroy(event);
  });
  attempt("empty_grid", [&] {
    timesPlus<<<0, 1, 0, stream>>>(nullptr, 0, 0);
    return cudaGetLastError();
  });
  attempt("copy_null",
          [&] { return cudaMemcpyAsync(nullptr, value.data(), 4, cudaMemcpyDeviceToDevice, stream); });
  attempt("launch_null_graph", [&] { return cudaGraphLaunch(nullptr, stream); });
  attempt("upload", [&] { return cudaGraphUpload(exec, stream); });
  attempt("malloc_relaxed", [] {
    void* pointer = nullptr;
    return cudaMalloc(&pointer, 64);
  });
  attempt("copy_synchronously_relaxed", [&] {
    int host = 0;
    return cudaMemcpy(&host, value.data(), 4, cudaMemcpyDeviceToHost);
  });
  attempt("free_async_unknown", [&] { return cudaFreeAsync(value.data(), stream); });
  attempt("get_priority", [] {
    int priority = 0;
    return cudaStreamGetPriority(stream, &priority);
  });
  attempt("stream_destroy_other", [] {
    cudaStream_t another;
    SETUP(cudaStreamCreate(&another));
    return cudaStreamDestroy(another);
  });
}
