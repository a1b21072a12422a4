// Correctly rounded references, computed by MPFR.
#pragma once

#define MPFR_USE_NO_MACRO
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace musashim::device_test {

// An MPFR number with more than enough digits for any float or double result.
class Number {
 public:
  static constexpr mpfr_prec_t kDigits = 320;
  Number() { mpfr_init2(value_, kDigits); }
  explicit Number(double x) : Number() { mpfr_set_d(value_, x, MPFR_RNDN); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

inline void roundTo(mpfr_srcptr x, float& result) { result = mpfr_get_flt(x, MPFR_RNDN); }
inline void roundTo(mpfr_srcptr x, double& result) { result = mpfr_get_d(x, MPFR_RNDN); }

// How many floating-point numbers lie between the two, as CUDA counts its errors: the distance from the
// correctly rounded result. Different NaN-ness, or another sign of zero, is infinitely far.
template <typename T>
double distance(T actual, T expected) {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  if (std::isnan(actual) || std::isnan(expected))
    return std::isnan(actual) == std::isnan(expected) ? 0 : HUGE_VAL;
  if (actual == 0 && expected == 0) return std::signbit(actual) == std::signbit(expected) ? 0 : HUGE_VAL;
  const auto position = [](T x) {
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? double(std::numeric_limits<Bits>::min() - bits) : double(bits);
  };
  const auto exact = [](T x) {
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? Bits(std::numeric_limits<Bits>::min() - bits) : bits;
  };
  const double rough = position(actual) - position(expected);
  if (std::fabs(rough) > 1e15) return std::fabs(rough);
  return std::fabs(double(exact(actual) - exact(expected)));
}

// An intrinsic with its rounding in its name: rounding_test.cpp's.
inline bool isRoundedOperation(const std::string& name) {
  if (name.size() < 5 || name.compare(0, 2, "__") != 0) return false;
  const std::string end = name.substr(name.size() - 3);
  return end == "_rn" || end == "_rz" || end == "_ru" || end == "_rd";
}

// The IEEE operation with one rounding in direction `mode`, subnormal results and overflow included.
template <typename T, typename Operation>
T roundedOnce(mpfr_rnd_t mode, Operation operation) {
  constexpr bool kSingle = sizeof(T) == 4;
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_t result;
  mpfr_init2(result, kSingle ? 24 : 53);
  mpfr_set_emin(kSingle ? -148 : -1073);
  mpfr_set_emax(kSingle ? 128 : 1024);
  const int ternary = mpfr_check_range(result, operation(result, mode), mode);
  mpfr_subnormalize(result, ternary, mode);
  const double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  mpfr_clear(result);
  return T(value);
}

}  // namespace musashim::device_test
