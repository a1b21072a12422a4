#include <cmath>

#include "mublas/support.h"

namespace musashim::test {
namespace {

template <class T>
using RealOf = decltype(std::abs(T()));

// Some functions of complex vectors have a real result or factor, and a name of their own.
#define MUBLAS_CALL_REAL(T, s, d, c, z)                 \
  [](auto... arguments) {                               \
    if constexpr (std::is_same_v<T, float>)             \
      return mublas##s(arguments...);                   \
    else if constexpr (std::is_same_v<T, double>)       \
      return mublas##d(arguments...);                   \
    else if constexpr (std::is_same_v<T, ComplexFloat>) \
      return mublas##c(arguments...);                   \
    else                                                \
      return mublas##z(arguments...);                   \
  }

template <class T>
class Level1 : public MublasTest {};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(Level1, Types);

constexpr int kLength = 103;
constexpr std::pair<int, int> kIncrements[] = {{1, 1}, {2, 3}, {-1, 1}, {1, -2}, {-3, -2}, {0, 1}};

// Where element i of a vector is.
size_t place(int i, int increment) {
  return static_cast<size_t>(increment < 0 ? (i - kLength + 1) * increment : i * increment);
}

TYPED_TEST(Level1, AxpyCopySwapDot) {
  using T = TypeParam;
  for (const auto& [incx, incy] : kIncrements) {
    const auto x = randomNumbers<T>(400, 1), y = randomNumbers<T>(400, 2);
    const T alpha = randomNumbers<T>(1, 3)[0];
    std::vector<Wide> sum, copy, dotted(1), conjugated(1);
    for (const T& value : y) {
      sum.push_back(wide(value));
      copy.push_back(wide(value));
    }
    for (int i = 0; i < kLength; ++i) {
      const Wide a = wide(x[place(i, incx)]), b = wide(y[place(i, incy)]);
      sum[place(i, incy)] += wide(alpha) * a;
      copy[place(i, incy)] = a;
      dotted[0] += a * b;
      conjugated[0] += std::conj(a) * b;
    }
    const OnDevice<T> dx(x), forAxpy(y), forCopy(y), dy(y);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, axpy)(this->handle_, kLength, api(&alpha), dx.api(),
                                                            incx, forAxpy.api(), incy));
    expectNear(forAxpy.fetch(), sum, 4, "axpy");
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, copy)(this->handle_, kLength, dx.api(), incx, forCopy.api(), incy));
    expectNear(forCopy.fetch(), copy, 0, "copy");
    std::vector<T> result(1);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL_REAL(T, Sdot, Ddot, Cdotu, Zdotu)(this->handle_, kLength, dx.api(), incx,
                                                              dy.api(), incy, api(result.data())));
    expectNear(result, dotted, 200, "dot");
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL_REAL(T, Sdot, Ddot, Cdotc, Zdotc)(this->handle_, kLength, dx.api(), incx,
                                                              dy.api(), incy, api(result.data())));
    expectNear(result, conjugated, 200, "dotc");
    if (incx == 0) continue;
    const OnDevice<T> left(x), right(y);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, swap)(this->handle_, kLength, left.api(), incx, right.api(), incy));
    expectNear(right.fetch(), copy, 0, "swap");
  }
}

TYPED_TEST(Level1, NormsAndPlaces) {
  using T = TypeParam;
  for (int increment : {1, 3}) {
    auto x = randomNumbers<T>(400, 5);
    x[place(40, increment)] = T(9);
    x[place(60, increment)] = T(-9);  // the first of equals counts
    x[place(50, increment)] = x[place(70, increment)] = T(0);
    Wide norm = 0, sum = 0;
    for (int i = 0; i < kLength; ++i) {
      const Wide value = wide(x[place(i, increment)]);
      norm += std::norm(value);
      sum += std::abs(value.real()) + std::abs(value.imag());
    }
    const OnDevice<T> dx(x);
    std::vector<RealOf<T>> result(1);
    int found = 0;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Snrm2, Dnrm2, Scnrm2, Dznrm2)(
                                           this->handle_, kLength, dx.api(), increment, result.data()));
    expectNear(result, {std::sqrt(norm)}, 20, "nrm2");
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Sasum, Dasum, Scasum, Dzasum)(
                                           this->handle_, kLength, dx.api(), increment, result.data()));
    expectNear(result, {sum}, 100, "asum");
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Isamax, Idamax, Icamax, Izamax)(
                                           this->handle_, kLength, dx.api(), increment, &found));
    EXPECT_EQ(found, 41);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Isamin, Idamin, Icamin, Izamin)(
                                           this->handle_, kLength, dx.api(), increment, &found));
    EXPECT_EQ(found, 51);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Isamax, Idamax, Icamax, Izamax)(
                                           this->handle_, 0, dx.api(), increment, &found));
    EXPECT_EQ(found, 0);
    EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
                MUBLAS_CALL_REAL(T, Snrm2, Dnrm2, Scnrm2, Dznrm2)(this->handle_, kLength, dx.api(), increment,
                                                                  static_cast<RealOf<T>*>(nullptr)));
  }
}

TYPED_TEST(Level1, ResultsGoToTheDeviceInThatMode) {
  using T = TypeParam;
  const std::vector<T> x(8, T(2));
  const OnDevice<T> dx(x), result(std::vector<T>(1));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetPointerMode(this->handle_, MUBLAS_POINTER_MODE_DEVICE));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Sdot, Ddot, Cdotu, Zdotu)(
                                         this->handle_, 8, dx.api(), 1, dx.api(), 1, result.api()));
  EXPECT_EQ(result.fetch()[0], T(32));
}

TYPED_TEST(Level1, ScaleAndRotate) {
  using T = TypeParam;
  const auto x = randomNumbers<T>(200, 7), y = randomNumbers<T>(200, 8);
  const T alpha = randomNumbers<T>(1, 9)[0];
  const RealOf<T> c = 0.6f, s = 0.8f;
  std::vector<Wide> scaled, left, right;
  for (size_t i = 0; i < x.size(); ++i) {
    const bool touched = i % 2 == 0;
    const Wide a = wide(x[i]), b = wide(y[i]);
    scaled.push_back(touched ? wide(alpha) * a : a);
    left.push_back(touched ? wide(c) * a + wide(s) * b : a);
    right.push_back(touched ? wide(c) * b - wide(s) * a : b);
  }
  const OnDevice<T> forScal(x), dx(x), dy(y);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, scal)(this->handle_, 100, api(&alpha), forScal.api(), 2));
  expectNear(forScal.fetch(), scaled, 4, "scal");
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL_REAL(T, Srot, Drot, Csrot, Zdrot)(
                                         this->handle_, 100, dx.api(), 2, dy.api(), 2, &c, &s));
  expectNear(dx.fetch(), left, 4, "rot");
  expectNear(dy.fetch(), right, 4, "rot");
  // (a, b) is turned to (r, 0).
  std::vector<T> a = {T(3)}, b = {T(4)}, sine(1);
  std::vector<RealOf<T>> cosine(1);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, rotg)(this->handle_, api(a.data()), api(b.data()),
                                                          cosine.data(), api(sine.data())));
  expectNear(a, {5}, 8, "rotg");
  expectNear(cosine, {0.6L}, 8, "rotg");
  expectNear(sine, {0.8L}, 8, "rotg");
}

TEST_F(MublasTest, ModifiedRotations) {
  const std::vector<double> x = {1, 2, 3}, y = {4, 5, 6}, turn = {-1, 2, 3, 4, 5};  // h11 h21 h12 h22
  for (const auto mode : {MUBLAS_POINTER_MODE_HOST, MUBLAS_POINTER_MODE_DEVICE}) {
    const OnDevice<double> dx(x), dy(y), dTurn(turn);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetPointerMode(handle_, mode));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasDrotm(handle_, 3, dx.get(), 1, dy.get(), 1,
                            mode == MUBLAS_POINTER_MODE_HOST ? turn.data() : dTurn.get()));
    EXPECT_EQ(dx.fetch(), (std::vector<double>{18, 24, 30}));
    EXPECT_EQ(dy.fetch(), (std::vector<double>{23, 31, 39}));
  }
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetPointerMode(handle_, MUBLAS_POINTER_MODE_HOST));
  double d1 = 2, d2 = 3, x1 = 4;
  const double y1 = 5;
  double param[5] = {};
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDrotmg(handle_, &d1, &d2, &x1, &y1, param));
  EXPECT_NEAR(d1 * x1 * x1, 2 * 16 + 3 * 25, 1e-9);  // the scaled length stays
}

TEST_F(MublasTest, VectorsOfMixedTypes) {
  std::vector<__half> x(50, __half(2.0f)), y(50, __half(0.5f));
  const OnDevice<__half> dx(x), dy(y);
  const float alpha = 3;
  __half result;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasAxpyEx(handle_, 50, &alpha, MUSA_R_32F, dx.get(), MUSA_R_16F, 1,
                                                  dy.get(), MUSA_R_16F, 1, MUSA_R_32F));
  EXPECT_EQ(static_cast<float>(dy.fetch()[49]), 6.5f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDotEx(handle_, 50, dx.get(), MUSA_R_16F, 1, dx.get(), MUSA_R_16F,
                                                 1, &result, MUSA_R_16F, MUSA_R_32F));
  EXPECT_EQ(static_cast<float>(result), 200.0f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasScalEx(handle_, 25, &alpha, MUSA_R_32F, dx.get(), MUSA_R_16F, 2, MUSA_R_32F));
  EXPECT_EQ(static_cast<float>(dx.fetch()[48]), 6.0f);
  EXPECT_EQ(static_cast<float>(dx.fetch()[49]), 2.0f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasNrm2Ex(handle_, 25, dx.get(), MUSA_R_16F, 2, &result, MUSA_R_16F, MUSA_R_32F));
  EXPECT_EQ(static_cast<float>(result), 30.0f);
  const std::vector<ComplexFloat> z(3, {1, 2});
  const OnDevice<ComplexFloat> dz(z);
  ComplexFloat product;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDotcEx(handle_, 3, dz.get(), MUSA_C_32F, 1, dz.get(), MUSA_C_32F,
                                                  1, &product, MUSA_C_32F, MUSA_C_32F));
  EXPECT_EQ(product, ComplexFloat(15, 0));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, mublasDotEx(handle_, 3, dz.get(), MUSA_R_8I, 1, dz.get(),
                                                       MUSA_R_8I, 1, &product, MUSA_R_8I, MUSA_R_32F));
}

}  // namespace
}  // namespace musashim::test
