// Warps that have nothing to do leave before the barrier, all threads of them together.
// expect: Barrier error detected. Divergent thread(s) in block.
// expect: at sum(int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: Thread (0,0,0) and 31 more wait at sum(int*) in @BUG
// expect: Thread (32,0,0) and 95 more have exited
// expect: errors: 1
#include "../bug.h"

__global__ void sum(int* data) {
  __shared__ int last;
  int value = data[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
#ifndef FIXED
  if (threadIdx.x >= 32) return;
#endif
  if (threadIdx.x == 31) last = value;
  __syncthreads();  // BUG
  data[threadIdx.x] = last;
}

int main() {
  DeviceArray<int> data(128);
  sum<<<1, 128>>>(data);
  finish();
}
