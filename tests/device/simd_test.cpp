// SIMD-in-word intrinsics against a plain model of their lanes, and the scale format E8M0.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "crt/simd_intrinsics.h"
#include "musa_fp8.h"

namespace {

// Applies `lane` to the lanes of both words, as signed or unsigned numbers of `bits` bits.
unsigned lanes(int bits, bool isSigned, unsigned a, unsigned b, const std::function<long(long, long)>& lane) {
  const unsigned mask = (1u << bits) - 1u;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    long x = a >> shift & mask, y = b >> shift & mask;
    if (isSigned && x > long(mask / 2)) x -= long(mask) + 1;
    if (isSigned && y > long(mask / 2)) y -= long(mask) + 1;
    result |= (unsigned(lane(x, y)) & mask) << shift;
  }
  return result;
}

const std::vector<unsigned>& words() {
  static const std::vector<unsigned> all = [] {
    std::vector<unsigned> result{0u,          ~0u,         0x80008000u, 0x7fff7fffu,
                                 0x80808080u, 0x7f7f7f7fu, 0x0001ffffu, 0x01ff807fu};
    uint32_t state = 12345;
    for (int i = 0; i < 150; ++i) result.push_back(state = state * 1664525u + 1013904223u);
    return result;
  }();
  return all;
}

using Binary = unsigned (*)(unsigned, unsigned);

void expectLanes(const char* name, Binary two, Binary four, bool isSigned,
                 const std::function<long(long, long, long, long)>& lane) {
  for (unsigned a : words()) {
    for (unsigned b : words()) {
      ASSERT_EQ(two(a, b), lanes(16, isSigned, a, b,
                                 [&](long x, long y) {
                                   return isSigned ? lane(x, y, -0x8000, 0x7fff) : lane(x, y, 0, 0xffff);
                                 }))
          << name << "2 " << std::hex << a << " " << b;
      ASSERT_EQ(four(a, b), lanes(8, isSigned, a, b,
                                  [&](long x, long y) {
                                    return isSigned ? lane(x, y, -0x80, 0x7f) : lane(x, y, 0, 0xff);
                                  }))
          << name << "4 " << std::hex << a << " " << b;
    }
  }
}
long clamped(long x, long low, long high) { return std::max(low, std::min(high, x)); }

#define EXPECT_LANES(name, isSigned, expression)                      \
  expectLanes(                                                        \
      #name, [](unsigned a, unsigned b) { return name##2(a, b); },    \
      [](unsigned a, unsigned b) { return name##4(a, b); }, isSigned, \
      [](long x, long y, long low, long high) -> long {               \
        (void)low, (void)high, (void)y;                               \
        return expression;                                            \
      })

TEST(Simd, Arithmetic) {
  EXPECT_LANES(__vadd, false, x + y);
  EXPECT_LANES(__vsub, false, x - y);
  EXPECT_LANES(__vaddss, true, clamped(x + y, low, high));
  EXPECT_LANES(__vaddus, false, clamped(x + y, low, high));
  EXPECT_LANES(__vsubss, true, clamped(x - y, low, high));
  EXPECT_LANES(__vsubus, false, clamped(x - y, low, high));
  EXPECT_LANES(__vavgu, false, (x + y + 1) / 2);
  EXPECT_LANES(__vhaddu, false, (x + y) / 2);
  EXPECT_LANES(__vabsdiffs, true, std::labs(x - y));
  EXPECT_LANES(__vabsdiffu, false, std::labs(x - y));
  EXPECT_LANES(__vmaxs, true, std::max(x, y));
  EXPECT_LANES(__vmaxu, false, std::max(x, y));
  EXPECT_LANES(__vmins, true, std::min(x, y));
  EXPECT_LANES(__vminu, false, std::min(x, y));
  // Halves go away from zero for sums that are not negative, else down.
  EXPECT_LANES(__vavgs, true, long(std::floor(double(x + y) / 2 + (x + y >= 0 ? 0.5 : 0.0))));
}

TEST(Simd, ComparisonsGiveMasksOrOnes) {
  EXPECT_LANES(__vcmpeq, false, x == y ? -1 : 0);
  EXPECT_LANES(__vcmpne, false, x != y ? -1 : 0);
  EXPECT_LANES(__vcmpges, true, x >= y ? -1 : 0);
  EXPECT_LANES(__vcmpgeu, false, x >= y ? -1 : 0);
  EXPECT_LANES(__vcmpgts, true, x > y ? -1 : 0);
  EXPECT_LANES(__vcmplts, true, x < y ? -1 : 0);
  EXPECT_LANES(__vcmpleu, false, x <= y ? -1 : 0);
  EXPECT_LANES(__vseteq, false, x == y ? 1 : 0);
  EXPECT_LANES(__vsetles, true, x <= y ? 1 : 0);
  EXPECT_LANES(__vsetltu, false, x < y ? 1 : 0);
}

TEST(Simd, SignsAndSums) {
  for (unsigned a : words()) {
    ASSERT_EQ(__vabs4(a), lanes(8, true, a, 0, [](long x, long) { return std::labs(x); }));
    ASSERT_EQ(__vabsss2(a),
              lanes(16, true, a, 0, [](long x, long) { return clamped(std::labs(x), 0, 0x7fff); }));
    ASSERT_EQ(__vneg2(a), lanes(16, true, a, 0, [](long x, long) { return -x; }));
    ASSERT_EQ(__vnegss4(a), lanes(8, true, a, 0, [](long x, long) { return clamped(-x, -0x80, 0x7f); }));
    for (unsigned b : words()) {
      unsigned sum = 0;
      lanes(8, true, a, b, [&](long x, long y) { return long(sum += unsigned(std::labs(x - y))); });
      ASSERT_EQ(__vsads4(a, b), sum);
    }
  }
}

TEST(Simd, ThreeWay) {
  EXPECT_EQ(__vimax3_s32(-1, 5, 3), 5);
  EXPECT_EQ(__vimin3_u32(7u, 0xffffffffu, 9u), 7u);
  EXPECT_EQ(__vimax3_s32_relu(-1, -5, -3), 0);
  EXPECT_EQ(__vimax3_s16x2(0x0001ffffu, 0x00020000u, 0x80000005u), 0x00020005u);
  EXPECT_EQ(__viaddmax_s32(2147483647, 1, -5), -5);  // the sum wraps
  EXPECT_EQ(__viaddmin_u16x2(0xffff0001u, 0x00020001u, 0x00050005u), 0x00010002u);
  bool high = false, low = false;
  EXPECT_EQ(__vibmax_s16x2(0x00018000u, 0x00017fffu, &high, &low), 0x00017fffu);
  EXPECT_TRUE(high);  // equal: the first
  EXPECT_FALSE(low);
}

TEST(Fp8, E8M0IsAPowerOfTwo) {
  for (int code = 0; code < 255; ++code) {
    const auto bits = __mt_fp8_storage_t(code);
    const float value = __bfloat162float(__mt_bfloat16(__musa_cvt_e8m0_to_bf16raw(bits)));
    ASSERT_EQ(value, std::ldexp(1.0f, code - 127));
    for (musaRoundMode mode : {musaRoundZero, musaRoundPosInf})
      ASSERT_EQ(__musa_cvt_float_to_e8m0(-value, __MT_NOSAT, mode), bits);
    if (code == 254) continue;
    ASSERT_EQ(__musa_cvt_float_to_e8m0(std::nextafter(value, HUGE_VALF), __MT_NOSAT, musaRoundPosInf),
              bits + 1);
    ASSERT_EQ(__musa_cvt_float_to_e8m0(std::nextafter(value, HUGE_VALF), __MT_NOSAT, musaRoundZero), bits);
  }
  EXPECT_EQ(__musa_cvt_float_to_e8m0(0.0f, __MT_NOSAT, musaRoundPosInf), 0);
  EXPECT_EQ(__musa_cvt_float_to_e8m0(HUGE_VALF, __MT_SATFINITE, musaRoundPosInf), 0xfe);
  EXPECT_EQ(__musa_cvt_float_to_e8m0(3e38f, __MT_NOSAT, musaRoundPosInf), 0xff);
  EXPECT_EQ(__musa_cvt_double_to_e8m0(std::nan(""), __MT_SATFINITE, musaRoundZero), 0xff);
  EXPECT_EQ(__musa_cvt_double_to_e8m0(1e300, __MT_SATFINITE, musaRoundZero), 0xfe);
  EXPECT_EQ(float(__mt_fp8_e8m0(3.0f)), 4.0f);
}

}  // namespace
