// Values of integer division by zero and of shifts by the width or more:
// undefined in C++, but the same on every run of a device.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.division_values");

__global__ void compute(unsigned* out, int zero, int width) {
  out[0] = static_cast<unsigned>(7 / zero);
  out[1] = static_cast<unsigned>(7 % zero);
  out[2] = 7u / static_cast<unsigned>(zero);
  out[3] = 7u % static_cast<unsigned>(zero);
  out[4] = static_cast<unsigned>((-2147483647 - 1 + zero) / (zero - 1));
  out[5] = 5u << width;
  out[6] = 5u >> width;
  out[7] = static_cast<unsigned>((-5 + zero) >> width);
}

int main() {
  DeviceArray<unsigned> out(8);
  compute<<<1, 1>>>(out.data(), 0, 32);
  const std::vector<unsigned> values = out.read();
  const char* const names[8] = {"signed_quotient", "signed_rest",           "unsigned_quotient",
                                "unsigned_rest",   "least_by_minus_one",    "left_by_32",
                                "right_by_32",     "arithmetic_right_by_32"};
  for (int i = 0; i < 8; ++i) OBSERVE(names[i], hex(values[i]));
}
