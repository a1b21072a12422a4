// An int at an odd address.
// expect: Invalid __global__ read of size 4 bytes
// expect: at parse(char const*, int*) in @BUG
// expect: by thread (1,0,0) in block (0,0,0)
// expect: is misaligned
// expect: errors: 3
#include "../bug.h"

__global__ void parse(const char* text, int* out) {
#ifdef FIXED
  int value;
  memcpy(&value, text + 5 * threadIdx.x, sizeof value);
  out[threadIdx.x] = value;
#else
  out[threadIdx.x] = *reinterpret_cast<const int*>(text + 5 * threadIdx.x);  // BUG
#endif
}

int main() {
  DeviceArray<char> text(32);
  DeviceArray<int> out(4);
  parse<<<1, 4>>>(text, out);
  finish();
}
