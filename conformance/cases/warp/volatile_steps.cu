// Threads of a warp that go step by step because memory is volatile: what programs of before __syncwarp rely
// on.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.volatile_steps");

constexpr int kThreads = 128;

__device__ void sumUp(volatile int* values, int lane) {
  values[lane] += values[lane + 16];
  values[lane] += values[lane + 8];
  values[lane] += values[lane + 4];
  values[lane] += values[lane + 2];
  values[lane] += values[lane + 1];
}

// The last warp of a block's sum.
__global__ void reduce(int* out) {
  __shared__ int values[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = thread * thread;
  __syncthreads();
  for (int half = kThreads / 2; half > 16; half /= 2) {
    if (thread < half) values[thread] += values[thread + half];
    __syncthreads();
  }
  if (thread < 16) values[thread + 32] = 0;
  __syncthreads();
  if (thread < 32) sumUp(values, thread);
  if (thread == 0) out[blockIdx.x] = values[0];
}

// Sums up to each thread, in rows of 32 behind as many zeros.
__global__ void scan(int* out) {
  __shared__ volatile int rows[kThreads / 32][64];
  const int lane = static_cast<int>(threadIdx.x % 32);
  volatile int* const row = rows[threadIdx.x / 32];
  row[lane] = 0;
  row[lane + 32] = static_cast<int>(threadIdx.x) + 1;
  __syncthreads();
  for (int distance = 1; distance < 32; distance *= 2) row[lane + 32] += row[lane + 32 - distance];
  out[threadIdx.x] = row[lane + 32];
}

// Neighbours change places, and only half of the lanes take part in the end.
__global__ void exchange(int* out) {
  __shared__ volatile int values[32];
  const int lane = static_cast<int>(threadIdx.x);
  values[lane] = 3 * lane;
  const int other = values[lane ^ 1];
  values[lane] = other + 1000;
  if (lane % 2 == 0) values[lane] = values[lane] + values[lane ^ 2];
  out[lane] = values[lane];
}

int main() {
  DeviceArray<int> out(kThreads);
  reduce<<<1, kThreads>>>(out.data());
  OBSERVE("sum", out.read()[0]);
  scan<<<1, kThreads>>>(out.data());
  const std::vector<int> sums = out.read();
  for (const int thread : {0, 1, 17, 31, 32, 63, 100, 127}) {
    OBSERVE("scan_" + std::to_string(thread), sums[static_cast<size_t>(thread)]);
  }
  exchange<<<1, 32>>>(out.data());
  const std::vector<int> exchanged = out.read();
  for (int lane = 0; lane < 8; ++lane) {
    OBSERVE("exchanged_" + std::to_string(lane), exchanged[static_cast<size_t>(lane)]);
  }
  return 0;
}
