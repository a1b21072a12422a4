// Every thread of a three-dimensional launch runs once with its own indices.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.indices");

__global__ void count(unsigned* visits, unsigned* sums) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned all = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  atomicAdd(&visits[all], 1u);
  atomicAdd(&sums[0], blockIdx.x);
  atomicAdd(&sums[1], blockIdx.y);
  atomicAdd(&sums[2], blockIdx.z);
  atomicAdd(&sums[3], threadIdx.x);
  atomicAdd(&sums[4], threadIdx.y);
  atomicAdd(&sums[5], threadIdx.z);
}

int main() {
  const dim3 grid(5, 3, 4);
  const dim3 block(7, 2, 3);
  const size_t threads = 5 * 3 * 4 * 7 * 2 * 3;
  DeviceArray<unsigned> visits(threads);
  DeviceArray<unsigned> sums(6);
  count<<<grid, block>>>(visits.data(), sums.data());
  bool once = true;
  for (const unsigned visit : visits.read()) once = once && visit == 1;
  OBSERVE("each_once", once);
  OBSERVE("sums", joined(sums.read()));
}
