// Threads that end by PTX's exit: in the kernel, in functions that it calls, in recursion and behind
// pointers; the others wait for each other without them. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

__device__ void endIf(bool ends) {
  if (ends) __musa_exit_thread();
}

__device__ __noinline__ int descend(int depth, int end) {
  if (depth == end) __musa_exit_thread();
  return depth == 0 ? 1 : descend(depth - 1, end) + 1;
}

__global__ void inKernel(int* out) {
  __shared__ int values[128];
  const int me = static_cast<int>(threadIdx.x);
  out[me] = 1;
  if (me % 3 == 0) __musa_exit_thread();
  values[me] = me;
  endIf(me % 5 == 0);
  __syncthreads();
  // Neighbours that have not ended have written.
  out[me] = 2 + values[me / 15 * 15 + 1 < 128 ? me / 15 * 15 + 1 : 1];
}

__global__ void inRecursion(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  out[blockIdx.x * 64 + threadIdx.x] = -1;
  const int depth = descend(me % 8, me % 4 == 0 ? me % 8 / 2 : -1);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = depth;
}

__global__ void inLoop(int* out, int rounds) {
  const int me = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  for (int i = 0; i < rounds; ++i) {
    out[me] = i;
    if (i == me % 7) __musa_exit_thread();
  }
  out[me] = 100;
}

static int failures = 0;

static void expect(const char* what, int have, int want) {
  if (have == want) return;
  if (++failures < 20) std::printf("%s: %d, not %d\n", what, have, want);
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, 4096 * sizeof(int)) != musaSuccess) return 1;
  inKernel<<<1, 128>>>(out);
  expect("kernel", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 128; ++i)
    expect("kernel", out[i], i % 3 == 0 || i % 5 == 0 ? 1 : 2 + (i / 15 * 15 + 1));
  inRecursion<<<3, 64>>>(out);
  expect("recursion", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 3 * 64; ++i) expect("recursion", out[i], i % 4 == 0 ? -1 : i % 64 % 8 + 1);
  inLoop<<<4, 100>>>(out, 5);
  expect("loop", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 400; ++i) expect("loop", out[i], i % 7 < 5 ? i % 7 : 100);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
