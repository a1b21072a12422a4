// The tile is filled again while others still read it.
// expect: Error: Race reported between Read access at loop(int*, int) in @READ
// expect: and Write access at loop(int*, int) in @BUG
// expect: Potential WAR hazard detected
// expect: errors: 1
#include "../bug.h"

__global__ void loop(int* data, int rounds) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    tile[i] = data[i];  // BUG
    __syncthreads();
    data[i] = tile[63 - i];  // READ
#ifdef FIXED
    __syncthreads();
#endif
  }
}

int main() {
  DeviceArray<int> data(64);
  loop<<<1, 64>>>(data, 2);
  finish();
}
