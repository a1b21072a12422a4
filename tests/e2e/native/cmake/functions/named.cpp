#include <musa_runtime.h>
__global__ void twice(int* p) { *p *= 2; }
void doubled(int* p) {
  twice<<<1, 1>>>(p);
  musaDeviceSynchronize();
}
