// Copies to symbols, empty copies and external events in a capture.
#include <functional>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.symbols");

__device__ int variable;

static cudaStream_t stream;

static void attempt(const std::string& name, const std::function<cudaError_t()>& call) {
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE(name, call());
  cudaGraph_t graph = nullptr;
  OBSERVE(name + "_end", cudaStreamEndCapture(stream, &graph));
  if (graph != nullptr) OBSERVE(name + "_nodes", nodeCount(graph));
  cudaGetLastError();
}

int main() {
  DeviceArray<int> value(1);
  int host = 5;
  cudaEvent_t event;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaEventCreate(&event));
  attempt("to_symbol", [&] {
    return cudaMemcpyToSymbolAsync(variable, value.data(), 4, 0, cudaMemcpyDeviceToDevice, stream);
  });
  attempt("from_symbol",
          [&] { return cudaMemcpyFromSymbolAsync(&host, variable, 4, 0, cudaMemcpyDeviceToHost, stream); });
  attempt("empty_copy",
          [&] { return cudaMemcpyAsync(value.data(), &host, 0, cudaMemcpyHostToDevice, stream); });
  attempt("empty_fill", [&] { return cudaMemsetAsync(value.data(), 0, 0, stream); });
  attempt("pageable_in",
          [&] { return cudaMemcpyAsync(value.data(), &host, 4, cudaMemcpyHostToDevice, stream); });
  attempt("pageable_out",
          [&] { return cudaMemcpyAsync(&host, value.data(), 4, cudaMemcpyDeviceToHost, stream); });
  attempt("record_external",
          [&] { return cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal); });
  attempt("wait_external", [&] { return cudaStreamWaitEvent(stream, event, cudaEventWaitExternal); });
  attempt("prefetch_attach",
          [&] { return cudaStreamAttachMemAsync(stream, value.data(), 0, cudaMemAttachGlobal); });
}
