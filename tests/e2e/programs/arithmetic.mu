// What GPUs compute where C++ leaves it undefined: no signal, saturation, clamping.
#include <climits>
#include <cmath>

#include "check.h"

__global__ void undefinedInCpp(int zero, unsigned width, float huge, float nan, long long* out) {
  out[0] = 7 / zero;
  out[1] = 7 % zero;
  out[2] = static_cast<long long>(7u / static_cast<unsigned>(zero));
  out[3] = INT_MIN / (zero - 1);
  out[4] = INT_MIN % (zero - 1);
  out[5] = 1 << width;
  out[6] = static_cast<long long>(0x80000000u >> width);
  out[7] = INT_MIN >> width;
  out[8] = static_cast<int>(huge);
  out[9] = static_cast<int>(-huge);
  out[10] = static_cast<int>(nan);
  out[11] = static_cast<unsigned>(-huge);
  out[12] = 100 / (zero + 7);
}

int main() {
  DeviceArray<long long> out(13);
  undefinedInCpp<<<1, 1>>>(0, 32, 1e20f, NAN, out.get());
  CHECK_MUSA(musaDeviceSynchronize());
  const long long expected[13] = {-1, 7, 0xffffffffll, INT_MIN, 0, 0, 0, -1, INT_MAX, INT_MIN, 0, 0, 14};
  long long seen[13];
  out.copyTo(seen);
  for (int i = 0; i < 13; ++i) {
    if (seen[i] != expected[i]) std::fprintf(stderr, "result %d: %lld, expected %lld\n", i, seen[i], expected[i]);
    CHECK(seen[i] == expected[i]);
  }
  std::puts("PASSED");
}
