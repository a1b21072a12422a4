// Blocks of warps that mostly stand at the same places.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ int warpSum(int value) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// Each warp's sum of its columns goes to all others. What is added lies by rows.
__global__ void shared(const int* in, int* out, int columns, int offset) {
  __shared__ int part[32];
  const int warp = threadIdx.x / 32;
  int sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += in[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) part[warp] = sum;
  __syncthreads();
  int all = 0;
  for (int i = 0; i < blockDim.x / 32; ++i) all += part[i];
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[warp] = all + warp;
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[offset * columns + i] = part[warp] + in[i];
}

// Warps end at different places, and wait at different ones.
__global__ void apart(const int* in, int* out) {
  const int warp = threadIdx.x / 32;
  int sum = warpSum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (warp == 1) return;
  __syncthreads();
  if (warp % 2 == 0) {
    sum += warpSum(sum + warp);
    __syncthreads();
    sum += 5;
  } else {
    __syncthreads();
    sum = warpSum(sum) - 3;
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

// A thread's place among those of its warp that have the same digit.
__global__ void ranked(const int* in, int* out) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned same = __match_any_sync(0xffffffffu, in[threadIdx.x] & 15);
  out[threadIdx.x] = __popc(same & ((1u << lane) - 1));
}

// The warp goes one way, whatever its threads have found.
__global__ void alike(const long long* in, long long* out) {
  int all = 0;
  const unsigned same = __match_all_sync(0xffffffffu, in[threadIdx.x], &all);
  long long value = same;
  if (all != 0) value += __shfl_xor_sync(0xffffffffu, in[threadIdx.x] + threadIdx.x, 1);
  out[threadIdx.x] = value;
}

constexpr int kThreads = 160, kColumns = 1000;

bool sharedIsRight(const int* in, int* out) {
  shared<<<1, kThreads>>>(in, out, kColumns, 2);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  int all = 0;
  for (int i = 0; i < kColumns; ++i) all += in[i];
  for (int i = 0; i < kColumns; ++i) {
    if (out[2 * kColumns + i] != all + i % kThreads / 32 + in[i]) return false;
  }
  return true;
}

bool apartIsRight(const int* in, int* out) {
  apart<<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int warp = 0; warp < kThreads / 32; ++warp) {
    int sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += in[warp * 32 + lane];
    const int want = warp % 2 == 0 ? sum + 32 * (sum + warp) + 5 : 32 * sum - 3;
    for (int lane = 0; lane < 32 && warp != 1; ++lane) {
      if (out[warp * 32 + lane] != want) return false;
    }
  }
  return true;
}

bool rankedIsRight(const int* in, int* out) {
  ranked<<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int i = 0; i < kThreads; ++i) {
    int before = 0;
    for (int other = i / 32 * 32; other < i; ++other) before += (in[other] & 15) == (in[i] & 15);
    if (out[i] != before) return false;
  }
  return true;
}

bool alikeIsRight() {
  long long *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kThreads * sizeof *in);
  musaMallocManaged(&out, kThreads * sizeof *out);
  for (int i = 0; i < kThreads; ++i) in[i] = (5ll << 40) + (i == 40);
  alike<<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int i = 0; i < kThreads; ++i) {
    if (out[i] != (i / 32 == 1 ? 0 : 0xffffffffll + (5ll << 40) + (i ^ 1))) return false;
  }
  return true;
}

int main() {
  int *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kColumns * sizeof *in);
  musaMallocManaged(&out, 3 * kColumns * sizeof *out);
  for (int i = 0; i < kColumns; ++i) in[i] = i * 37 % 101 - 50;
  if (!sharedIsRight(in, out)) return puts("shared: wrong"), 1;
  if (!apartIsRight(in, out)) return puts("apart: wrong"), 1;
  if (!rankedIsRight(in, out)) return puts("ranked: wrong"), 1;
  if (!alikeIsRight()) return puts("alike: wrong"), 1;
}
