// Device code of the program itself, with names that its shared library has, too.
#include <musa_runtime.h>

#include <cstdio>

extern __device__ int counter;

__device__ int blockSum(int value) { return value + counter; }

static __global__ void twin(int* out) { *out = blockSum(1); }

int program();

// The library's program, once the code here has been right.
int twinProgram() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof(int)) != musaSuccess) return 1;
  twin<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess || *out != 101) {
    std::printf("twin: %d, not 101\n", *out);
    return 1;
  }
  int value = 0;
  if (musaMemcpyFromSymbol(&value, counter, sizeof(value)) != musaSuccess || value != 100) return 1;
  if (program() != 0) return 1;
  // What the library did to its variable is not seen here.
  return musaMemcpyFromSymbol(&value, counter, sizeof(value)) == musaSuccess && value == 100 ? 0 : 1;
}
