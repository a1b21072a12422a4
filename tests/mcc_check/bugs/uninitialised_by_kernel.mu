// One kernel writes every second element, the next reads all.
// expect: Uninitialized __global__ memory read of size 4 bytes
// expect: at read(int const*, int*) in @BUG
// expect: by thread (1,0,0) in block (0,0,0)
// expect: errors: 4
#include "../bug.h"

__global__ void write(int* data, int stride) { data[threadIdx.x * stride] = 1; }
__global__ void read(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }  // BUG

int main() {
  int* data;
  musaMalloc(&data, 16 * sizeof(int));
  DeviceArray<int> out(8);
#ifdef FIXED
  write<<<1, 8>>>(data, 1);
#else
  write<<<1, 8>>>(data, 2);
#endif
  read<<<1, 8>>>(data, out);
  finish();
}
