// Minima and maxima of zeros and of NaN.
#include <limits>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.signed_zeros");

__global__ void ofFloats(const float* in, unsigned* out) {
  const float a = in[threadIdx.x / 4], b = in[threadIdx.x % 4];
  unsigned* row = out + threadIdx.x * 4;
  row[0] = __float_as_uint(fminf(a, b));
  row[1] = __float_as_uint(fmaxf(a, b));
  row[2] = __float_as_uint(min(a, b));
  row[3] = __float_as_uint(max(a, b));
}

__global__ void ofDoubles(const double* in, long long* out) {
  const double a = in[threadIdx.x / 4], b = in[threadIdx.x % 4];
  out[threadIdx.x * 2] = __double_as_longlong(fmin(a, b));
  out[threadIdx.x * 2 + 1] = __double_as_longlong(fmax(a, b));
}

__global__ void withConstants(const float* in, unsigned* out) {
  out[threadIdx.x * 4] = __float_as_uint(fmaxf(in[threadIdx.x], 0.0f));
  out[threadIdx.x * 4 + 1] = __float_as_uint(fminf(in[threadIdx.x], 0.0f));
  out[threadIdx.x * 4 + 2] = __float_as_uint(fmaxf(-0.0f, in[threadIdx.x]));
  out[threadIdx.x * 4 + 3] = __float_as_uint(fminf(1.0f, in[threadIdx.x]));
}

int main() {
  const float notANumber = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> floats = {0.0f, -0.0f, 1.0f, notANumber};
  const std::vector<double> doubles(floats.begin(), floats.end());
  const char* const names[4] = {"zero", "minus_zero", "one", "not_a_number"};
  DeviceArray<float> floatsIn(floats);
  DeviceArray<double> doublesIn(doubles);
  DeviceArray<unsigned> ofFloat(64), ofConstants(16);
  DeviceArray<long long> ofDouble(32);
  ofFloats<<<1, 16>>>(floatsIn.data(), ofFloat.data());
  ofDoubles<<<1, 16>>>(doublesIn.data(), ofDouble.data());
  withConstants<<<1, 4>>>(floatsIn.data(), ofConstants.data());
  const std::vector<unsigned> floatBits = ofFloat.read(), constantBits = ofConstants.read();
  const std::vector<long long> doubleBits = ofDouble.read();
  // Of two NaNs, compilers choose other bits.
  for (long i = 0; i < 15; ++i) {
    const std::string name = std::string(names[i / 4]) + "." + names[i % 4];
    OBSERVE("float." + name,
            joined(std::vector<unsigned>(floatBits.begin() + 4 * i, floatBits.begin() + 4 * i + 4)));
    OBSERVE("double." + name,
            joined(std::vector<long long>(doubleBits.begin() + 2 * i, doubleBits.begin() + 2 * i + 2)));
  }
  for (long i = 0; i < 4; ++i) {
    OBSERVE("constants." + std::string(names[i]),
            joined(std::vector<unsigned>(constantBits.begin() + 4 * i, constantBits.begin() + 4 * i + 4)));
  }
}
