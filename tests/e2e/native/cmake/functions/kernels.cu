#include <musa_runtime.h>

#include "value.h"

__global__ void fill(int* p) { *p = VALUE + EXTRA; }
int* filled() {
  int* p = nullptr;
  musaMallocManaged(reinterpret_cast<void**>(&p), sizeof *p);
  fill<<<1, 1>>>(p);
  musaDeviceSynchronize();
  return p;
}
