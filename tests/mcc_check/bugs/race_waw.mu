// Every thread stores its own number to one place.
// expect: Error: Race reported between Write access at last(int*) in @BUG
// expect: and Write access at last(int*) in @BUG [63 hazards]
// expect: Potential WAW hazard detected at __shared__ 0x0
// expect: Write Thread (31,0,0), Write Thread (32,0,0)
// expect: errors: 1
#include "../bug.h"

__global__ void last(int* out) {
  __shared__ int winner;
#ifdef FIXED
  if (threadIdx.x == 0)
#endif
    winner = threadIdx.x + 1;  // BUG
  __syncthreads();
  out[threadIdx.x] = winner;
}

int main() {
  DeviceArray<int> out(64);
  last<<<1, 64>>>(out);
  finish();
}
