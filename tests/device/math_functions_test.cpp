// CUDA's extra math functions against the same mathematics in long double.
#include "crt/math_functions.h"

#include <gtest/gtest.h>

#include <cfloat>

#include "crt/float_intrinsics.h"

namespace {

// Distance in units of the last place of the expected value.
double ulps(double actual, long double expected) {
  if (std::isnan(actual) || std::isnan((double)expected))
    return std::isnan(actual) == std::isnan((double)expected) ? 0 : HUGE_VAL;
  if (actual == (double)expected) return 0;
  int exponent;
  frexpl(expected, &exponent);
  const long double place = ldexpl(1.0L, std::max(exponent - 53, -1074));
  return double(fabsl(actual - expected) / place);
}

const long double kPi = 3.14159265358979323846264338327950288L;

TEST(MathFunctions, SinpiIsExactAtMultiplesAndAccurateBetween) {
  for (double x : {0.0, 1.0, 2.0, 7.0, 1e15, 4503599627370497.0}) {
    ASSERT_EQ(sinpi(x), 0.0) << x;
    ASSERT_FALSE(std::signbit(sinpi(x))) << x;
    ASSERT_TRUE(std::signbit(sinpi(-x))) << x;
  }
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(cospi(1.0), -1.0);
  EXPECT_EQ(cospi(-2.0), 1.0);
  EXPECT_EQ(sinpi(0.5), 1.0);
  EXPECT_EQ(sinpi(-1.5), 1.0);
  EXPECT_EQ(sinpi(2.5), 1.0);
  EXPECT_EQ(sinpi(3.5), -1.0);
  EXPECT_TRUE(std::isnan(sinpi(HUGE_VAL)));
  EXPECT_TRUE(std::isnan(cospi(std::nan(""))));
  for (double x = -8.0; x < 8.0; x += 0.0037) {
    const long double turn = remainderl((long double)x, 2.0L);
    // Near a zero of the cosine use the sine of the exact difference.
    const long double toHalf = 0.5L - fabsl(turn);
    ASSERT_LT(ulps(sinpi(x), sinl(kPi * turn)), 2.5) << x;
    ASSERT_LT(ulps(cospi(x), sinl(kPi * toHalf)), 2.5) << x;
    double s, c;
    sincospi(x, &s, &c);
    ASSERT_EQ(s, sinpi(x));
    ASSERT_EQ(c, cospi(x));
  }
}

TEST(MathFunctions, NormsNeitherOverflowNorUnderflow) {
  const double huge[] = {3e300, 4e300, 12e300}, tiny[] = {3e-310, 4e-310},
               infinite[] = {std::nan(""), HUGE_VAL};
  EXPECT_LT(ulps(norm(3, huge), 13e300L), 2);
  EXPECT_DOUBLE_EQ(norm(2, tiny) / 5e-310, 1.0);
  EXPECT_LT(ulps(rnorm(3, huge), 1 / 13e300L), 2);
  EXPECT_EQ(norm(2, infinite), HUGE_VAL);
  EXPECT_EQ(rnorm(2, infinite), 0.0);
  EXPECT_EQ(norm3d(2.0, 3.0, 6.0), 7.0);
  EXPECT_EQ(norm4d(2.0, 4.0, 5.0, 6.0), 9.0);
  EXPECT_EQ(rnorm4df(1, 1, 1, 1), 0.5f);
  EXPECT_EQ(norm3df(2e38f, 2e38f, 1e38f), 3e38f);
  EXPECT_EQ(rhypotf(3, 4), 0.2f);
  EXPECT_EQ(norm(0, huge), 0.0);
}

TEST(MathFunctions, RootsAndDivisions) {
  for (double x = 1e-300; x < 1e300; x *= 1.7e3) {
    ASSERT_LT(ulps(rsqrt(x), 1 / sqrtl(x)), 1.6) << x;
    ASSERT_LT(ulps(rcbrt(x), 1 / cbrtl(x)), 1) << x;
  }
  EXPECT_EQ(rcbrt(-8.0), -0.5);
  EXPECT_EQ(rcbrt(-0.0), -HUGE_VAL);
  EXPECT_EQ(rcbrt(HUGE_VAL), 0.0);
  EXPECT_EQ(rsqrtf(0.0f), HUGE_VALF);
  EXPECT_EQ(rsqrtf(HUGE_VALF), 0.0f);
  EXPECT_TRUE(std::isnan(rsqrtf(-1.0f)));
  EXPECT_EQ(rsqrtf(FLT_TRUE_MIN), float(1 / sqrtl(FLT_TRUE_MIN)));
  EXPECT_EQ(fdividef(1.0f, 4.0f), 0.25f);
}

TEST(MathFunctions, ErrorFunctionRelatives) {
  for (double x = -26.0; x < 60.0; x += 0.01713) {
    const long double exact = x < 100 ? expl((long double)x * x) * erfcl(x) : 0;
    if (exact < DBL_MAX) {
      ASSERT_LT(ulps(erfcx(x), exact), 8) << x;
    }
  }
  EXPECT_EQ(erfcx(HUGE_VAL), 0.0);
  EXPECT_EQ(erfcx(-30.0), HUGE_VAL);
  for (double x = -38.0; x < 9.0; x += 0.00731) {
    ASSERT_LT(ulps(normcdf(x), 0.5L * erfcl(-(long double)x / sqrtl(2.0L))), 6) << x;
  }
  EXPECT_EQ(normcdf(-HUGE_VAL), 0.0);
  EXPECT_EQ(normcdf(HUGE_VAL), 1.0);
}

// Inverses: the exact function takes the result back, to within what one place of the
// result is worth.
TEST(MathFunctions, Inverses) {
  for (double y = 1e-300; y < 2.0; y = y < 1e-3 ? y * 13.7 : y + 0.00137) {
    const double x = erfcinv(y);
    const long double slope = 2 / sqrtl(kPi) * expl(-(long double)x * x);
    const long double error = (erfcl(x) - y) / slope;  // in x
    ASSERT_LT(double(fabsl(error)), 8 * DBL_EPSILON * std::max(std::fabs(x), 1e-16)) << y;
  }
  for (double y = 1e-300; y < 1.0; y = y < 1e-3 ? y * 17.3 : y + 0.00119) {
    const double x = erfinv(y);
    ASSERT_EQ(erfinv(-y), -x);
    const long double slope = 2 / sqrtl(kPi) * expl(-(long double)x * x);
    ASSERT_LT(double(fabsl((erfl(x) - y) / slope)), 8 * DBL_EPSILON * x) << y;
  }
  EXPECT_EQ(erfinv(1.0), HUGE_VAL);
  EXPECT_EQ(erfinv(-1.0), -HUGE_VAL);
  EXPECT_EQ(erfinv(0.0), 0.0);
  EXPECT_TRUE(std::isnan(erfinv(1.5)));
  EXPECT_EQ(erfcinv(0.0), HUGE_VAL);
  EXPECT_EQ(erfcinv(2.0), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(erfcinv(-0.1)));
  EXPECT_EQ(normcdfinv(0.5), 0.0);
  EXPECT_NEAR(normcdfinv(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(normcdfinv(0.0), -HUGE_VAL);
  EXPECT_FLOAT_EQ(erfcinvf(0.25f), 0.81341985f);
}

TEST(MathFunctions, BesselFunctions) {
  // Abramowitz & Stegun, tables 9.8 and 9.11.
  EXPECT_NEAR(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-15);
  EXPECT_NEAR(cyl_bessel_i1(1.0), 0.5651591039924850, 1e-15);
  EXPECT_NEAR(cyl_bessel_i0(20.0) / 43558282.559553531, 1.0, 1e-14);
  EXPECT_EQ(cyl_bessel_i1(-2.0), -cyl_bessel_i1(2.0));
  EXPECT_EQ(cyl_bessel_i0(0.0), 1.0);
  EXPECT_EQ(cyl_bessel_i0(HUGE_VAL), HUGE_VAL);
}

TEST(FloatIntrinsics, SaturateAndApproximations) {
  EXPECT_EQ(__saturatef(-1.0f), 0.0f);
  EXPECT_EQ(__saturatef(2.0f), 1.0f);
  EXPECT_EQ(__saturatef(__builtin_nanf("")), 0.0f);
  EXPECT_EQ(__frsqrt_rn(4.0f), 0.5f);
  for (float x = -5.0f; x < 5.0f; x += 0.137f) {
    ASSERT_FLOAT_EQ(__expf(x), float(expl(x)));
    ASSERT_FLOAT_EQ(__exp10f(x), float(powl(10.0L, x)));
    float s, c;
    __sincosf(x, &s, &c);
    ASSERT_FLOAT_EQ(s, float(sinl(x)));
    ASSERT_FLOAT_EQ(c, float(cosl(x)));
  }
}

}  // namespace
