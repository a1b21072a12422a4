// The block that finishes last sees what all others wrote before their fence.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.last_block");

__device__ unsigned finished = 0;

__global__ void sum(const int* in, int* partial, int* out) {
  __shared__ bool last;
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) all += static_cast<volatile int*>(partial)[block];
    *out = all;
  }
}

int main() {
  std::vector<int> in(64 * 128);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 100);
  DeviceArray<int> deviceIn(in);
  DeviceArray<int> partial(64);
  DeviceArray<int> out(1);
  for (int round = 0; round < 2; ++round) {
    SETUP(cudaMemset(out.data(), 0, sizeof(int)));
    sum<<<64, 128>>>(deviceIn.data(), partial.data(), out.data());
    OBSERVE("round_" + std::to_string(round), out.read()[0]);
  }
}
