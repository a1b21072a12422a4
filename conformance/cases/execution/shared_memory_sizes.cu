// Dynamic shared memory: what is free, what must be asked for, what is too much.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.shared_memory_sizes");

extern __shared__ int dynamicShared[];

__global__ void useEnds(int* out, int count) {
  dynamicShared[0] = 3;
  dynamicShared[count - 1] = 4;
  *out = dynamicShared[0] + dynamicShared[count - 1];
}

static std::string launched(DeviceArray<int>& out, size_t bytes) {
  useEnds<<<1, 1, bytes>>>(out.data(), static_cast<int>(bytes / sizeof(int)));
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return observedText(error);
  return "ran " + std::to_string(out.read()[0]);
}

int main() {
  DeviceArray<int> out(1);
  cudaDeviceProp properties;
  SETUP(cudaGetDeviceProperties(&properties, 0));
  const void* kernel = reinterpret_cast<const void*>(useEnds);
  const int optIn = static_cast<int>(properties.sharedMemPerBlockOptin);

  OBSERVE("per_block_bytes", properties.sharedMemPerBlock);
  OBSERVE("kibibyte", launched(out, 1024));
  OBSERVE("all_per_block", launched(out, properties.sharedMemPerBlock));
  OBSERVE("above_per_block", launched(out, properties.sharedMemPerBlock + 1024));
  OBSERVE("ask_for_all", cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, optIn));
  OBSERVE("all_opt_in", launched(out, static_cast<size_t>(optIn)));
  OBSERVE("above_opt_in", launched(out, static_cast<size_t>(optIn) + 1024));
  OBSERVE("ask_for_too_much",
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, optIn + 1024));
  OBSERVE("ask_for_negative", cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -5));
  OBSERVE("null_function", cudaFuncSetAttribute(static_cast<const void*>(nullptr),
                                                cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
}
