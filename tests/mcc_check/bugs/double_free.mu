// Two threads free the same memory.
// expect: Malloc/Free error encountered: Double free
// expect: at drop(int*) in @BUG
// expect: by thread (1,0,0) in block (0,0,0)
// expect: errors: 1
#include "../bug.h"

__global__ void drop(int* out) {
  __shared__ int* shared;
  if (threadIdx.x == 0) shared = new int(5);
  __syncthreads();
  out[threadIdx.x] = *shared;
  __syncthreads();
#ifdef FIXED
  if (threadIdx.x == 0)
#endif
    delete shared;  // BUG
}

int main() {
  DeviceArray<int> out(2);
  drop<<<1, 2>>>(out);
  finish();
}
