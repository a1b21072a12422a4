// The last block has threads without an element.
// expect: Invalid __global__ write of size 4 bytes
// expect: at fill(int*, int) in @BUG
// expect: by thread (4,0,0) in block (1,0,0)
// expect: and is 1 bytes after the nearest allocation at
// expect: of size 48 bytes
// expect: errors: 4
#include "../bug.h"

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= n) return;
#endif
  out[i] = i;  // BUG
}

int main() {
  DeviceArray<int> out(12);
  fill<<<2, 8>>>(out, 12);
  finish();
}
