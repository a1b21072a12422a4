// A shuffle whose mask leaves the caller out.
// expect: Barrier error detected. Invalid arguments.
// expect: at pair(int*) in @BUG
// expect: by thread (16,0,0) in block (0,0,0)
// expect: The mask 0x0000ffff does not name the calling lane 16
// expect: errors: 16
#include "../bug.h"

__global__ void pair(int* data) {
#ifdef FIXED
  unsigned mask = 0xffffffff;
#else
  unsigned mask = 0x0000ffff;
#endif
  data[threadIdx.x] = __shfl_xor_sync(mask, data[threadIdx.x], 1);  // BUG
}

int main() {
  DeviceArray<int> data(32);
  pair<<<1, 32>>>(data);
  finish();
}
