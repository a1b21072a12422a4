// One half of a warp waits in a warp operation, the other at the barrier.
// expect: Barrier error detected. Threads of the block wait for each other for ever.
// expect: Thread (0,0,0) and 15 more wait at lock(int*) in @BUG
// expect: Thread (16,0,0) and 15 more wait at lock(int*) in @OTHER
// expect: errors: 1
#include "../bug.h"

__global__ void lock(int* data) {
#ifdef FIXED
  __syncwarp();
#else
  if (threadIdx.x < 16) __syncwarp();  // BUG
#endif
  __syncthreads();  // OTHER
  data[threadIdx.x] = 1;
}

int main() {
  DeviceArray<int> data(32);
  lock<<<1, 32>>>(data);
  finish();
}
