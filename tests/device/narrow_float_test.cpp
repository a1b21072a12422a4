// half and bfloat16 against the reference model: all 2^16 values, and every double that
// decides a rounding.
#include <gtest/gtest.h>

#include <random>

#include "musa_bf16.h"
#include "musa_fp16.h"
#include "reference.h"

namespace musashim::device_test {
namespace {

struct Half {
  using Number = __half;
  using Pair = __half2;
  static Format format() { return Format(5, 10); }
  static Number fromBits(unsigned bits) { return __ushort_as_half((unsigned short)bits); }
  static Number fromFloat(float x) { return __float2half(x); }
  static Number fromDouble(double x) { return __double2half(x); }
  static Number directed(double x, __musa_rounding rounding) { return __musa_make_half(x, rounding); }
  static float toFloat(Number x) { return __half2float(x); }
  static Number fromLongLong(long long x) { return __ll2half_rn(x); }
  static Number fromUnsignedLongLong(unsigned long long x) { return __ull2half_rn(x); }
  static int toInt(Number x) { return __half2int_rn(x); }
  static unsigned short toUnsignedShort(Number x) { return __half2ushort_rz(x); }
};

struct Bfloat16 {
  using Number = __mt_bfloat16;
  using Pair = __mt_bfloat162;
  static Format format() { return Format(8, 7); }
  static Number fromBits(unsigned bits) { return __ushort_as_bfloat16((unsigned short)bits); }
  static Number fromFloat(float x) { return __float2bfloat16(x); }
  static Number fromDouble(double x) { return __double2bfloat16(x); }
  static Number directed(double x, __musa_rounding rounding) { return __musa_make_bfloat16(x, rounding); }
  static float toFloat(Number x) { return __bfloat162float(x); }
  static Number fromLongLong(long long x) { return __ll2bfloat16_rn(x); }
  static Number fromUnsignedLongLong(unsigned long long x) { return __ull2bfloat16_rn(x); }
  static int toInt(Number x) { return __bfloat162int_rn(x); }
  static unsigned short toUnsignedShort(Number x) { return __bfloat162ushort_rz(x); }
};

template <typename T>
class NarrowFloat : public testing::Test {
 protected:
  using Number = typename T::Number;
  const Format format = T::format();

  // Pairs of operands: all special values with all values, and random ones.
  template <typename Check>
  void forPairs(Check check) {
    const unsigned special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0080, 0x03ff, 0x0400, 0x3c00, 0x3f80,
                                0xbc00, 0x7bff, 0x7f7f, 0xfbff, 0x7c00, 0x7f80, 0xff80, 0x7fff, 0xffff};
    for (unsigned a : special) {
      for (unsigned b = 0; b < 0x10000; b += 7) check(a, b);
    }
    std::mt19937 random(1);
    for (int i = 0; i < 500000; ++i) {
      const unsigned bits = random();
      check(bits & 0xffffu, bits >> 16);
    }
  }
};
using Formats = testing::Types<Half, Bfloat16>;
TYPED_TEST_SUITE(NarrowFloat, Formats);

TYPED_TEST(NarrowFloat, EveryValueWidensExactlyAndComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const double expected = this->format.decode(bits);
    const float actual = TypeParam::toFloat(TypeParam::fromBits(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << std::hex << bits;
      ASSERT_EQ(TypeParam::fromFloat(actual).__x, 0x7fff) << std::hex << bits;
      continue;
    }
    ASSERT_EQ(double(actual), expected) << std::hex << bits;
    ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << std::hex << bits;
    ASSERT_EQ(TypeParam::fromFloat(actual).__x, bits);
    ASSERT_EQ(TypeParam::fromDouble(expected).__x, bits);
  }
}

TYPED_TEST(NarrowFloat, DoublesRoundInAllDirections) {
  for (double x : decisiveDoubles(this->format)) {
    ASSERT_EQ(TypeParam::fromDouble(x).__x, this->format.encode(x, Mode::kNearest)) << x;
    ASSERT_EQ(TypeParam::directed(x, __musa_rounding::down).__x, this->format.encode(x, Mode::kDown)) << x;
    ASSERT_EQ(TypeParam::directed(x, __musa_rounding::up).__x, this->format.encode(x, Mode::kUp)) << x;
    ASSERT_EQ(TypeParam::directed(x, __musa_rounding::zero).__x, this->format.encode(x, Mode::kZero)) << x;
  }
}

TYPED_TEST(NarrowFloat, FloatsRoundToNearest) {
  const auto check = [&](float x) {
    ASSERT_EQ(TypeParam::fromFloat(x).__x, this->format.encode(x, Mode::kNearest)) << x;
  };
  for (double x : decisiveDoubles(this->format)) {
    check(float(x));
    check(std::nextafterf(float(x), HUGE_VALF));
    check(std::nextafterf(float(x), -HUGE_VALF));
  }
  for (uint64_t bits = 0; bits < 0x100000000; bits += 4099) check(__uint_as_float(unsigned(bits)));
}

TYPED_TEST(NarrowFloat, SumsProductsAndQuotientsRoundOnce) {
  this->forPairs([&](unsigned a, unsigned b) {
    const auto x = TypeParam::fromBits(a), y = TypeParam::fromBits(b);
    const double dx = this->format.decode(a), dy = this->format.decode(b);
    // A sum of bfloat16 numbers need not fit a double; long double's error decides.
    const double sum = dx + dy;
    const long double sumError = ((long double)dx + (long double)dy) - (long double)sum;
    const int sumSticky = std::isfinite(sum) ? (sumError > 0) - (sumError < 0) : 0;
    ASSERT_EQ(__hadd(x, y).__x, this->format.encode(sum, Mode::kNearest, sumSticky))
        << std::hex << a << ' ' << b;
    ASSERT_EQ((x - y).__x, __hadd(x, __hisnan(y) ? y : __hneg(y)).__x);
    ASSERT_EQ(__hmul(x, y).__x, this->format.encode(dx * dy, Mode::kNearest)) << std::hex << a << ' ' << b;
    const double quotient = dx / dy;
    const double rest = std::isfinite(quotient) ? -std::fma(quotient, dy, -dx) * (dy < 0 ? -1 : 1) : 0;
    ASSERT_EQ(__hdiv(x, y).__x, this->format.encode(quotient, Mode::kNearest, (rest > 0) - (rest < 0)))
        << std::hex << a << ' ' << b;
  });
}

TYPED_TEST(NarrowFloat, FusedMultiplyAddRoundsOnce) {
  std::mt19937 random(2);
  const auto check = [&](unsigned a, unsigned b, unsigned c) {
    const double da = this->format.decode(a), db = this->format.decode(b), dc = this->format.decode(c);
    const double product = da * db, sum = product + dc;  // the product is exact
    // Knuth's two-sum: the exact result is sum + error.
    const double part = sum - product;
    const double error = (product - (sum - part)) + (dc - part);
    const int sticky = std::isfinite(sum) ? (error > 0) - (error < 0) : 0;
    ASSERT_EQ(__hfma(TypeParam::fromBits(a), TypeParam::fromBits(b), TypeParam::fromBits(c)).__x,
              this->format.encode(sum, Mode::kNearest, sticky))
        << std::hex << a << ' ' << b << ' ' << c;
  };
  for (int i = 0; i < 500000; ++i) check(random() & 0xffffu, random() & 0xffffu, random() & 0xffffu);
  // A product exactly between two numbers, and an addend too small for a double's place.
  const unsigned one = TypeParam::fromFloat(1.0f).__x;
  for (unsigned a = one; a < one + 0x100; ++a) {
    for (unsigned b = one; b < one + 0x100; b += 3) {
      for (unsigned c : {0x0001u, 0x8001u, 0x0000u}) check(a, b, c);
    }
  }
}

TYPED_TEST(NarrowFloat, ComparisonsTreatNanAsUnordered) {
  this->forPairs([&](unsigned a, unsigned b) {
    const auto x = TypeParam::fromBits(a), y = TypeParam::fromBits(b);
    const double dx = this->format.decode(a), dy = this->format.decode(b);
    const bool unordered = std::isnan(dx) || std::isnan(dy);
    ASSERT_EQ(__heq(x, y), dx == dy);
    ASSERT_EQ(__hne(x, y), !unordered && dx != dy);
    ASSERT_EQ(x != y, dx != dy);
    ASSERT_EQ(x < y, dx < dy);
    ASSERT_EQ(x >= y, dx >= dy);
    ASSERT_EQ(__hgtu(x, y), unordered || dx > dy);
    ASSERT_EQ(__hleu(x, y), unordered || dx <= dy);
  });
}

TYPED_TEST(NarrowFloat, MinimumOrdersZerosAndSkipsNan) {
  const auto nan = TypeParam::fromBits(0xffff), one = TypeParam::fromFloat(1.0f);
  const auto zero = TypeParam::fromBits(0), minusZero = TypeParam::fromBits(0x8000);
  EXPECT_EQ(__hmin(nan, one).__x, one.__x);
  EXPECT_EQ(__hmax(one, nan).__x, one.__x);
  EXPECT_EQ(__hmin(nan, nan).__x, 0x7fff);
  EXPECT_EQ(__hmin_nan(one, nan).__x, 0x7fff);
  EXPECT_EQ(__hmin(zero, minusZero).__x, 0x8000);
  EXPECT_EQ(__hmin(minusZero, zero).__x, 0x8000);
  EXPECT_EQ(__hmax(minusZero, zero).__x, 0);
  this->forPairs([&](unsigned a, unsigned b) {
    const double dx = this->format.decode(a), dy = this->format.decode(b);
    if (std::isnan(dx) || std::isnan(dy)) return;
    ASSERT_EQ(this->format.decode(__hmin(TypeParam::fromBits(a), TypeParam::fromBits(b)).__x),
              std::fmin(dx, dy));
    ASSERT_EQ(this->format.decode(__hmax(TypeParam::fromBits(a), TypeParam::fromBits(b)).__x),
              std::fmax(dx, dy));
  });
}

TYPED_TEST(NarrowFloat, IntegersSaturateAndRoundOnce) {
  EXPECT_EQ(TypeParam::toInt(TypeParam::fromFloat(2.5f)), 2);
  EXPECT_EQ(TypeParam::toInt(TypeParam::fromFloat(-3.5f)), -4);
  EXPECT_EQ(TypeParam::toInt(TypeParam::fromBits(0x7fff)), 0);
  EXPECT_EQ(TypeParam::toInt(TypeParam::fromFloat(-HUGE_VALF)), -2147483647 - 1);
  EXPECT_EQ(TypeParam::toUnsignedShort(TypeParam::fromFloat(-5.0f)), 0);
  EXPECT_EQ(TypeParam::toUnsignedShort(TypeParam::fromFloat(HUGE_VALF)), 65535);
  EXPECT_EQ((int)TypeParam::fromFloat(-2.75f), -2);
  // Next to the middle of two bfloat16 numbers (for half all are beyond the largest): a
  // detour over double would round twice.
  const long long power = 1ll << 54;
  for (long long middle = power + (power >> 8); middle < 2 * power; middle += power >> 6) {
    for (long long x : {middle - 1, middle, middle + 1}) {
      const double rounded = double(x);
      const int sticky = (x > (long long)rounded) - (x < (long long)rounded);
      ASSERT_EQ(TypeParam::fromLongLong(x).__x, this->format.encode(rounded, Mode::kNearest, sticky)) << x;
      ASSERT_EQ(TypeParam::fromLongLong(-x).__x, this->format.encode(-rounded, Mode::kNearest, -sticky)) << x;
    }
  }
  EXPECT_EQ(TypeParam::fromUnsignedLongLong(~0ull).__x,
            this->format.encode(18446744073709551615.0, Mode::kNearest));
}

TYPED_TEST(NarrowFloat, MathFunctionsAreWithinTheirLastPlace) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto x = TypeParam::fromBits(bits);
    const double value = this->format.decode(bits);
    ASSERT_EQ(hsqrt(x).__x, this->format.encode(std::sqrt(value), Mode::kNearest)) << value;
    ASSERT_EQ(hrcp(x).__x, this->format.encode(1 / value, Mode::kNearest)) << value;
    ASSERT_EQ(hfloor(x).__x, this->format.encode(std::floor(value), Mode::kNearest)) << value;
    ASSERT_EQ(hrint(x).__x, this->format.encode(std::rint(value), Mode::kNearest)) << value;
    const auto near = [&](typename TypeParam::Number actual, double exact) {
      const int expected = int(this->format.encode(exact, Mode::kNearest));
      return std::abs(int(actual.__x) - expected) <= 1;
    };
    ASSERT_TRUE(near(hexp(x), std::exp(value))) << value;
    ASSERT_TRUE(near(hlog2(x), std::log2(value))) << value;
    ASSERT_TRUE(near(hsin(x), std::sin(value))) << value;
    ASSERT_TRUE(near(htanh(x), std::tanh(value))) << value;
  }
}

TYPED_TEST(NarrowFloat, PairsWorkElementByElement) {
  using Pair = typename TypeParam::Pair;
  static_assert(sizeof(Pair) == 4 && alignof(Pair) == 4 && sizeof(typename TypeParam::Number) == 2);
  const auto n = [](float x) { return TypeParam::fromFloat(x); };
  const Pair a(n(1), n(2)), b(n(3), n(-4));
  EXPECT_EQ(float((a + b).y), -2.0f);
  EXPECT_EQ(float(__hfma2(a, b, b).x), 6.0f);
  EXPECT_EQ(float(__hmax2(a, b).y), 2.0f);
  EXPECT_FALSE(__hblt2(a, b));
  EXPECT_EQ(float(__hlt2(a, b).x), 1.0f);
  EXPECT_EQ(__hlt2_mask(a, b), 0x0000ffffu);
  EXPECT_EQ(float(__lowhigh2highlow(a).x), 2.0f);
  EXPECT_EQ(float(__hadd_sat(n(0.75f), n(0.75f))), 1.0f);
  EXPECT_EQ(__hadd_sat(TypeParam::fromBits(0x7fff), n(1)).__x, 0);
}

TEST(NarrowFloats, BecomeEachOtherWhenAsked) {
  static_assert(std::is_constructible<__half, __mt_bfloat16>::value);
  static_assert(!std::is_convertible<__half, __mt_bfloat16>::value);
  static_assert(!std::is_convertible<__mt_bfloat16, __half>::value);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half half = Half::fromBits(bits);
    ASSERT_EQ(static_cast<__mt_bfloat16>(half).__x, Bfloat16::fromFloat(float(half)).__x) << bits;
    const __mt_bfloat16 bfloat = Bfloat16::fromBits(bits);
    ASSERT_EQ(__half(bfloat).__x, Half::fromFloat(float(bfloat)).__x) << bits;
  }
}

}  // namespace
}  // namespace musashim::device_test
