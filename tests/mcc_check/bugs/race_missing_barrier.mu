// Neighbours read what others write, without a barrier. They are of one warp: compute-sanitizer warns of it as
// well (CUDA 13.0, H200).
// expect: Warning: Race reported between Write access at shift(int*) in @BUG
// expect: and Read access at shift(int*) in @READ [31 hazards]
// expect: Potential RAW hazard detected at __shared__
// expect: in block (0,0,0)
// expect: errors: 0
// expect: warnings: 1
#include "../bug.h"

__global__ void shift(int* data) {
  __shared__ int tile[32];
  int i = threadIdx.x;
  tile[i] = data[i];  // BUG
#ifdef FIXED
  __syncthreads();
#endif
  if (i > 0) data[i] = tile[i - 1];  // READ
}

int main() {
  DeviceArray<int> data(32);
  shift<<<1, 32>>>(data);
  finish();
}
