// The copy to the device is shorter than the buffer.
// expect: Uninitialized __global__ memory read of size 4 bytes
// expect: at scale(float*, int) in @BUG
// expect: by thread (6,0,0) in block (0,0,0)
// expect: errors: 2
#include "../bug.h"

__global__ void scale(float* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] *= 2;  // BUG
}

int main() {
  float host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float* data;
  musaMalloc(&data, sizeof host);
#ifdef FIXED
  musaMemcpy(data, host, sizeof host, musaMemcpyHostToDevice);
#else
  musaMemcpy(data, host, 6 * sizeof(float), musaMemcpyHostToDevice);
#endif
  scale<<<1, 8>>>(data, 8);
  finish();
}
