// CUDA as it is: its own names, headers and inline PTX. Says "passed" when all is right.
#include <cstdio>

#include "atomics.cuh"
#include "lanes.cuh"

__global__ void sum(const int* values, unsigned long long* out) {
  __shared__ alignas(16) int tile[4 * 32];
  copyToShared(tile + 4 * threadIdx.x, values + 4 * threadIdx.x);
  __syncthreads();
  addTo(out, tile[4 * threadIdx.x] + tile[4 * threadIdx.x + 3]);
  if (lane() == 31) addTo(out, 1000000);
}

int main() {
  int* values = nullptr;
  unsigned long long* out = nullptr;
  cudaMallocManaged(&values, 128 * sizeof(int));
  cudaMallocManaged(&out, sizeof(*out));
  *out = 0;
  for (int i = 0; i < 128; ++i) values[i] = i;
  sum<<<1, 32>>>(values, out);
  const cudaError_t status = cudaDeviceSynchronize();
  unsigned long long expected = 1000000;
  for (int i = 0; i < 32; ++i) expected += 4 * i + 4 * i + 3;
  if (status != cudaSuccess || *out != expected) {
    std::printf("%s, %llu, not %llu\n", cudaGetErrorString(status), *out, expected);
    return 1;
  }
  std::puts("passed");
  return 0;
}
