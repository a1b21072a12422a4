// Callbacks and host functions: what they may call, and what comes after them.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("stream.callback_rules");

struct Calls {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int* device = nullptr;
  cudaError_t allocate = cudaSuccess;
  cudaError_t query = cudaSuccess;
  cudaError_t eventQuery = cudaSuccess;
  cudaError_t synchronise = cudaSuccess;
  cudaError_t launch = cudaSuccess;
  cudaError_t getDevice = cudaSuccess;
  cudaError_t lastError = cudaSuccess;
  cudaError_t pointer = cudaSuccess;
};

static void callAll(Calls& calls) {
  void* memory = nullptr;
  calls.allocate = cudaMalloc(&memory, 16);
  calls.query = cudaStreamQuery(calls.stream);
  calls.eventQuery = cudaEventQuery(calls.event);
  calls.synchronise = cudaStreamSynchronize(calls.stream);
  calls.launch = cudaMemsetAsync(calls.device, 0, 4, calls.stream);
  int device = 0;
  calls.getDevice = cudaGetDevice(&device);
  cudaPointerAttributes attributes;
  calls.pointer = cudaPointerGetAttributes(&attributes, calls.device);
  calls.lastError = cudaPeekAtLastError();
}

static void CUDART_CB hostFunction(void* data) { callAll(*static_cast<Calls*>(data)); }
static void CUDART_CB callback(cudaStream_t, cudaError_t, void* data) { callAll(*static_cast<Calls*>(data)); }

static void report(const std::string& name, const Calls& calls) {
  OBSERVE(name + "_allocate", calls.allocate);
  OBSERVE(name + "_stream_query", calls.query);
  OBSERVE(name + "_event_query", calls.eventQuery);
  OBSERVE(name + "_synchronise", calls.synchronise);
  OBSERVE(name + "_fill", calls.launch);
  OBSERVE(name + "_get_device", calls.getDevice);
  OBSERVE(name + "_pointer_attributes", calls.pointer);
  OBSERVE(name + "_last_error", calls.lastError);
}

int main() {
  DeviceArray<int> value(1);
  Calls calls;
  SETUP(cudaStreamCreateWithFlags(&calls.stream, cudaStreamNonBlocking));
  SETUP(cudaEventCreate(&calls.event));
  SETUP(cudaEventRecord(calls.event, calls.stream));
  SETUP(cudaStreamSynchronize(calls.stream));
  calls.device = value.data();
  SETUP(cudaLaunchHostFunc(calls.stream, hostFunction, &calls));
  OBSERVE("synchronise", cudaStreamSynchronize(calls.stream));
  report("host_function", calls);
  OBSERVE("last_error_of_caller", cudaGetLastError());
  SETUP(cudaStreamAddCallback(calls.stream, callback, &calls, 0));
  OBSERVE("synchronise_callback", cudaStreamSynchronize(calls.stream));
  report("callback", calls);
  OBSERVE("usable_after", cudaMemset(value.data(), 0, 4));
}
