// FP8 against tables written from the formats' definition (Micikevicius et al. 2022).
#include <gtest/gtest.h>

#include "musa_fp8.h"
#include "reference.h"

namespace musashim::device_test {
namespace {

// E4M3 has IEEE 754's layout without infinities: the place of the last exponent holds
// seven more numbers and a NaN.
double decodeE4m3(unsigned bits) {
  const unsigned magnitude = bits & 0x7fu;
  if (magnitude == 0x7fu) return std::nan("");
  const int exponent = int(magnitude >> 3), mantissa = int(magnitude & 7u);
  const double value = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
  return bits & 0x80u ? -value : value;
}

unsigned nearestE4m3(double x, bool saturate) {
  if (std::isnan(x)) return 0x7f;
  const unsigned sign = std::signbit(x) ? 0x80u : 0u;
  const double magnitude = std::fabs(x);
  if (magnitude > 464.0) return sign | (saturate ? 0x7eu : 0x7fu);  // 448 and half a step
  unsigned best = 0;
  for (unsigned bits = 1; bits <= 0x7e; ++bits) {
    const double now = std::fabs(decodeE4m3(bits) - magnitude),
                 before = std::fabs(decodeE4m3(best) - magnitude);
    if (now < before || (now == before && bits % 2 == 0)) best = bits;
  }
  return sign | best;
}

unsigned nearestE5m2(const Format& format, double x, bool saturate) {
  if (std::isnan(x)) return 0x7f;
  const unsigned bits = format.encode(x, Mode::kNearest);
  return saturate && (bits & 0x7fu) == 0x7cu ? (bits & 0x80u) | 0x7bu : bits;
}

TEST(Fp8, EveryValueWidensExactly) {
  const Format e5m2(5, 2);
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto storage = (__mt_fp8_storage_t)bits;
    const double x = decodeE4m3(bits), y = e5m2.decode(bits);
    const float fx = __half2float(__musa_cvt_fp8_to_halfraw(storage, __MT_E4M3));
    const float fy = __half2float(__musa_cvt_fp8_to_halfraw(storage, __MT_E5M2));
    ASSERT_TRUE(std::isnan(x) ? std::isnan(fx) : fx == x && std::signbit(fx) == std::signbit(x)) << bits;
    ASSERT_TRUE(std::isnan(y) ? std::isnan(fy) : fy == y && std::signbit(fy) == std::signbit(y)) << bits;
    __mt_fp8_e4m3 a;
    a.__x = storage;
    if (!std::isnan(x)) {
      ASSERT_EQ(__mt_fp8_e4m3(float(a)).__x, bits);
    }
  }
}

TEST(Fp8, DoublesRoundToNearestAndSaturateAsAsked) {
  const Format e5m2(5, 2);
  std::vector<double> values = decisiveDoubles(e5m2);
  const std::vector<double> more = decisiveDoubles(Format(4, 3));
  values.insert(values.end(), more.begin(), more.end());
  for (double edge : {447.0, 448.0, 463.9, 464.0, 464.1, 480.0, 57344.0, 61439.0, 61440.0, 65536.0}) {
    values.insert(values.end(), {edge, -edge});
  }
  for (double x : values) {
    for (bool saturate : {false, true}) {
      const __mt_saturation_t mode = saturate ? __MT_SATFINITE : __MT_NOSAT;
      ASSERT_EQ(__musa_cvt_double_to_fp8(x, mode, __MT_E4M3), nearestE4m3(x, saturate)) << x;
      ASSERT_EQ(__musa_cvt_double_to_fp8(x, mode, __MT_E5M2), nearestE5m2(e5m2, x, saturate)) << x;
      if (double(float(x)) == x) {
        ASSERT_EQ(__musa_cvt_float_to_fp8(float(x), mode, __MT_E4M3), nearestE4m3(x, saturate));
      }
    }
  }
}

TEST(Fp8, EveryHalfAndBfloat16Narrows) {
  const Format half(5, 10), bfloat16(8, 7), e5m2(5, 2);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto raw = (unsigned short)bits;
    ASSERT_EQ(__musa_cvt_halfraw_to_fp8(__half_raw{raw}, __MT_SATFINITE, __MT_E4M3),
              nearestE4m3(half.decode(bits), true));
    ASSERT_EQ(__musa_cvt_bfloat16raw_to_fp8(__mt_bfloat16_raw{raw}, __MT_NOSAT, __MT_E5M2),
              nearestE5m2(e5m2, bfloat16.decode(bits), false));
  }
}

TEST(Fp8, ClassesAndPacksKeepTheOrder) {
  static_assert(sizeof(__mt_fp8_e4m3) == 1 && sizeof(__mt_fp8x2_e5m2) == 2 && sizeof(__mt_fp8x4_e4m3) == 4);
  EXPECT_EQ(float(__mt_fp8_e4m3(1000.0f)), 448.0f);
  EXPECT_EQ(float(__mt_fp8_e5m2(-1e30)), -57344.0f);
  EXPECT_EQ(int(__mt_fp8_e4m3(-3)), -3);
  EXPECT_EQ((unsigned char)__mt_fp8_e5m2(-3.0f), 0);
  EXPECT_TRUE(bool(__mt_fp8_e4m3(0.5f)));
  EXPECT_FALSE(bool(__mt_fp8_e4m3(-0.0f)));
  EXPECT_EQ(float(__half(__mt_fp8_e4m3(__float2half(0.3125f)))), 0.3125f);
  const float2 pair = float2(__mt_fp8x2_e4m3(float2{1.0f, -2.0f}));
  EXPECT_EQ(pair.x, 1.0f);
  EXPECT_EQ(pair.y, -2.0f);
  const float4 four = float4(__mt_fp8x4_e5m2(float4{1.0f, 2.0f, 4.0f, -8.0f}));
  EXPECT_EQ(four.x, 1.0f);
  EXPECT_EQ(four.z, 4.0f);
  EXPECT_EQ(four.w, -8.0f);
}

}  // namespace
}  // namespace musashim::device_test
