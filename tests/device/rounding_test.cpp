// The intrinsics in the four rounding directions, bit for bit against MPFR; and that every function of the
// list with a documented bound has a test of it.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "accuracy/reference.h"
#include "accuracy/samples.h"
#include "crt/float_intrinsics.h"
#include "crt/float_rounding.h"

namespace musashim::device_test {
namespace {

template <typename T>
struct Operation {
  const char* name;
  T (*function)(T, T, T);
  int (*exact)(mpfr_ptr, const mpfr_t*, mpfr_rnd_t);
  mpfr_rnd_t mode;
};

int add(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_add(r, x[0], x[1], mode); }
int sub(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_sub(r, x[0], x[1], mode); }
int mul(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_mul(r, x[0], x[1], mode); }
int div(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_div(r, x[0], x[1], mode); }
int rcp(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_ui_div(r, 1, x[0], mode); }
int root(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_sqrt(r, x[0], mode); }
int fused(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) { return mpfr_fma(r, x[0], x[1], x[2], mode); }
// MPFR's has +inf for -0.
int rsqrt(mpfr_ptr r, const mpfr_t* x, mpfr_rnd_t mode) {
  const int ternary = mpfr_rec_sqrt(r, x[0], mode);
  if (mpfr_zero_p(x[0])) mpfr_setsign(r, r, mpfr_signbit(x[0]), mode);
  return ternary;
}

#define MODES(M, p, op, exact, call)                                            \
  M(p, op##_rn, exact, call, MPFR_RNDN), M(p, op##_rz, exact, call, MPFR_RNDZ), \
      M(p, op##_ru, exact, call, MPFR_RNDU), M(p, op##_rd, exact, call, MPFR_RNDD)
#define FLOAT(p, op, exact, call, mode) \
  {"__" #p #op,                         \
   [](float x, float y, float z) {      \
     (void)y, (void)z;                  \
     return __##p##op call;             \
   },                                   \
   exact, mode}
#define DOUBLE(p, op, exact, call, mode) \
  {"__" #p #op,                          \
   [](double x, double y, double z) {    \
     (void)y, (void)z;                   \
     return __##p##op call;              \
   },                                    \
   exact, mode}

const std::vector<Operation<float>> kFloats{
    MODES(FLOAT, f, add, add, (x, y)),        MODES(FLOAT, f, sub, sub, (x, y)),
    MODES(FLOAT, f, mul, mul, (x, y)),        MODES(FLOAT, f, div, div, (x, y)),
    MODES(FLOAT, f, rcp, rcp, (x)),           MODES(FLOAT, f, sqrt, root, (x)),
    MODES(FLOAT, f, maf, fused, (x, y, z)),   MODES(FLOAT, f, maf_ieee, fused, (x, y, z)),
    FLOAT(f, rsqrt_rn, rsqrt, (x), MPFR_RNDN)};
const std::vector<Operation<double>> kDoubles{
    MODES(DOUBLE, d, add, add, (x, y)),    MODES(DOUBLE, d, sub, sub, (x, y)),
    MODES(DOUBLE, d, mul, mul, (x, y)),    MODES(DOUBLE, d, div, div, (x, y)),
    MODES(DOUBLE, d, rcp, rcp, (x)),       MODES(DOUBLE, d, sqrt, root, (x)),
    MODES(DOUBLE, f, ma, fused, (x, y, z))};

template <typename T>
void compare(const Operation<T>& operation, T x, T y, T z) {
  mpfr_t arguments[3];
  for (mpfr_ptr argument : {&arguments[0][0], &arguments[1][0], &arguments[2][0]}) mpfr_init2(argument, 53);
  mpfr_set_d(arguments[0], x, MPFR_RNDN);
  mpfr_set_d(arguments[1], y, MPFR_RNDN);
  mpfr_set_d(arguments[2], z, MPFR_RNDN);
  const T expected = roundedOnce<T>(
      operation.mode, [&](mpfr_ptr r, mpfr_rnd_t mode) { return operation.exact(r, arguments, mode); });
  const T actual = operation.function(x, y, z);
  ASSERT_EQ(distance(actual, expected), 0) << std::hexfloat << operation.name << "(" << x << ", " << y << ", "
                                           << z << ") = " << actual << ", not " << expected;
  for (mpfr_ptr argument : {&arguments[0][0], &arguments[1][0], &arguments[2][0]}) mpfr_clear(argument);
}

template <typename T>
void check(const std::vector<Operation<T>>& operations, const Range& wide) {
  const std::vector<T> specials = Sampler<T>::specials();
  for (const Operation<T>& operation : operations) {
    SCOPED_TRACE(operation.name);
    for (size_t i = 0; i < specials.size(); ++i) {
      for (size_t k = 0; k < specials.size(); ++k) {
        compare(operation, specials[i], specials[k], specials[(i + 5 * k) % specials.size()]);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    Sampler<T> sampler(3);
    for (int i = 0; i < sampleCount(); ++i) {
      const T x = sampler.next(wide), y = sampler.next(wide);
      // A third number that meets the product, so that sums cancel.
      compare(operation, x, y, i % 2 ? T(-x * y) : sampler.next(wide));
      compare(operation, T(std::fmod(x, T(8))), T(std::fmod(y, T(8))), T(1));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Rounding, SinglePrecision) { check(kFloats, {-3.4e38, 3.4e38}); }
TEST(Rounding, DoublePrecision) { check(kDoubles, {-1.79e308, 1.79e308}); }

TEST(Rounding, ListsItsOperations) {
  // accuracy_test.cpp takes every bounded function whose name ends like these for tested here.
  for (const auto& operation : kFloats) EXPECT_TRUE(isRoundedOperation(operation.name)) << operation.name;
  for (const auto& operation : kDoubles) EXPECT_TRUE(isRoundedOperation(operation.name)) << operation.name;
  size_t listed = 0;
  const std::map<std::string, double> bounds{
#include "device_bounds.inc"
  };
  for (const auto& [name, bound] : bounds) listed += isRoundedOperation(name);
  EXPECT_EQ(listed, kFloats.size() + kDoubles.size());
}

}  // namespace
}  // namespace musashim::device_test
