// A member of an archive: some programs need its device code, some its host code.
#include "shared.h"

__managed__ int libraryManaged = 3;

__device__ int libraryValue(int x) { return x * libraryManaged; }

static __global__ void store(int* out) { *out = libraryValue(14); }

int libraryHost() {
  int* out = nullptr;
  CHECK(musaMallocManaged(&out, sizeof(int)));
  store<<<1, 1>>>(out);
  CHECK(musaDeviceSynchronize());
  const int value = *out;
  CHECK(musaFree(out));
  return value;
}
