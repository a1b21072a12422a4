// A __constant__ table, through a pointer in a function that is not inlined.
// expect: Invalid __global__ read of size 4 bytes
// expect: at weight(float const*, int) in @BUG
// expect: in kernel blur(float*)
// expect: by thread (5,0,0) in block (0,0,0)
// expect: errors: 1
#include "../bug.h"

__constant__ float weights[5] = {1, 2, 3, 2, 1};

__device__ __noinline__ float weight(const float* table, int i) { return table[i]; }  // BUG

__global__ void blur(float* out) {
#ifdef FIXED
  if (threadIdx.x >= 5) return;
#endif
  out[threadIdx.x] = weight(weights, threadIdx.x);
}

int main() {
  DeviceArray<float> out(6);
  blur<<<1, 6>>>(out);
  finish();
}
