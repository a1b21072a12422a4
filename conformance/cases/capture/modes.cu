// Calls that capture modes forbid, in the capturing thread and in others.
#include <functional>
#include <thread>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.modes");

static cudaStream_t stream;
static cudaEvent_t finished;

struct Call {
  const char* name;
  std::function<cudaError_t()> run;
};

// The call's result, and whether the capture survived.
static void attempt(const std::string& name, cudaStreamCaptureMode mode, bool elsewhere, const Call& call) {
  SETUP(cudaStreamBeginCapture(stream, mode));
  cudaError_t result = cudaSuccess;
  if (elsewhere) {
    std::thread([&] { result = call.run(); }).join();
  } else {
    result = call.run();
  }
  OBSERVE(name + call.name, result);
  cudaGetLastError();
  cudaGraph_t graph = nullptr;
  OBSERVE(name + call.name + "_end", cudaStreamEndCapture(stream, &graph));
  cudaGetLastError();
}

int main() {
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  SETUP(cudaEventCreate(&finished));
  SETUP(cudaEventRecord(finished, other));
  SETUP(cudaDeviceSynchronize());
  const Call calls[] = {
      {"malloc",
       [] {
         void* pointer = nullptr;
         return cudaMalloc(&pointer, 64);
       }},
      {"host_alloc",
       [] {
         void* pointer = nullptr;
         return cudaHostAlloc(&pointer, 64, 0);
       }},
      {"event_query", [] { return cudaEventQuery(finished); }},
      {"event_create",
       [] {
         cudaEvent_t event;
         return cudaEventCreate(&event);
       }},
      {"stream_create",
       [] {
         cudaStream_t created;
         return cudaStreamCreate(&created);
       }},
      {"stream_query", [&] { return cudaStreamQuery(other); }},
      {"stream_synchronise", [&] { return cudaStreamSynchronize(other); }},
      {"event_synchronise", [] { return cudaEventSynchronize(finished); }},
      {"launch_elsewhere",
       [&] {
         timesPlus<<<0, 1, 0, other>>>(nullptr, 0, 0);
         cudaGetLastError();
         return cudaMemsetAsync(nullptr, 0, 0, other);
       }},
      {"mem_get_info",
       [] {
         size_t available = 0;
         size_t total = 0;
         return cudaMemGetInfo(&available, &total);
       }},
  };
  const std::pair<const char*, cudaStreamCaptureMode> modes[] = {
      {"global", cudaStreamCaptureModeGlobal},
      {"thread_local", cudaStreamCaptureModeThreadLocal},
      {"relaxed", cudaStreamCaptureModeRelaxed},
  };
  for (const auto& mode : modes) {
    for (const Call& call : calls) {
      attempt(std::string(mode.first) + "_here_", mode.second, false, call);
      attempt(std::string(mode.first) + "_elsewhere_", mode.second, true, call);
    }
  }
}
