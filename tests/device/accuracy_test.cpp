// Every mathematical function against MPFR: its distance from the correctly rounded result is at most what
// CUDA documents (the bounds in shim/include/device_functions.yml), over its range and at special values.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "accuracy/functions.h"
#include "accuracy/samples.h"
#include "crt/float_intrinsics.h"
#include "crt/math_functions.h"
#include "crt/vector_math.h"

namespace musashim::device_test {
namespace {

const std::map<std::string, double>& bounds() {
  static const std::map<std::string, double> table{
#include "device_bounds.inc"
  };
  return table;
}

using Exact = void (*)(mpfr_ptr, exact::Arguments);

template <typename T>
struct Case {
  const char* name;
  int arity;
  std::function<T(const T*)> function;
  Exact exact;
  // Where the arguments lie; all the same, or one each.
  std::vector<Range> ranges;
  bool specials = true;
};

template <typename T, typename F>
std::function<T(const T*)> one(F f) {
  return [f](const T* x) { return T(f(x[0])); };
}
template <typename T, typename F>
std::function<T(const T*)> two(F f) {
  return [f](const T* x) { return T(f(x[0], x[1])); };
}
template <typename T, typename F>
std::function<T(const T*)> three(F f) {
  return [f](const T* x) { return T(f(x[0], x[1], x[2])); };
}
template <typename T, typename F>
std::function<T(const T*)> four(F f) {
  return [f](const T* x) { return T(f(x[0], x[1], x[2], x[3])); };
}

constexpr double kFloatMax = 3.4e38, kDoubleMax = 1.79e308;
const Range kFloats{-kFloatMax, kFloatMax}, kDoubles{-kDoubleMax, kDoubleMax};
const Range kPositiveFloats{1e-45, kFloatMax}, kPositiveDoubles{4.94065645841246544e-324, kDoubleMax};

// Lambdas, so that overloads need no casts.
#define F1(f) one<float>([](float x) { return f(x); })
#define F2(f) two<float>([](float x, float y) { return f(x, y); })
#define F3(f) three<float>([](float x, float y, float z) { return f(x, y, z); })
#define F4(f) four<float>([](float x, float y, float z, float w) { return f(x, y, z, w); })
#define D1(f) one<double>([](double x) { return f(x); })
#define D2(f) two<double>([](double x, double y) { return f(x, y); })
#define D3(f) three<double>([](double x, double y, double z) { return f(x, y, z); })
#define D4(f) four<double>([](double x, double y, double z, double w) { return f(x, y, z, w); })

// Device code calls the functions with __musa_ by the names given.
const std::vector<Case<float>>& singleCases() {
  static const std::vector<Case<float>> cases{
      {"sqrtf", 1, F1(sqrtf), exact::sqrt, {kPositiveFloats}},
      {"fabsf", 1, F1(fabsf), exact::absolute, {kFloats}},
      {"rintf", 1, F1(rintf), exact::rint, {kFloats, {-100, 100}}},
      {"nearbyintf", 1, F1(nearbyintf), exact::rint, {{-100, 100}}},
      {"roundf", 1, F1(roundf), exact::round, {{-100, 100}}},
      {"truncf", 1, F1(truncf), exact::trunc, {{-100, 100}}},
      {"ceilf", 1, F1(ceilf), exact::ceil, {{-100, 100}}},
      {"floorf", 1, F1(floorf), exact::floor, {{-100, 100}}},
      {"logbf", 1, F1(logbf), exact::logb, {kFloats}},
      {"fmodf", 2, F2(fmodf), exact::fmod, {kFloats, kFloats}},
      {"remainderf", 2, F2(remainderf), exact::remainder, {kFloats, kFloats}},
      {"fdimf", 2, F2(fdimf), exact::fdim, {kFloats, kFloats}},
      {"fminf", 2, F2(fminf), exact::fmin, {kFloats, kFloats}, false},
      {"fmaxf", 2, F2(fmaxf), exact::fmax, {kFloats, kFloats}, false},
      {"copysignf", 2, F2(copysignf), exact::copysign, {kFloats, kFloats}},
      {"fmaf", 3, F3(fmaf), exact::fma, {{-10, 10}, {-10, 10}, {-100, 100}}},
      {"expf", 1, F1(__musa_expf), exact::exp, {{-110, 90}}},
      {"exp2f", 1, F1(__musa_exp2f), exact::exp2, {{-155, 130}}},
      {"exp10f", 1, F1(__musa_exp10f), exact::exp10, {{-47, 39}}},
      {"expm1f", 1, F1(expm1f), exact::expm1, {{-30, 90}}},
      {"logf", 1, F1(__musa_logf), exact::log, {kPositiveFloats}},
      {"log2f", 1, F1(__musa_log2f), exact::log2, {kPositiveFloats}},
      {"log10f", 1, F1(__musa_log10f), exact::log10, {kPositiveFloats}},
      {"log1pf", 1, F1(log1pf), exact::log1p, {{-1, kFloatMax}}},
      {"sinf", 1, F1(__musa_sinf), exact::sin, {kFloats}},
      {"cosf", 1, F1(__musa_cosf), exact::cos, {kFloats}},
      {"tanf", 1, F1(tanf), exact::tan, {kFloats}},
      {"sinpif", 1, F1(sinpif), exact::sinpi, {{-1e7, 1e7}}},
      {"cospif", 1, F1(cospif), exact::cospi, {{-1e7, 1e7}}},
      {"asinf", 1, F1(asinf), exact::asin, {{-1, 1}}},
      {"acosf", 1, F1(acosf), exact::acos, {{-1, 1}}},
      {"atanf", 1, F1(atanf), exact::atan, {kFloats}},
      {"sinhf", 1, F1(sinhf), exact::sinh, {{-90, 90}}},
      {"coshf", 1, F1(coshf), exact::cosh, {{-90, 90}}},
      {"tanhf", 1, F1(__musa_tanhf), exact::tanh, {{-12, 12}}},
      {"asinhf", 1, F1(asinhf), exact::asinh, {kFloats}},
      {"acoshf", 1, F1(acoshf), exact::acosh, {{1, kFloatMax}}},
      {"atanhf", 1, F1(atanhf), exact::atanh, {{-1, 1}}},
      {"rsqrtf", 1, F1(rsqrtf), exact::rsqrt, {kPositiveFloats}},
      {"cbrtf", 1, F1(cbrtf), exact::cbrt, {kFloats}},
      {"rcbrtf", 1, F1(rcbrtf), exact::rcbrt, {kFloats}},
      {"powf", 2, F2(__musa_powf), exact::pow, {{1e-45, 1e10}, {-40, 40}}},
      {"atan2f", 2, F2(atan2f), exact::atan2, {kFloats, kFloats}},
      {"hypotf", 2, F2(hypotf), exact::norm<2>, {kFloats, kFloats}},
      {"rhypotf", 2, F2(rhypotf), exact::rnorm<2>, {kFloats, kFloats}},
      {"norm3df", 3, F3(norm3df), exact::norm<3>, {kFloats, kFloats, kFloats}},
      {"rnorm3df", 3, F3(rnorm3df), exact::rnorm<3>, {kFloats, kFloats, kFloats}},
      {"norm4df", 4, F4(norm4df), exact::norm<4>, {kFloats, kFloats, kFloats, kFloats}},
      {"rnorm4df", 4, F4(rnorm4df), exact::rnorm<4>, {kFloats, kFloats, kFloats, kFloats}},
      {"erff", 1, F1(erff), exact::erf, {{-5, 5}}},
      {"erfcf", 1, F1(erfcf), exact::erfc, {{-5, 11}}},
      {"erfinvf", 1, F1(erfinvf), exact::erfinv, {{-1, 1}}},
      {"erfcinvf", 1, F1(erfcinvf), exact::erfcinv, {{1e-45, 2}}},
      {"erfcxf", 1, F1(erfcxf), exact::erfcx, {{-10, 100}}},
      {"normcdff", 1, F1(normcdff), exact::normcdf, {{-15, 10}}},
      {"normcdfinvf", 1, F1(normcdfinvf), exact::normcdfinv, {{1e-45, 1}}},
      // CUDA names no bound where lgamma crosses zero often, -10 to -2.26.
      {"lgammaf", 1, F1(lgammaf), exact::lgamma, {{-2.2, 1e30}}},
      {"tgammaf", 1, F1(tgammaf), exact::tgamma, {{-42, 36}}},
      // Beyond 8 the bound is absolute (MagnitudeOfBesselFunctions).
      {"j0f", 1, F1(j0f), exact::j0, {{-8, 8}}, false},
      {"j1f", 1, F1(j1f), exact::j1, {{-8, 8}}, false},
      {"y0f", 1, F1(y0f), exact::y0, {{1e-30, 8}}, false},
      {"y1f", 1, F1(y1f), exact::y1, {{1e-30, 8}}, false},
      {"cyl_bessel_i0f", 1, F1(cyl_bessel_i0f), exact::besselI<0>, {{-90, 90}}, false},
      {"cyl_bessel_i1f", 1, F1(cyl_bessel_i1f), exact::besselI<1>, {{-90, 90}}, false},
  };
  return cases;
}

const std::vector<Case<double>>& doubleCases() {
  static const std::vector<Case<double>> cases{
      {"sqrt", 1, D1(sqrt), exact::sqrt, {kPositiveDoubles}},
      {"fabs", 1, D1(fabs), exact::absolute, {kDoubles}},
      {"rint", 1, D1(rint), exact::rint, {{-100, 100}}},
      {"nearbyint", 1, D1(nearbyint), exact::rint, {{-100, 100}}},
      {"round", 1, D1(round), exact::round, {{-100, 100}}},
      {"trunc", 1, D1(trunc), exact::trunc, {{-100, 100}}},
      {"ceil", 1, D1(ceil), exact::ceil, {{-100, 100}}},
      {"floor", 1, D1(floor), exact::floor, {{-100, 100}}},
      {"logb", 1, D1(logb), exact::logb, {kDoubles}},
      {"fmod", 2, D2(fmod), exact::fmod, {{-1e30, 1e30}, {-1e30, 1e30}}},
      {"remainder", 2, D2(remainder), exact::remainder, {{-1e30, 1e30}, {-1e30, 1e30}}},
      {"fdim", 2, D2(fdim), exact::fdim, {kDoubles, kDoubles}},
      {"fmin", 2, D2(fmin), exact::fmin, {kDoubles, kDoubles}, false},
      {"fmax", 2, D2(fmax), exact::fmax, {kDoubles, kDoubles}, false},
      {"copysign", 2, D2(copysign), exact::copysign, {kDoubles, kDoubles}},
      {"fma", 3, D3(fma), exact::fma, {{-10, 10}, {-10, 10}, {-100, 100}}},
      {"exp", 1, D1(exp), exact::exp, {{-750, 710}}},
      {"exp2", 1, D1(exp2), exact::exp2, {{-1080, 1025}}},
      {"exp10", 1, D1(__musa_exp10), exact::exp10, {{-326, 309}}},
      {"expm1", 1, D1(expm1), exact::expm1, {{-50, 710}}},
      {"log", 1, D1(log), exact::log, {kPositiveDoubles}},
      {"log2", 1, D1(log2), exact::log2, {kPositiveDoubles}},
      {"log10", 1, D1(log10), exact::log10, {kPositiveDoubles}},
      {"log1p", 1, D1(log1p), exact::log1p, {{-1, kDoubleMax}}},
      {"sin", 1, D1(sin), exact::sin, {kDoubles}},
      {"cos", 1, D1(cos), exact::cos, {kDoubles}},
      {"tan", 1, D1(tan), exact::tan, {kDoubles}},
      {"sinpi", 1, D1(sinpi), exact::sinpi, {{-1e15, 1e15}}},
      {"cospi", 1, D1(cospi), exact::cospi, {{-1e15, 1e15}}},
      {"asin", 1, D1(asin), exact::asin, {{-1, 1}}},
      {"acos", 1, D1(acos), exact::acos, {{-1, 1}}},
      {"atan", 1, D1(atan), exact::atan, {kDoubles}},
      {"sinh", 1, D1(sinh), exact::sinh, {{-711, 711}}},
      {"cosh", 1, D1(cosh), exact::cosh, {{-711, 711}}},
      {"tanh", 1, D1(__musa_tanh), exact::tanh, {{-20, 20}}},
      {"asinh", 1, D1(asinh), exact::asinh, {kDoubles}},
      {"acosh", 1, D1(acosh), exact::acosh, {{1, kDoubleMax}}},
      {"atanh", 1, D1(atanh), exact::atanh, {{-1, 1}}},
      {"rsqrt", 1, D1(rsqrt), exact::rsqrt, {kPositiveDoubles}},
      {"cbrt", 1, D1(__musa_cbrt), exact::cbrt, {kDoubles}},
      {"rcbrt", 1, D1(rcbrt), exact::rcbrt, {kDoubles}},
      {"pow", 2, D2(pow), exact::pow, {{1e-300, 1e20}, {-40, 40}}},
      {"atan2", 2, D2(atan2), exact::atan2, {kDoubles, kDoubles}},
      {"hypot", 2, D2(hypot), exact::norm<2>, {kDoubles, kDoubles}},
      {"rhypot", 2, D2(rhypot), exact::rnorm<2>, {kDoubles, kDoubles}},
      {"norm3d", 3, D3(norm3d), exact::norm<3>, {kDoubles, kDoubles, kDoubles}},
      {"rnorm3d", 3, D3(rnorm3d), exact::rnorm<3>, {kDoubles, kDoubles, kDoubles}},
      {"norm4d", 4, D4(norm4d), exact::norm<4>, {kDoubles, kDoubles, kDoubles, kDoubles}},
      {"rnorm4d", 4, D4(rnorm4d), exact::rnorm<4>, {kDoubles, kDoubles, kDoubles, kDoubles}},
      {"erf", 1, D1(erf), exact::erf, {{-7, 7}}},
      {"erfc", 1, D1(erfc), exact::erfc, {{-7, 28}}},
      {"erfinv", 1, D1(erfinv), exact::erfinv, {{-1, 1}}},
      {"erfcinv", 1, D1(erfcinv), exact::erfcinv, {{1e-320, 2}}},
      {"erfcx", 1, D1(erfcx), exact::erfcx, {{-27, 100}}},
      {"normcdf", 1, D1(normcdf), exact::normcdf, {{-39, 10}}},
      {"normcdfinv", 1, D1(normcdfinv), exact::normcdfinv, {{1e-320, 1}}},
      {"lgamma", 1, D1(lgamma), exact::lgamma, {{-2.2, 1e30}}},
      {"tgamma", 1, D1(tgamma), exact::tgamma, {{-180, 172}}},
      {"j0", 1, D1(__musa_j0), exact::j0, {{-8, 8}}, false},
      {"j1", 1, D1(__musa_j1), exact::j1, {{-8, 8}}, false},
      {"y0", 1, D1(__musa_y0), exact::y0, {{1e-300, 8}}, false},
      {"y1", 1, D1(__musa_y1), exact::y1, {{1e-300, 8}}, false},
      {"cyl_bessel_i0", 1, D1(cyl_bessel_i0), exact::besselI<0>, {{-700, 700}}, false},
      {"cyl_bessel_i1", 1, D1(cyl_bessel_i1), exact::besselI<1>, {{-700, 700}}, false},
  };
  return cases;
}

template <typename T>
struct Worst {
  double distance = -1;
  T arguments[4] = {};
  T actual{}, expected{};
};

template <typename T>
void compare(const Case<T>& test, const T* x, Worst<T>& worst) {
  Number numbers[4], result;
  mpfr_srcptr arguments[4];
  for (int i = 0; i < test.arity; ++i) {
    mpfr_set_d(numbers[i], x[i], MPFR_RNDN);
    arguments[i] = numbers[i];
  }
  test.exact(result, arguments);
  T expected;
  roundTo(result, expected);
  const T actual = test.function(x);
  const double far = distance(actual, expected);
  if (far <= worst.distance) return;
  worst.distance = far;
  worst.actual = actual;
  worst.expected = expected;
  std::copy(x, x + 4, worst.arguments);
}

template <typename T>
Worst<T> worstOf(const Case<T>& test) {
  Worst<T> worst;
  T x[4] = {};
  Sampler<T> sampler(1);
  // Ranges in excess of the arguments are further ranges of the first.
  const size_t choices = test.ranges.size() - size_t(test.arity) + 1;
  for (int i = 0; i < sampleCount(); ++i) {
    for (int k = 0; k < test.arity; ++k) {
      x[k] = sampler.next(test.ranges[test.arity == 1 ? size_t(i) % choices : size_t(k)]);
    }
    compare(test, x, worst);
  }
  if (!test.specials) return worst;
  const std::vector<T> specials = Sampler<T>::specials();
  for (T first : specials) {
    for (T second : specials) {
      x[0] = first;
      x[1] = second;
      x[2] = x[3] = T(1);
      compare(test, x, worst);
      if (test.arity == 1) break;
    }
  }
  return worst;
}

template <typename T>
void check(const std::vector<Case<T>>& cases) {
  for (const Case<T>& test : cases) {
    const auto bound = bounds().find(test.name);
    ASSERT_NE(bound, bounds().end()) << test.name << " has no bound in the list";
    const Worst<T> worst = worstOf(test);
    testing::Test::RecordProperty(test.name, std::to_string(worst.distance));
    if (std::getenv("MUSASHIM_ACCURACY_REPORT") != nullptr)
      printf("%-16s %g of %g\n", test.name, worst.distance, bound->second);
    EXPECT_LE(worst.distance, bound->second)
        << std::hexfloat << test.name << "(" << worst.arguments[0] << ", " << worst.arguments[1] << ", "
        << worst.arguments[2] << ", " << worst.arguments[3] << ") = " << worst.actual << ", not "
        << worst.expected;
  }
}

TEST(Accuracy, SinglePrecision) { check(singleCases()); }
TEST(Accuracy, EveryBoundHasATest) {
  std::set<std::string> tested{"nextafterf", "nextafter"};  // exact by their nature, unknown to MPFR
  for (const auto& test : singleCases()) tested.insert(test.name);
  for (const auto& test : doubleCases()) tested.insert(test.name);
  for (const auto& [name, bound] : bounds())
    EXPECT_TRUE(isRoundedOperation(name) || tested.count(name)) << name;
}

TEST(Accuracy, DoublePrecision) { check(doubleCases()); }

}  // namespace
}  // namespace musashim::device_test
