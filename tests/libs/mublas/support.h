// What muBLAS's tests share: device vectors, random numbers, references in higher precision.
#pragma once

#include <gtest/gtest.h>
#include <mublas_api.h>
#include <musa_runtime_api.h>

#include <complex>
#include <functional>
#include <random>
#include <vector>

// By name, without the library's own prefix: a program is told cuBLAS's names or the vendor's.
#define EXPECT_BLAS(expected, call) EXPECT_STREQ(&#expected[2], mublasGetStatusName(call) + 2) << #call
#define ASSERT_BLAS(expected, call) ASSERT_STREQ(&#expected[2], mublasGetStatusName(call) + 2) << #call

namespace musashim::test {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// The API's type for a number.
template <class T>
struct Api {
  using Type = T;
};
template <>
struct Api<ComplexFloat> {
  using Type = muComplex;
};
template <>
struct Api<ComplexDouble> {
  using Type = muDoubleComplex;
};
template <class T>
auto api(T* pointer) {
  if constexpr (std::is_const_v<T>) {
    return reinterpret_cast<const typename Api<std::remove_const_t<T>>::Type*>(pointer);
  } else {
    return reinterpret_cast<typename Api<T>::Type*>(pointer);
  }
}

template <class T>
constexpr bool kIsComplex = !std::is_arithmetic_v<T>;
template <class T>
constexpr double kUlp = std::is_same_v<T, double> || std::is_same_v<T, ComplexDouble> ? 2.3e-16 : 1.2e-7;

// What references compute in.
using Wide = std::complex<long double>;
template <class T>
Wide wide(const T& x) {
  if constexpr (kIsComplex<T>) {
    return {static_cast<long double>(x.real()), static_cast<long double>(x.imag())};
  } else {
    return {static_cast<long double>(x), 0};
  }
}

template <class T>
T randomNumber(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  if constexpr (kIsComplex<T>) {
    const double real = uniform(random);
    return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(uniform(random)));
  } else {
    return static_cast<T>(uniform(random));
  }
}

template <class T>
std::vector<T> randomNumbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = randomNumber<T>(random);
  return numbers;
}

// A copy of `values` in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(musaMalloc(reinterpret_cast<void**>(&data_), std::max<size_t>(count_, 1) * sizeof(T)),
              musaSuccess);
    EXPECT_EQ(musaMemcpy(data_, values.data(), count_ * sizeof(T), musaMemcpyHostToDevice), musaSuccess);
  }
  ~OnDevice() { (void)musaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* get() const { return data_; }
  auto api() const { return test::api(data_); }
  std::vector<T> fetch() const {
    std::vector<T> values(count_);
    EXPECT_EQ(musaMemcpy(values.data(), data_, count_ * sizeof(T), musaMemcpyDeviceToHost), musaSuccess);
    return values;
  }

 private:
  size_t count_;
  T* data_ = nullptr;
};

// Compares to a reference, with an error of `scale` roundings allowed.
template <class T>
void expectNear(const std::vector<T>& got, const std::vector<Wide>& expected, double scale,
                const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const auto error = std::abs(wide(got[i]) - expected[i]);
    ASSERT_LE(error, kUlp<T> * scale * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

// op(matrix), wide, of `rows` x `columns` of the result.
template <class T>
Wide opElement(const std::vector<T>& matrix, int ld, mublasOperation_t op, int row, int column) {
  if (op == MUBLAS_OP_N) return wide(matrix[static_cast<size_t>(column) * ld + row]);
  const Wide value = wide(matrix[static_cast<size_t>(row) * ld + column]);
  return op == MUBLAS_OP_C ? std::conj(value) : value;
}

// alpha op(A) op(B) + beta C; where beta is 0, C is not read.
template <class T>
std::vector<Wide> referenceGemm(mublasOperation_t ta, mublasOperation_t tb, int m, int n, int k, Wide alpha,
                                const std::vector<T>& a, int lda, const std::vector<T>& b, int ldb, Wide beta,
                                const std::vector<T>& c, int ldc) {
  std::vector<Wide> result(c.size());
  for (size_t i = 0; i < c.size(); ++i) result[i] = wide(c[i]);
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row) {
      Wide sum = 0;
      for (int i = 0; i < k; ++i) sum += opElement(a, lda, ta, row, i) * opElement(b, ldb, tb, i, column);
      Wide& to = result[static_cast<size_t>(column) * ldc + row];
      to = beta == Wide(0) ? alpha * sum : alpha * sum + beta * to;
    }
  }
  return result;
}

class MublasTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCreate(&handle_)); }
  void TearDown() override { EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDestroy(handle_)); }

  mublasHandle_t handle_ = nullptr;
};

// Calls the entry for T: MUBLAS_CALL(T, gemm)(handle, ...).
#define MUBLAS_CALL(T, name)                                              \
  [](auto... arguments) {                                                 \
    if constexpr (std::is_same_v<T, float>)                               \
      return mublasS##name(arguments...);                                 \
    else if constexpr (std::is_same_v<T, double>)                         \
      return mublasD##name(arguments...);                                 \
    else if constexpr (std::is_same_v<T, ::musashim::test::ComplexFloat>) \
      return mublasC##name(arguments...);                                 \
    else                                                                  \
      return mublasZ##name(arguments...);                                 \
  }

}  // namespace musashim::test
