// What muSOLVER's tests share: matrices of known kinds, and what their factors must fulfil.
#pragma once

#include <gtest/gtest.h>
#include <musolverDn.h>

#include <array>
#include <vector>

#include "mublas/support.h"

namespace musashim::test {

#define MUSOLVER_CALL(T, real, complex)                 \
  [](auto... arguments) {                               \
    if constexpr (std::is_same_v<T, float>)             \
      return musolverDnS##real(arguments...);           \
    else if constexpr (std::is_same_v<T, double>)       \
      return musolverDnD##real(arguments...);           \
    else if constexpr (std::is_same_v<T, ComplexFloat>) \
      return musolverDnC##complex(arguments...);        \
    else                                                \
      return musolverDnZ##complex(arguments...);        \
  }

template <class T>
class Musolver : public ::testing::Test {
 protected:
  using Element = typename Api<T>::Type;
  using Real = decltype(std::abs(T()));
  static constexpr int n = 40, m = 55;

  void SetUp() override { ASSERT_EQ(musolverDnCreate(&handle_), MUSOLVER_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(musolverDnDestroy(handle_), MUSOLVER_STATUS_SUCCESS); }

  // A B, or A^H B; matrices without gaps.
  static std::vector<Wide> product(const std::vector<T>& a, const std::vector<T>& b, int rows, int inner,
                                   int columns, bool adjoint = false) {
    return referenceGemm(adjoint ? MUBLAS_OP_C : MUBLAS_OP_N, MUBLAS_OP_N, rows, columns, inner, 1, a,
                         adjoint ? inner : rows, b, inner, 0,
                         std::vector<T>(static_cast<size_t>(rows) * static_cast<size_t>(columns)), rows);
  }
  static std::vector<Wide> widened(const std::vector<T>& values) {
    std::vector<Wide> result;
    for (const T& value : values) result.push_back(wide(value));
    return result;
  }
  // Hermitian and positive definite.
  static std::vector<T> definite() {
    const auto x = randomNumbers<T>(n * n, 1);
    std::vector<T> a;
    for (const Wide& value : product(x, x, n, n, n, true)) {
      if constexpr (kIsComplex<T>)
        a.push_back(T(static_cast<Real>(value.real()), static_cast<Real>(value.imag())));
      else
        a.push_back(static_cast<T>(value.real()));
    }
    for (int i = 0; i < n; ++i) a[static_cast<size_t>(i * n + i)] += T(n);
    return a;
  }

  // Hermitian, of any signs.
  static std::vector<T> hermitian(int size, unsigned seed) {
    auto a = randomNumbers<T>(static_cast<size_t>(size) * static_cast<size_t>(size), seed);
    const auto at = [&](int row, int column) -> T& { return a[static_cast<size_t>(column * size + row)]; };
    for (int column = 0; column < size; ++column)
      for (int row = 0; row <= column; ++row) {
        if constexpr (kIsComplex<T>)
          at(row, column) = row == column ? T(at(row, column).real()) : std::conj(at(column, row));
        else
          at(row, column) = at(column, row);
      }
    return a;
  }
  // The `index`th of parts of `size` elements.
  template <class V>
  static std::vector<V> part(const std::vector<V>& all, int index, int size) {
    return {all.begin() + index * size, all.begin() + (index + 1) * size};
  }
  static void expectOrthonormal(const std::vector<T>& vectors, int rows, int columns) {
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < columns; ++j) {
        Wide sum = 0;
        for (int row = 0; row < rows; ++row)
          sum += std::conj(wide(vectors[static_cast<size_t>(i * rows + row)])) *
                 wide(vectors[static_cast<size_t>(j * rows + row)]);
        EXPECT_LE(std::abs(sum - Wide(i == j ? 1 : 0)), kUlp<T> * 100) << i << " " << j;
      }
  }
  // A V = V W, in ascending order.
  static void expectEigenpairs(const std::vector<T>& a, const std::vector<T>& vectors,
                               const std::vector<Real>& values, int size) {
    const auto left = product(a, vectors, size, size, size);
    for (int column = 0; column < size; ++column)
      for (int row = 0; row < size; ++row) {
        const auto at = static_cast<size_t>(column * size + row);
        EXPECT_LE(std::abs(left[at] - wide(vectors[at]) * wide(values[static_cast<size_t>(column)])),
                  kUlp<T> * 200);
      }
    expectOrthonormal(vectors, size, size);
    for (int i = 1; i < size; ++i)
      EXPECT_LE(values[static_cast<size_t>(i - 1)], values[static_cast<size_t>(i)]);
  }

  musolverDnHandle_t handle_ = nullptr;
  OnDevice<int> info_{std::vector<int>(1, -7)};
  int size_ = 0;
};
using SolverTypes = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;

}  // namespace musashim::test
