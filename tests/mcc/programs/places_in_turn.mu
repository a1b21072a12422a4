// Threads that take one of a few places in turn: they try, retry while places are left, and else poll how
// many are, as a counting semaphore does. Those who have had a place go on, whatever the others wait for.
// Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kPlaces = 4;

template <bool kTriesOnce>
__device__ bool take(int* places) {
  int old = *static_cast<volatile int*>(places);
  if (old == 0) return false;
  if (kTriesOnce) {
    const int was = atomicCAS(places, old, old - 1);
    if (was == old) return true;
    old = was;
  }
  while (old != 0) {
    const int was = atomicCAS(places, old, old - 1);
    if (was == old) return true;
    old = was;
  }
  return false;
}

template <bool kTriesOnce, bool kPolls, bool kMeets>
__global__ void inTurn(int* out) {
  __shared__ int places;
  if (threadIdx.x == 0) places = kPlaces;
  __syncthreads();
  while (!take<kTriesOnce>(&places)) {
    if (kPolls) {
      while (*static_cast<volatile int*>(&places) == 0) {
      }
    }
  }
  atomicAdd(out, 1);
  atomicAdd(&places, 1);
  if (kMeets) __syncthreads();
}

// Each warp by itself: its lanes meet behind.
__global__ void byWarps(int* out) {
  __shared__ int places;
  if (threadIdx.x == 0) places = kPlaces;
  __syncthreads();
  while (!take<true>(&places)) {
    while (*static_cast<volatile int*>(&places) == 0) {
    }
  }
  atomicAdd(out, 1);
  atomicAdd(&places, 1);
  __syncwarp();
  __syncthreads();
}

// The same in device memory, by several blocks.
__global__ void ofBlocks(int* out, int* places) {
  while (!take<true>(places)) {
    while (*static_cast<volatile int*>(places) == 0) {
    }
  }
  atomicAdd(out, 1);
  atomicAdd(places, 1);
  __syncthreads();
}

static int wrong(const char* name, int threads, const int* out) {
  const musaError_t error = musaDeviceSynchronize();
  if (error == musaSuccess && *out == threads) return 0;
  std::printf("%s, %d threads: %s, %d\n", name, threads, musaGetErrorString(error), *out);
  return 1;
}

int main() {
  int *out = nullptr, *places = nullptr, all = 0;
  musaMallocManaged(&out, sizeof *out);
  musaMallocManaged(&places, sizeof *places);
  using Kernel = void (*)(int*);
  const Kernel kernels[] = {inTurn<true, true, true>,   inTurn<false, true, true>,
                            inTurn<true, false, true>,  inTurn<true, true, false>,
                            inTurn<false, true, false>, inTurn<false, false, true>};
  for (const int threads : {3, 32, 64, 200}) {
    for (const Kernel kernel : kernels) {
      *out = 0;
      kernel<<<1, threads>>>(out);
      all += wrong("inTurn", threads, out);
    }
    *out = 0;
    byWarps<<<1, threads>>>(out);
    all += wrong("byWarps", threads, out);
    *out = 0;
    *places = kPlaces;
    ofBlocks<<<3, threads>>>(out, places);
    all += wrong("ofBlocks", 3 * threads, out);
  }
  return all > 0 ? 1 : 0;
}
