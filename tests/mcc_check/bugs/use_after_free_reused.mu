// Freed memory is not given out again at once, so the late write shows.
// expect: Invalid __global__ write of size 4 bytes
// expect: at set(int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is 0 bytes inside the freed allocation at
// expect: of size 256 bytes
// expect: errors: 1
#include "../bug.h"

__global__ void set(int* out) { *out = 1; }  // BUG

int main() {
  int *first, *second;
  musaMalloc(&first, 256);
#ifndef FIXED
  musaFree(first);
#endif
  musaMalloc(&second, 256);
  set<<<1, 1>>>(first);
  finish();
  musaFree(second);
}
