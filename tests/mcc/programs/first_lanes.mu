// Code for warps of 32 lanes: the block's first 32 threads work together while the others wait at the
// barrier, on devices of 128 lanes as lanes of the same warp.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 128;

__global__ void totals(int* out, const int* in, bool more) {
  __shared__ int sums[32];
  const int t = threadIdx.x;
  int x = in[blockIdx.x * kThreads + t];
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d, 32);
  if (t % 32 == 0) sums[t / 32] = x;
  __syncthreads();
  if (t < 32) {
    x = t < kThreads / 32 ? sums[t] : 0;
    for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
    if (more) {  // as far as the compiler knows, some of them alone
      int y = x;
      for (int d = 1; d < 32; d *= 2) {
        const int lower = __shfl_up_sync(0xffffffff, y, d);
        if (t >= d) y += lower;
      }
      __syncwarp();
      sums[t] = y + (__any_sync(0xffffffff, t == 31) ? __shfl_sync(0xffffffff, x, 0) : 0);
    }
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = more ? sums[31] : x;
}

// A block waits for the one before by votes and shuffles of 32 lanes.
__global__ void chain(volatile int* state, bool more) {
  __shared__ int before;
  const int t = threadIdx.x, b = static_cast<int>(blockIdx.x);
  if (t < 32) {
    int value = 0;
    do {
      __threadfence_block();
      value = b == 0 ? 1 : state[b - 1];
    } while (__any_sync(0xffffffff, value == 0));
    if (more) value += __shfl_xor_sync(0xffffffff, value, 1) - __shfl_xor_sync(0xffffffff, value, 16);
    if (t == 0) before = value;
  }
  __syncthreads();
  if (t == kThreads - 1) state[b] = before + 1;
}

int main() {
  constexpr int kBlocks = 64;
  int *in = nullptr, *out = nullptr, *state = nullptr, wrong = 0;
  if (musaMallocManaged(&in, kBlocks * kThreads * sizeof(int)) != musaSuccess) return 1;
  if (musaMallocManaged(&out, kBlocks * sizeof(int)) != musaSuccess) return 1;
  if (musaMallocManaged(&state, kBlocks * sizeof(int)) != musaSuccess) return 1;
  for (int i = 0; i < kBlocks * kThreads; ++i) in[i] = i % 13;
  for (const bool more : {false, true}) {
    totals<<<kBlocks, kThreads>>>(out, in, more);
    for (int i = 0; i < kBlocks; ++i) state[i] = 0;
    chain<<<kBlocks, kThreads>>>(state, more);
    if (musaDeviceSynchronize() != musaSuccess) ++wrong;
    for (int b = 0; b < kBlocks; ++b) {
      int sum = 0;
      for (int t = 0; t < kThreads; ++t) sum += in[b * kThreads + t];
      wrong += out[b] != (more ? 32 * sum + sum : sum) || state[b] != b + 2;
    }
  }
  std::printf(wrong == 0 ? "passed\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
