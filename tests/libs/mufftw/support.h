// FFTW's interface by precision, for the tests of muFFTW.
#pragma once

#include <mufftw.h>

#include <type_traits>
#include <vector>

#include "mufft/reference.h"

namespace musashim::test {

template <class Real, class OfDouble, class OfFloat>
constexpr auto ofPrecision(OfDouble ofDouble, OfFloat ofFloat) {
  if constexpr (std::is_same_v<Real, double>) {
    return ofDouble;
  } else {
    return ofFloat;
  }
}
// FFTW_CALL(Real, plan_dft_1d)(...) is fftw_plan_dft_1d(...) or fftwf_plan_dft_1d(...).
#define FFTW_CALL(Real, name) (ofPrecision<Real>(fftw_##name, fftwf_##name))

// Numbers as FFTW's interface takes them.
template <class Real>
auto* pairs(std::complex<Real>* numbers) {
  return reinterpret_cast<Real(*)[2]>(numbers);
}

// Runs a plan, which must be there, and drops it.
template <class Real>
void runOnce(void* plan) {
  ASSERT_NE(plan, nullptr);
  FFTW_CALL(Real, execute)(plan);
  FFTW_CALL(Real, destroy_plan)(plan);
}

template <class T>
std::vector<Wide> widened(const std::vector<T>& values) {
  std::vector<Wide> result;
  for (const T& value : values) result.push_back(wide(value));
  return result;
}

template <class Real>
class Mufftw : public ::testing::Test {
 protected:
  using Complex = std::complex<Real>;
};

}  // namespace musashim::test
