// Launched with too little dynamic shared memory.
// expect: Invalid __shared__ write of size 4 bytes
// expect: at stage(int*) in @BUG
// expect: by thread (16,0,0) in block (0,0,0)
// expect: and is 1 bytes after the block's shared memory of size 64 bytes
// expect: errors: 16
#include "../bug.h"

__global__ void stage(int* data) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = data[threadIdx.x];  // BUG
  data[threadIdx.x] = buffer[threadIdx.x] + 1;
}

int main() {
  DeviceArray<int> data(32);
#ifdef FIXED
  stage<<<1, 32, 32 * sizeof(int)>>>(data);
#else
  stage<<<1, 32, 16 * sizeof(int)>>>(data);
#endif
  finish();
}
