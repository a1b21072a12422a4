// Float functions whose results are exact, and what NaN and zero do to them.
#include <limits>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.float_functions");

__global__ void single(float* out, float nan, float zero) {
  out[0] = fminf(nan, 2.0f);
  out[1] = fmaxf(3.0f, nan);
  out[2] = fminf(nan, nan);
  out[3] = __saturatef(nan);
  out[4] = __saturatef(-2.0f + zero);
  out[5] = __saturatef(1.5f + zero);
  out[6] = fmaf(4097.0f, 4097.0f, -16785408.0f + zero);
  out[7] = rintf(2.5f + zero);
  out[8] = roundf(2.5f + zero);
  out[9] = truncf(-2.7f + zero);
  out[10] = floorf(-2.1f + zero);
  out[11] = ceilf(-2.9f + zero);
  out[12] = copysignf(5.0f, -zero);
  out[13] = sqrtf(2.0f + zero);
  out[14] = 1.0f / (3.0f + zero);
  out[15] = fmodf(-7.5f, 2.0f + zero);
  out[16] = ldexpf(0.75f, 5);
  out[17] = 1.0f / zero;
  out[18] = __fadd_rn(1.0f, 1e-8f + zero);
  out[19] = __fadd_ru(1.0f, 1e-8f + zero);
  out[20] = __fmul_rz(1.1f, 1.1f + zero);
  out[21] = __fdiv_rn(1.0f, 3.0f + zero);
  out[22] = __fsqrt_rn(3.0f + zero);
  out[23] = nextafterf(1.0f, 2.0f + zero);
  out[24] = fdimf(5.0f, 3.0f + zero);
  out[25] = hypotf(3.0f, 4.0f + zero);
}

__global__ void precise(double* out, double zero) {
  out[0] = fma(1e16, 3.0, 1.0 + zero);
  out[1] = sqrt(2.0 + zero);
  out[2] = 1.0 / (3.0 + zero);
  out[3] = rint(-0.5 + zero);
  out[4] = fmin(zero, -1.0);
  out[5] = __dadd_rd(1.0, 1e-20 + zero);
  out[6] = __ddiv_ru(1.0, 3.0 + zero);
  out[7] = remainder(7.0, 4.0 + zero);
}

__global__ void classes(int* out, float nan, float zero) {
  out[0] = isnan(nan) ? 1 : 0;
  out[1] = isinf(1.0f / zero) ? 1 : 0;
  out[2] = isfinite(zero) ? 1 : 0;
  out[3] = signbit(-zero) ? 1 : 0;
  out[4] = static_cast<int>(lrintf(3.5f + zero));
  out[5] = static_cast<int>(lroundf(-2.5f + zero));
  out[6] = ilogbf(40.0f + zero);
  out[7] = nan == nan ? 1 : 0;
  out[8] = nan < 1.0f ? 1 : 0;
}

int main() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  DeviceArray<float> singles(26);
  single<<<1, 1>>>(singles.data(), nan, 0.0f);
  const std::vector<float> values = singles.read();
  const char* const names[26] = {
      "fmin_nan", "fmax_nan", "fmin_nan_nan", "saturate_nan", "saturate_below", "saturate_above", "fma",
      "rint",     "round",    "trunc",        "floor",        "ceil",           "copysign",       "sqrt",
      "third",    "fmod",     "ldexp",        "over_zero",    "add_rn",         "add_ru",         "mul_rz",
      "div_rn",   "sqrt_rn",  "nextafter",    "fdim",         "hypot"};
  for (size_t i = 0; i < values.size(); ++i) OBSERVE(std::string("single.") + names[i], values[i]);
  DeviceArray<double> doubles(8);
  precise<<<1, 1>>>(doubles.data(), 0.0);
  OBSERVE("double", joined(doubles.read()));
  DeviceArray<int> flags(9);
  classes<<<1, 1>>>(flags.data(), nan, 0.0f);
  OBSERVE("classes", joined(flags.read()));
}
