// A mask that is the same for all threads, and only the launch knows, leaves callers out.
// expect: Barrier error detected. Invalid arguments.
// expect: at sum(int*, unsigned int) in @BUG
// expect: by thread (16,0,0) in block (0,0,0)
// expect: The mask 0x0000ffff does not name the calling lane 16
// expect: by thread (63,0,0) in block (0,0,0)
// expect: errors: 32
#include "../bug.h"

__global__ void sum(int* data, unsigned mask) {
  int value = data[threadIdx.x];
  value += __shfl_xor_sync(0xffffffff, value, 1);
  value += __shfl_xor_sync(mask, value, 2);  // BUG
  data[threadIdx.x] = value;
}

int main() {
  DeviceArray<int> data(64);
#ifdef FIXED
  sum<<<1, 64>>>(data, 0xffffffff);
#else
  sum<<<1, 64>>>(data, 0x0000ffff);
#endif
  finish();
}
