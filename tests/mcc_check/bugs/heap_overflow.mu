// malloc in a kernel, one element too few.
// expect: Invalid __global__ write of size 4 bytes
// expect: at build(int**) in @BUG
// expect: by thread (1,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at
// expect: of size 20 bytes
// expect: errors: 2
#include "../bug.h"

__global__ void build(int** lists) {
#ifdef FIXED
  int* list = static_cast<int*>(malloc(6 * sizeof(int)));
#else
  int* list = static_cast<int*>(malloc(5 * sizeof(int)));
#endif
  for (int i = 0; i < 6; ++i) list[i] = i;  // BUG
  lists[threadIdx.x] = list;
}

int main() {
  DeviceArray<int*> lists(2);
  build<<<1, 2>>>(lists);
  finish();
}
