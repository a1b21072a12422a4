// What a kernel says of itself, and launch bounds.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.function_attributes");

__global__ void withStaticShared(int* out) {
  __shared__ int values[256];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = values[blockDim.x - 1];
}

__global__ void __launch_bounds__(128) bounded(int* out) { *out = 5; }

int main() {
  DeviceArray<int> out(1);
  cudaFuncAttributes attributes;
  const void* shared = reinterpret_cast<const void*>(withStaticShared);
  OBSERVE("get", cudaFuncGetAttributes(&attributes, shared));
  OBSERVE("static_shared", attributes.sharedSizeBytes);
  OBSERVE("max_threads", attributes.maxThreadsPerBlock);
  OBSERVE("get_null_result", cudaFuncGetAttributes(nullptr, shared));
  OBSERVE("get_null_function", cudaFuncGetAttributes(&attributes, static_cast<const void*>(nullptr)));
  cudaGetLastError();

  SETUP(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(bounded)));
  OBSERVE("bounded_max_threads", attributes.maxThreadsPerBlock);
  bounded<<<1, 128>>>(out.data());
  OBSERVE("at_bound", cudaGetLastError());
  OBSERVE("at_bound_value", out.read()[0]);
  bounded<<<1, 129>>>(out.data());
  OBSERVE("above_bound", cudaGetLastError());
}
