// In which memory space an address lies.
#include <musa_runtime.h>

#include <cstdio>

__constant__ int weights[4] = {1, 2, 3, 4};
__constant__ const float half[2] = {0.5f, 1.5f};
__device__ int total;

__device__ __noinline__ unsigned spaces(const void* pointer) {
  return __isGlobal(pointer) | __isShared(pointer) << 1 | __isConstant(pointer) << 2 |
         __isLocal(pointer) << 3;
}

__global__ void ask(unsigned* out, const int* parameter) {
  __shared__ int words[8];
  extern __shared__ int more[];
  int own[4] = {int(threadIdx.x), 1, 2, 3};
  words[threadIdx.x] = more[threadIdx.x] = 0;
  __syncthreads();
  unsigned* const mine = out + 8 * threadIdx.x;
  mine[0] = spaces(out);
  mine[1] = spaces(&words[threadIdx.x]);
  mine[2] = spaces(&weights[3]);
  mine[3] = spaces(own);
  mine[4] = spaces(&total);
  mine[5] = spaces(&more[threadIdx.x]);
  mine[6] = spaces(&half[1]);
  mine[7] = __isGlobal(parameter) && !__isShared(parameter) && __isLocal(&own[3]) && __isConstant(weights);
}

int main() {
  constexpr int kThreads = 8;
  constexpr unsigned kWanted[8] = {1, 2, 4, 8, 1, 2, 4, 1};
  unsigned* out = nullptr;
  int *host = nullptr, wrong = 0;
  if (musaMallocManaged(&out, 8 * kThreads * sizeof *out) != musaSuccess) return 1;
  if (musaMallocHost(&host, sizeof(int)) != musaSuccess) return 1;
  ask<<<1, kThreads, kThreads * sizeof(int)>>>(out, host);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  for (int i = 0; i < 8 * kThreads; ++i) wrong += out[i] != kWanted[i % 8];
  std::printf(wrong == 0 ? "passed\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
