// Built-in variables and clocks.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.builtins");

__global__ void look(int* out) {
  out[0] = warpSize;
  out[1] = static_cast<int>(blockDim.x * 100 + gridDim.x);
  const long long before = clock64();
  long long after = before;
  for (int i = 0; i < 1000000 && after <= before; ++i) after = clock64();
  out[2] = after > before ? 1 : 0;
  out[3] = static_cast<int>(sizeof(threadIdx.x) * 10 + sizeof(warpSize));
}

__global__ void grow(int* out) {
  // Local arrays belong to each thread.
  int local[16];
  for (int i = 0; i < 16; ++i) local[i] = i * static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += local[(i * 7) % 16];
  out[threadIdx.x] = sum;
}

int main() {
  cudaDeviceProp properties;
  SETUP(cudaGetDeviceProperties(&properties, 0));
  DeviceArray<int> out(256);
  look<<<3, 1>>>(out.data());
  const std::vector<int> seen = out.read();
  OBSERVE("warp_size_agrees", seen[0] == properties.warpSize);
  OBSERVE("dimensions", seen[1]);
  OBSERVE("clock_advances", seen[2]);
  OBSERVE("sizes", seen[3]);
  grow<<<1, 256>>>(out.data());
  OBSERVE("local_arrays", joined(out.read()));
}
