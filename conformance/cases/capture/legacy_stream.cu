// The legacy stream while blocking streams capture.
#include <functional>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.legacy_stream");

static cudaStream_t stream;

static void attempt(const std::string& name, const std::function<cudaError_t()>& call) {
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OBSERVE(name, call());
  cudaGetLastError();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  SETUP(cudaStreamIsCapturing(stream, &status));
  OBSERVE(name + "_status", static_cast<int>(status));
  cudaGraph_t graph = nullptr;
  OBSERVE(name + "_end", cudaStreamEndCapture(stream, &graph));
  cudaGetLastError();
}

int main() {
  DeviceArray<int> value(1);
  int host = 0;
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  for (const bool blocking : {true, false}) {
    SETUP(cudaStreamCreateWithFlags(&stream, blocking ? cudaStreamDefault : cudaStreamNonBlocking));
    const std::string with = blocking ? "blocking_" : "nonblocking_";
    attempt(with + "launch", [&] {
      timesPlus<<<1, 1>>>(value.data(), 1, 1);
      return cudaGetLastError();
    });
    attempt(with + "fill_async", [&] { return cudaMemsetAsync(value.data(), 0, 4, nullptr); });
    attempt(with + "copy", [&] { return cudaMemcpy(&host, value.data(), 4, cudaMemcpyDeviceToHost); });
    attempt(with + "fill", [&] { return cudaMemset(value.data(), 0, 4); });
    attempt(with + "record", [&] { return cudaEventRecord(event, nullptr); });
    attempt(with + "wait_captured", [&] {
      SETUP(cudaEventRecord(event, stream));
      return cudaStreamWaitEvent(nullptr, event, 0);
    });
    attempt(with + "synchronise", [&] { return cudaStreamSynchronize(nullptr); });
    attempt(with + "query", [&] { return cudaStreamQuery(nullptr); });
    attempt(with + "is_capturing", [&] {
      cudaStreamCaptureStatus status;
      return cudaStreamIsCapturing(nullptr, &status);
    });
    SETUP(cudaStreamDestroy(stream));
    SETUP(cudaDeviceSynchronize());
  }
}
