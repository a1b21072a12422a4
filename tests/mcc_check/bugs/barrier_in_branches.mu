// Half of the block waits at one barrier, half at another.
// expect: Barrier error detected. Divergent thread(s) in block.
// expect: Thread (0,0,0) and 31 more wait at step(int*) in @BUG
// expect: Thread (32,0,0) and 31 more wait at step(int*) in @OTHER
// expect: errors: 1
#include "../bug.h"

__global__ void step(int* data) {
  if (threadIdx.x < 32) {
    data[threadIdx.x] = 1;
#ifndef FIXED
    __syncthreads();  // BUG
#endif
  } else {
    data[threadIdx.x] = 2;
#ifndef FIXED
    __syncthreads();  // OTHER
#endif
  }
#ifdef FIXED
  __syncthreads();
#endif
}

int main() {
  DeviceArray<int> data(64);
  step<<<1, 64>>>(data);
  finish();
}
