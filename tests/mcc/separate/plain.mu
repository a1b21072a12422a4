// Compiled without -dc: its device symbols are its own, although other files have the same.
#include <musa_runtime.h>

__device__ int counter = 1;
__device__ int blockSum(int value) { return value + 1; }

static __global__ void count(int* out) { *out = blockSum(counter); }

int plainCounter() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof(int)) != musaSuccess) return -1;
  count<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return -1;
  const int value = *out;
  return musaFree(out) == musaSuccess ? value : -1;
}
