// Lanes of a warp that exchange data without a barrier, beside the patterns of
// conformance/cases/warp/lockstep.cu: in global memory, and where threads also wait for each other by looking
// at memory. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 128;

__global__ void inVolatileMemory(int* out, const int* in, int* scratch) {
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, base = t & ~31;
  volatile int* s = scratch;
  s[t] = in[t];
  out[t] = s[base + 31 - lane];
}

__global__ void inFencedMemory(int* out, const int* in, int* scratch) {
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, base = t & ~31;
  scratch[t] = in[t];
  __threadfence();
  const int other = scratch[base + (lane ^ 1)];
  __threadfence();
  scratch[t] = other + 5;
  __threadfence();
  out[t] = scratch[base + 31 - (lane ^ 1)] - 5;
}

// Warps wait for the one before by a flag in shared memory, and would exchange data if numbers were negative:
// the lanes that wait are no lanes to wait for.
__global__ void warpsInTurn(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  __shared__ volatile int turn;
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, opposite = (t & ~31) + 31 - lane;
  if (t == 0) turn = 0;
  __syncthreads();
  while (turn < t / 32) {
  }
  out[t] = in[opposite];
  if (in[t] < 0) {
    s[t] = in[t];
    out[t] = s[opposite];
  }
  __threadfence_block();
  if (lane == 31) turn = t / 32 + 1;
}

using Kernel = void (*)(int*, const int*, int*);

// Each gives every lane what the opposite one was given.
static int wrong(const char* name, Kernel kernel, int* data) {
  int *out = data, *in = data + kThreads, *scratch = data + 2 * kThreads, count = 0;
  for (int i = 0; i < kThreads; ++i) out[i] = -1, in[i] = i * 37 % 101;
  for (int i = 0; i < 2 * kThreads; ++i) scratch[i] = 0;
  kernel<<<1, kThreads>>>(out, in, scratch);
  const musaError_t error = musaDeviceSynchronize();
  for (int i = 0; i < kThreads; ++i) count += out[i] != in[(i & ~31) + 31 - (i & 31)];
  if (error != musaSuccess || count > 0)
    std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  return count + (error != musaSuccess);
}

int main() {
  int* data = nullptr;
  musaMallocManaged(&data, 4 * kThreads * sizeof *data);
  int all = wrong("inVolatileMemory", inVolatileMemory, data);
  all += wrong("inFencedMemory", inFencedMemory, data);
  all += wrong("warpsInTurn", warpsInTurn, data);
  return all > 0 ? 1 : 0;
}
