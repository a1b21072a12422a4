// Transforms by their definition, and what else the tests of muFFT and muFFTW share.
#pragma once

#include <mufft.h>

#include <numbers>
#include <string>
#include <vector>

#include "mublas/support.h"

namespace musashim::test {

// The transform of an array of up to three dimensions by its definition, unscaled.
inline std::vector<Wide> reference(std::vector<Wide> x, const std::vector<int>& n, int sign) {
  size_t inner = x.size();
  for (const int length : n) {
    const auto count = static_cast<size_t>(length);
    inner /= count;
    std::vector<Wide> roots(count), y(x.size());
    for (size_t i = 0; i < count; ++i)
      roots[i] =
          std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * static_cast<long double>(i) / length);
    for (size_t at = 0; at < x.size(); ++at) {
      const size_t k = at / inner % count, first = at - k * inner;
      for (size_t j = 0; j < count; ++j) y[at] += x[first + j * inner] * roots[j * k % count];
    }
    x = y;
  }
  return x;
}

inline size_t volume(const std::vector<int>& n) {
  size_t all = 1;
  for (const int length : n) all *= static_cast<size_t>(length);
  return all;
}

// The result's error compared to the whole's size.
template <class T>
void expectClose(const std::vector<T>& got, const std::vector<Wide>& expected, const std::string& what,
                 double ulps = 4) {
  ASSERT_EQ(got.size(), expected.size());
  long double error = 0, size = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    error += std::norm(wide(got[i]) - expected[i]);
    size += std::norm(expected[i]);
  }
  EXPECT_LE(std::sqrt(error), ulps * kUlp<T> * std::sqrt(size)) << what;
}

// The half of a real transform that is stored.
inline std::vector<Wide> halfOf(const std::vector<Wide>& full, int last) {
  std::vector<Wide> half;
  for (size_t i = 0; i < full.size(); ++i)
    if (static_cast<int>(i % static_cast<size_t>(last)) <= last / 2) half.push_back(full[i]);
  return half;
}

// muFFT's names for a precision.
template <class Real>
struct Kinds {
  static constexpr bool kSingle = std::is_same_v<Real, float>;
  using Complex = std::complex<Real>;
  static constexpr mufftType kComplex = kSingle ? MUFFT_C2C : MUFFT_Z2Z,
                             kForward = kSingle ? MUFFT_R2C : MUFFT_D2Z,
                             kBackward = kSingle ? MUFFT_C2R : MUFFT_Z2D;
  static mufftResult complex(mufftHandle plan, Complex* in, Complex* out, int direction) {
    if constexpr (kSingle)
      return mufftExecC2C(plan, api(in), api(out), direction);
    else
      return mufftExecZ2Z(plan, api(in), api(out), direction);
  }
  static mufftResult forward(mufftHandle plan, Real* in, Complex* out) {
    if constexpr (kSingle)
      return mufftExecR2C(plan, in, api(out));
    else
      return mufftExecD2Z(plan, in, api(out));
  }
  static mufftResult backward(mufftHandle plan, Complex* in, Real* out) {
    if constexpr (kSingle)
      return mufftExecC2R(plan, api(in), out);
    else
      return mufftExecZ2D(plan, api(in), out);
  }
};

inline const std::vector<int> kShapes[] = {
    {1},    {2},    {3},      {4},      {5},       {6},       {7},       {8},       {11},
    {12},   {13},   {16},     {17},     {30},      {31},      {64},      {97},      {100},
    {101},  {128},  {210},    {251},    {256},     {509},     {1024},    {1, 5},    {5, 1},
    {4, 6}, {7, 9}, {16, 16}, {13, 32}, {2, 3, 4}, {5, 6, 7}, {8, 8, 8}, {3, 1, 17}};

}  // namespace musashim::test
