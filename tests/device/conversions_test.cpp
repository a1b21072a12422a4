// Conversions and directed rounding against exact arithmetic in wider types.
#include "crt/conversions.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <climits>
#include <random>

#include "crt/float_rounding.h"

namespace {

std::vector<float> floats() {
  std::vector<float> result{0.0f,          -0.0f,         0.5f,          1.5f,         2.5f,
                            -0.5f,         -1.5f,         0.49999997f,   2147483520.f, 2147483648.f,
                            -2147483648.f, -2147484160.f, 4294967040.f,  4294967296.f, 9.2233715e18f,
                            9.2233720e18f, 1.8446743e19f, 1.8446744e19f, FLT_MIN,      FLT_MAX,
                            -FLT_MAX,      FLT_TRUE_MIN,  HUGE_VALF,     -HUGE_VALF};
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) result.push_back(__uint_as_float(random()));
  return result;
}

template <typename Integer>
Integer clamp(long double x) {
  if (x <= (long double)std::numeric_limits<Integer>::min()) return std::numeric_limits<Integer>::min();
  if (x >= (long double)std::numeric_limits<Integer>::max()) return std::numeric_limits<Integer>::max();
  return Integer(x);
}

TEST(Conversions, ToIntegersRoundAndSaturate) {
  for (float x : floats()) {
    if (std::isnan(x)) continue;
    const long double wide = x;
    ASSERT_EQ(__float2int_rn(x), clamp<int>(nearbyintl(wide))) << x;
    ASSERT_EQ(__float2int_rz(x), clamp<int>(truncl(wide))) << x;
    ASSERT_EQ(__float2uint_ru(x), clamp<unsigned>(ceill(wide))) << x;
    ASSERT_EQ(__float2uint_rd(x), clamp<unsigned>(floorl(wide))) << x;
    ASSERT_EQ(__float2ll_rn(x), clamp<long long>(nearbyintl(wide))) << x;
    ASSERT_EQ(__float2ull_rz(x), clamp<unsigned long long>(truncl(wide))) << x;
    ASSERT_EQ(__double2ll_rd(x), clamp<long long>(floorl(wide))) << x;
    ASSERT_EQ(__double2ull_ru(x), clamp<unsigned long long>(ceill(wide))) << x;
    ASSERT_EQ(__double2int_rn(x), clamp<int>(nearbyintl(wide))) << x;
  }
}

// PTX ISA, "cvt": what NaN becomes depends on the widths.
TEST(Conversions, NanToInteger) {
  const float nan = __builtin_nanf("");
  EXPECT_EQ(__float2int_rn(nan), 0);
  EXPECT_EQ(__float2uint_rz(nan), 0u);
  EXPECT_EQ(__float2ll_rz(nan), LLONG_MIN);
  EXPECT_EQ(__float2ull_rz(nan), 1ull << 63);
  EXPECT_EQ(__double2int_rz(nan), INT_MIN);
  EXPECT_EQ(__double2uint_rz(nan), 1u << 31);
  EXPECT_EQ(__double2ll_rz(nan), LLONG_MIN);
}

TEST(Conversions, IntegersToFloatInAllDirections) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    const long long x = (long long)(random() >> (random() % 64));
    for (long long v : {x, -x, LLONG_MAX - (x & 0xff), LLONG_MIN}) {
      const float down = __ll2float_rd(v), up = __ll2float_ru(v);
      ASSERT_LE(__int128(down), __int128(v));
      ASSERT_GE(__int128(up), __int128(v));
      ASSERT_TRUE(down == up || std::nextafterf(down, HUGE_VALF) == up) << v;
      ASSERT_EQ(__ll2float_rz(v), v < 0 ? up : down);
      ASSERT_EQ(__ll2float_rn(v), float(v));
      const double downDouble = __ll2double_rd(v), upDouble = __ll2double_ru(v);
      ASSERT_LE(__int128(downDouble), __int128(v));
      ASSERT_GE(__int128(upDouble), __int128(v));
      ASSERT_TRUE(downDouble == upDouble || std::nextafter(downDouble, HUGE_VAL) == upDouble) << v;
    }
  }
  EXPECT_EQ(__ull2float_ru(~0ull), 18446744073709551616.0f);
  EXPECT_EQ(__ull2double_rz(~0ull), 18446744073709549568.0);
}

TEST(Conversions, DoubleToFloatInAllDirections) {
  for (float x : floats()) {
    if (std::isnan(x)) continue;
    for (double v : {double(x), std::nextafter(double(x), HUGE_VAL), std::nextafter(double(x), -HUGE_VAL)}) {
      const float down = __double2float_rd(v), up = __double2float_ru(v);
      ASSERT_LE(double(down), v);
      ASSERT_GE(double(up), v);
      ASSERT_TRUE(down == up || std::nextafterf(down, HUGE_VALF) == up) << v;
      ASSERT_EQ(__double2float_rz(v), std::signbit(v) ? up : down);
    }
  }
  EXPECT_EQ(__double2float_rz(1e300), FLT_MAX);
  EXPECT_EQ(__double2float_rd(1e300), FLT_MAX);
  EXPECT_EQ(__double2float_ru(1e300), HUGE_VALF);
  EXPECT_EQ(__double2float_ru(1e-300), FLT_TRUE_MIN);
}

TEST(Conversions, Bits) {
  EXPECT_EQ(__float_as_uint(-1.0f), 0xbf800000u);
  EXPECT_EQ(__int_as_float(0x40490fdb), 3.14159274f);
  EXPECT_EQ(__hiloint2double(0x3ff00000, 1), 1.0 + DBL_EPSILON);
  EXPECT_EQ(__double2loint(__hiloint2double(5, -7)), -7);
  EXPECT_EQ(__double2hiint(__hiloint2double(5, -7)), 5);
}

// Products of floats are exact in long double; of sums the rounding error is.
TEST(DirectedRounding, BracketsTheExactResult) {
  std::mt19937 random(6);
  for (int i = 0; i < 100000; ++i) {
    const float x = __uint_as_float(random()), y = __uint_as_float(random());
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    const long double product = (long double)x * y;
    const float down = __fmul_rd(x, y), up = __fmul_ru(x, y);
    ASSERT_LE((long double)down, product);
    ASSERT_GE((long double)up, product);
    ASSERT_TRUE(down == up || std::nextafterf(down, HUGE_VALF) == up) << x << ' ' << y;
    ASSERT_EQ(__fmul_rz(x, y), std::signbit(product) ? up : down);
    const float sumDown = __fadd_rd(x, y), sumUp = __fadd_ru(x, y), sum = x + y;
    ASSERT_TRUE(sumDown <= sum && sum <= sumUp);
    ASSERT_TRUE(sumDown == sumUp || std::nextafterf(sumDown, HUGE_VALF) == sumUp);
    // Knuth's two-sum: what rounding to nearest lost.
    const float part = sum - x;
    const float error = (x - (sum - part)) + (y - part);
    if (std::isfinite(error)) {
      ASSERT_EQ(sumDown == sumUp, error == 0) << x << ' ' << y;
    }
  }
}

TEST(DirectedRounding, OverflowUnderflowAndTheModeAfterwards) {
  EXPECT_EQ(__fadd_rz(FLT_MAX, FLT_MAX), FLT_MAX);
  EXPECT_EQ(__fadd_ru(FLT_MAX, FLT_MAX), HUGE_VALF);
  EXPECT_EQ(__dmul_rd(DBL_MAX, 2.0), DBL_MAX);
  EXPECT_EQ(__fmul_ru(FLT_MIN, FLT_MIN), FLT_TRUE_MIN);
  EXPECT_EQ(__fdiv_rd(1.0f, 3.0f), 0.33333331f);
  EXPECT_EQ(__fdiv_ru(1.0f, 3.0f), 0.33333334f);
  EXPECT_EQ(__fsqrt_rd(2.0f), 1.41421354f);
  EXPECT_EQ(__fsqrt_ru(2.0f), 1.41421366f);
  EXPECT_EQ(__drcp_rz(3.0), 0.33333333333333331);
  EXPECT_EQ(__drcp_ru(3.0), 0.33333333333333337);
  EXPECT_EQ(__fma_ru(1.0, 1.0, DBL_TRUE_MIN), 1.0 + DBL_EPSILON);
  EXPECT_EQ(__fma_rd(1.0, 1.0, DBL_TRUE_MIN), 1.0);
  EXPECT_EQ(__fmaf_rd(1.0f, 1.0f, -FLT_TRUE_MIN), 1.0f - FLT_EPSILON / 2);
  volatile float third = 1.0f;
  EXPECT_EQ(third / 3.0f, 0.33333334f);  // back to nearest
}

}  // namespace
