#include <musa_runtime.h>
__global__ void grow(int* p) { *p += 1; }
void grown(int* p) {
  grow<<<1, 1>>>(p);
  musaDeviceSynchronize();
}
