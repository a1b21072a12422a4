// assertions KIND [BLOCKS]: a kernel in which threads 4 to 7 of each group of eight fail an assertion, then
// what its launch has come to.
#include <musa_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void plain(int n) {
  if (threadIdx.x % 8 == 7) printf("block %d thread %d\n", int(blockIdx.x), int(threadIdx.x));
  assert(threadIdx.x % 8 < n);
}

// Those that have not failed wait for those that have.
__global__ void barriers(int n) {
  __shared__ int sums[32];
  sums[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const int next = sums[(threadIdx.x + 1) % blockDim.x];
    assert(i < n - 1 || threadIdx.x % 8 < n);
    __syncthreads();
    sums[threadIdx.x] = next;
    __syncthreads();
  }
  printf("nobody comes here\n");
}

__global__ void warps(int n) {
  const int sum = __shfl_xor_sync(0xffffffff, int(threadIdx.x), 1);
  if (threadIdx.x % 2 == 0) {
    assert(threadIdx.x % 8 < n);
  } else {
    assert(sum >= 0 && threadIdx.x % 8 < n);
  }
  if (__any_sync(0xffffffff, sum == 3)) printf("nobody comes here\n");
}

// Others poll for what a thread that has failed would write.
__global__ void polling(int n, volatile int* flag) {
  if (threadIdx.x == 7) {
    assert(threadIdx.x % 8 < n);
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
  }
}

__global__ void all() { assert(blockDim.x == 0 && "of all"); }

int main(int argc, char** argv) {
  const char* kind = argv[1];
  const int blocks = argc > 2 ? std::atoi(argv[2]) : 1;
  int* flag = nullptr;
  if (musaMalloc(&flag, sizeof(int)) != musaSuccess || musaMemset(flag, 0, sizeof(int)) != musaSuccess)
    return 2;
  if (std::strcmp(kind, "plain") == 0) plain<<<blocks, 8>>>(4);
  if (std::strcmp(kind, "barriers") == 0) barriers<<<blocks, 32>>>(4);
  if (std::strcmp(kind, "warps") == 0) warps<<<blocks, 32>>>(4);
  if (std::strcmp(kind, "polling") == 0) polling<<<blocks, 8>>>(4, flag);
  if (std::strcmp(kind, "all") == 0) all<<<blocks, 16>>>();
  std::printf("%s\n", musaGetErrorName(musaDeviceSynchronize()));
  return 0;
}
