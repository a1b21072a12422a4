// Shared-memory atomics, scopes, and atomics the host sees.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.scopes");

__global__ void histogram(unsigned* bins) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) atomicAdd(&local[(i * i + blockIdx.x) % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void scoped(int* value) {
  atomicAdd_block(value, 1);
  atomicAdd_system(value + 1, 1);
  atomicMax_system(value + 2, static_cast<int>(threadIdx.x));
}

__global__ void sharedWide(unsigned long long* out) {
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1ull << 34);
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

int main() {
  DeviceArray<unsigned> bins(16);
  histogram<<<6, 96>>>(bins.data());
  OBSERVE("histogram", joined(bins.read()));
  DeviceArray<unsigned long long> wide(1);
  sharedWide<<<1, 200>>>(wide.data());
  OBSERVE("shared_wide", wide.read()[0]);

  int* host = nullptr;
  int* device = nullptr;
  SETUP(cudaHostAlloc(reinterpret_cast<void**>(&host), 3 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 3; ++i) host[i] = 0;
  SETUP(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  scoped<<<1, 256>>>(device);
  SETUP(cudaDeviceSynchronize());
  OBSERVE("on_host_memory",
          std::to_string(host[0]) + "," + std::to_string(host[1]) + "," + std::to_string(host[2]));
}
