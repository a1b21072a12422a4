// 8-bit floating point: every number to half, every half, many floats and doubles from it.
#include <cuda_fp8.h>
#include <string.h>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.fp8");

struct ToHalf {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned x) const {
    const __nv_fp8_storage_t bits = static_cast<__nv_fp8_storage_t>(x & 0xffu);
    return __nv_cvt_fp8_to_halfraw(bits, x & 0x100u ? __NV_E5M2 : __NV_E4M3).x;
  }
};
template <class Convert>
struct Each {
  typedef unsigned Result;
  typedef typename Convert::Number Operand;
  __device__ unsigned operator()(Operand x) const {
    unsigned result = 0;
    for (int kind = 0; kind < 4; ++kind) {
      const __nv_saturation_t saturation = kind & 1 ? __NV_SATFINITE : __NV_NOSAT;
      const __nv_fp8_interpretation_t format = kind & 2 ? __NV_E5M2 : __NV_E4M3;
      // A NaN's sign is not compared.
      const unsigned bits = Convert::convert(x, saturation, format);
      const unsigned magnitude = bits & 0x7fu;
      const bool nan = kind & 2 ? magnitude > 0x7cu : magnitude == 0x7fu;
      result |= (nan ? 0x7fu : bits) << (8 * kind);
    }
    return result;
  }
};
struct FromHalf {
  typedef unsigned Number;
  __device__ static unsigned convert(unsigned x, __nv_saturation_t saturation,
                                     __nv_fp8_interpretation_t format) {
    __half_raw raw;
    raw.x = static_cast<unsigned short>(x);
    return __nv_cvt_halfraw_to_fp8(raw, saturation, format);
  }
};
struct FromBfloat16 {
  typedef unsigned Number;
  __device__ static unsigned convert(unsigned x, __nv_saturation_t saturation,
                                     __nv_fp8_interpretation_t format) {
    __nv_bfloat16_raw raw;
    raw.x = static_cast<unsigned short>(x);
    return __nv_cvt_bfloat16raw_to_fp8(raw, saturation, format);
  }
};
struct FromFloat {
  typedef float Number;
  __device__ static unsigned convert(float x, __nv_saturation_t saturation,
                                     __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(x, saturation, format);
  }
};
struct FromDouble {
  typedef double Number;
  __device__ static unsigned convert(double x, __nv_saturation_t saturation,
                                     __nv_fp8_interpretation_t format) {
    return __nv_cvt_double_to_fp8(x, saturation, format);
  }
};

int main() {
  std::vector<unsigned> codes(512), halves(65536);
  for (unsigned i = 0; i < codes.size(); ++i) codes[i] = i;
  for (unsigned i = 0; i < halves.size(); ++i) halves[i] = i;
  OBSERVE("to_half", appliedToEach<ToHalf>(codes));
  OBSERVE("from_half", appliedToEach<Each<FromHalf>>(halves));
  OBSERVE("from_bfloat16", appliedToEach<Each<FromBfloat16>>(halves));
  std::vector<float> floats;
  std::vector<double> doubles;
  for (unsigned i = 0; i < 60000; ++i) {
    const unsigned bits = i * 71585u + 12345u;
    float x;
    memcpy(&x, &bits, sizeof x);
    floats.push_back(x);
    doubles.push_back(static_cast<double>(x) * 1.0000000001);
  }
  OBSERVE("from_float", appliedToEach<Each<FromFloat>>(floats));
  OBSERVE("from_double", appliedToEach<Each<FromDouble>>(doubles));
}
