// Host functions and callbacks: order, arguments, misuse.
#include <vector>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("stream.host_functions");

struct Seen {
  std::vector<int> order;
  cudaError_t status = cudaErrorUnknown;
  bool streamMatches = false;
  cudaStream_t stream = nullptr;
  int copied = 0;
  cudaError_t callFromInside = cudaSuccess;
};

__global__ void produce(int* value) { *value = 4321; }

static void CUDART_CB first(void* data) { static_cast<Seen*>(data)->order.push_back(1); }

static void CUDART_CB second(cudaStream_t stream, cudaError_t status, void* data) {
  Seen* seen = static_cast<Seen*>(data);
  seen->order.push_back(2);
  seen->status = status;
  seen->streamMatches = stream == seen->stream;
}

static void CUDART_CB third(void* data) {
  Seen* seen = static_cast<Seen*>(data);
  seen->order.push_back(seen->copied == 4321 ? 3 : -3);
  void* pointer = nullptr;
  seen->callFromInside = cudaMalloc(&pointer, 16);
}

int main() {
  DeviceArray<int> value(1);
  Seen seen;
  SETUP(cudaStreamCreate(&seen.stream));
  OBSERVE("first", cudaLaunchHostFunc(seen.stream, first, &seen));
  OBSERVE("second", cudaStreamAddCallback(seen.stream, second, &seen, 0));
  produce<<<1, 1, 0, seen.stream>>>(value.data());
  SETUP(cudaMemcpyAsync(&seen.copied, value.data(), sizeof(int), cudaMemcpyDeviceToHost, seen.stream));
  OBSERVE("third", cudaLaunchHostFunc(seen.stream, third, &seen));
  OBSERVE("synchronise", cudaStreamSynchronize(seen.stream));
  OBSERVE("order", joined(seen.order));
  OBSERVE("callback_status", seen.status);
  OBSERVE("callback_stream_matches", seen.streamMatches);
  OBSERVE("call_from_inside", seen.callFromInside);
  OBSERVE("null_function", cudaLaunchHostFunc(seen.stream, nullptr, &seen));
  OBSERVE("null_callback", cudaStreamAddCallback(seen.stream, nullptr, &seen, 0));
  OBSERVE("callback_flags", cudaStreamAddCallback(seen.stream, second, &seen, 1));
  OBSERVE("default_stream", cudaLaunchHostFunc(nullptr, first, &seen));
  SETUP(cudaDeviceSynchronize());
  OBSERVE("order_after", joined(seen.order));
}
