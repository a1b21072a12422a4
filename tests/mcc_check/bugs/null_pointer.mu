// A pointer that was never set.
// expect: Invalid __global__ write of size 4 bytes
// expect: at set(int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: Address 0x8 is out of bounds
// expect: null pointer
// expect: errors: 1
#include "../bug.h"

__global__ void set(int* out) { out[2] = 1; }  // BUG

int main() {
  DeviceArray<int> out(4);
#ifdef FIXED
  set<<<1, 1>>>(out);
#else
  set<<<1, 1>>>(nullptr);
#endif
  finish();
}
