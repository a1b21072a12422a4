// A source as musaport leaves it: it knows MUSA's architectures alone.
#include <musa_runtime.h>

#ifdef __CUDA_ARCH__
#error "no CUDA source"
#endif

__global__ void ofMusa(int* out) {
#if __MUSA_ARCH__ >= 310
  *out = 31;
#else
  *out = 22;
#endif
}

void* kernelOfMusa() { return (void*)ofMusa; }

int capabilityOfMusa() {
  musaDeviceProp properties;
  int *out, seen = -1;
  if (musaGetDeviceProperties(&properties, 0) || musaMalloc(&out, sizeof *out)) return -1;
  ofMusa<<<1, 1>>>(out);
  if (musaMemcpy(&seen, out, sizeof seen, musaMemcpyDeviceToHost) || musaFree(out)) return -1;
  return seen == 10 * properties.major + properties.minor ? seen : -2;
}
