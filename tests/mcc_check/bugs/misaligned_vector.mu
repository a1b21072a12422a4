// int4 at a multiple of four bytes; the compiler has split the store.
// expect: Invalid __global__ write of size 8 bytes
// expect: in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: is misaligned
// expect: errors: 1
#include "../bug.h"

__global__ void set(float* out) {
#ifdef FIXED
  out += 3;
#endif
  *reinterpret_cast<int4*>(out + 1) = make_int4(1, 2, 3, 4);  // BUG
}

int main() {
  DeviceArray<float> out(8);
  set<<<1, 1>>>(out);
  finish();
}
