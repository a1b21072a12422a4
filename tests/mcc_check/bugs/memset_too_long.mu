// A memset in a kernel with the wrong unit.
// expect: Invalid __global__ write of size 256 bytes
// expect: at clear(int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: errors: 1
#include "../bug.h"

__global__ void clear(int* data) {
#ifdef FIXED
  memset(data, 0, 64);
#else
  memset(data, 0, 64 * sizeof(int));  // BUG
#endif
}

int main() {
  DeviceArray<int> data(16);
  clear<<<1, 1>>>(data);
  finish();
}
