// Prints for which level of x86-64 processors its device code was compiled.
#include <musa_runtime.h>

#include <cstdio>

__global__ void level(int* out) {
#if defined(__AVX512F__)
  *out = 4;
#elif defined(__AVX2__)
  *out = 3;
#elif defined(__SSE4_2__)
  *out = 2;
#else
  *out = 1;
#endif
}

int main() {
  int* out = nullptr;
  int found = 0;
  if (musaMalloc(&out, sizeof found) != musaSuccess) return 2;
  level<<<1, 1>>>(out);
  musaError_t error = musaGetLastError();
  if (error == musaSuccess) error = musaMemcpy(&found, out, sizeof found, musaMemcpyDeviceToHost);
  std::printf("%d %s\n", found, musaGetErrorName(error));
  return 0;
}
