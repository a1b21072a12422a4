// Lanes that have returned are named in a full mask.
// expect: Barrier error detected. Divergent thread(s) in warp.
// expect: at sum(int*, int) in @BUG
// expect: names threads that have exited
// expect: Thread (20,0,0) (lane 20) has exited
// expect: errors: 1
#include "../bug.h"

__global__ void sum(int* data, int n) {
#ifndef FIXED
  if (threadIdx.x >= n) return;
#endif
  int value = threadIdx.x < n ? data[threadIdx.x] : 0;
  value += __shfl_down_sync(0xffffffff, value, 1);  // BUG
  if (threadIdx.x < n) data[threadIdx.x] = value;
}

int main() {
  DeviceArray<int> data(20);
  sum<<<1, 32>>>(data, 20);
  finish();
}
