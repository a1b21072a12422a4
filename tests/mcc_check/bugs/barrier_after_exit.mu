// Threads without work leave before the barrier.
// expect: Barrier error detected. Divergent thread(s) in block.
// expect: at scan(int*, int) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: Thread (0,0,0) and 39 more wait at scan(int*, int) in @BUG
// expect: Thread (40,0,0) and 23 more have exited
// expect: errors: 1
#include "../bug.h"

__global__ void scan(int* data, int n) {
  __shared__ int tile[64];
#ifdef FIXED
  int value = threadIdx.x < n ? data[threadIdx.x] : 0;
#else
  if (threadIdx.x >= n) return;
  int value = data[threadIdx.x];
#endif
  tile[threadIdx.x] = value;
  __syncthreads();  // BUG
  if (threadIdx.x < n) data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

int main() {
  DeviceArray<int> data(40);
  scan<<<1, 64>>>(data, 40);
  finish();
}
