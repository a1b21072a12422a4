// Kernel parameters of every layout arrive as they were passed.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.parameters");

struct ThreeFloats {
  float x, y, z;
};
struct DoubleInt {
  double value;
  int number;
};
struct Nested {
  char tag;
  ThreeFloats point;
  short pair[3];
  long long big;
};
struct Large {
  int values[200];
};
struct alignas(16) Aligned {
  float values[4];
};
struct Empty {};

__global__ void mixed(double* out, char c, double d, short s, ThreeFloats f, bool b, DoubleInt di, float4 v,
                      Nested n, unsigned char u, Aligned a, Empty, long long l) {
  out[0] = c;
  out[1] = d;
  out[2] = s;
  out[3] = f.x + 10.0 * f.y + 100.0 * f.z;
  out[4] = b ? 1.0 : 0.0;
  out[5] = di.value + di.number;
  out[6] = v.x + v.y + v.z + v.w;
  out[7] = n.tag + n.point.y + n.pair[2] + static_cast<double>(n.big);
  out[8] = u;
  out[9] = a.values[0] * a.values[3];
  out[10] = static_cast<double>(l);
}

__global__ void large(double* out, Large values, int* unused, float last) {
  double sum = 0.0;
  for (const int value : values.values) sum += value;
  out[0] = sum;
  out[1] = last;
  out[2] = unused == nullptr ? 1.0 : 0.0;
}

int main() {
  DeviceArray<double> out(11);
  const Nested nested = {'A', {1.0f, 2.0f, 3.0f}, {4, 5, 6}, 1ll << 40};
  Aligned aligned;
  for (int i = 0; i < 4; ++i) aligned.values[i] = 1.5f + static_cast<float>(i);
  mixed<<<1, 1>>>(out.data(), 'z', 2.25, -7, ThreeFloats{1.0f, 2.0f, 3.0f}, true, DoubleInt{0.5, 41},
                  make_float4(1.0f, 2.0f, 4.0f, 8.0f), nested, 250, aligned, Empty{}, -(1ll << 50));
  OBSERVE("mixed", joined(out.read()));

  Large values;
  for (int i = 0; i < 200; ++i) values.values[i] = i * i;
  large<<<1, 1>>>(out.data(), values, nullptr, 0.125f);
  const std::vector<double> read = out.read();
  OBSERVE("large_sum", read[0]);
  OBSERVE("large_last", read[1]);
  OBSERVE("large_null", read[2]);
}
