// Lanes that count on moving together: on GPUs of old that was right.
// expect: Warning: Race reported between Write access at reverse(int*) in @BUG
// expect: and Read access at reverse(int*) in @READ
// expect: Potential RAW hazard
// expect: both of one warp: right where its lanes move together, which __syncwarp() ensures
// expect: errors: 0
// expect: warnings: 2
#include "../bug.h"

__global__ void reverse(int* data) {
  __shared__ int tile[32];
  int i = threadIdx.x;
  tile[i] = data[i];  // BUG
#ifdef FIXED
  __syncwarp();
#endif
  data[i] = tile[31 - i];  // READ
}

int main() {
  DeviceArray<int> data(32);
  reverse<<<1, 32>>>(data);
  finish();
}
