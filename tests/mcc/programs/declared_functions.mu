// Functions of nvcc's device runtime that a source declares by itself, and words that nvcc's headers have.
#include <musa_runtime.h>

#include <cstdio>

extern "C" __device__ void __assertfail(const void* message, const void* file, unsigned line,
                                        const void* function, std::size_t charSize);

__device_builtin__ int marked = 3;
typedef __device_builtin__ struct int3 Three;

__global__ void kernel(int number, int* out) {
  if (number < 0) __assertfail("a number below nought", __FILE__, __LINE__, "kernel", sizeof(char));
  *out = number + static_cast<int>(sizeof(Three));
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 1>>>(marked, out);
  if (musaDeviceSynchronize() != musaSuccess || *out != 15) return std::printf("%d, not 15\n", *out), 1;
  kernel<<<1, 2>>>(-1, out);
  const musaError_t error = musaDeviceSynchronize();
  std::printf("%s\n", error == musaErrorAssert ? "passed" : musaGetErrorName(error));
  return error != musaErrorAssert;
}
