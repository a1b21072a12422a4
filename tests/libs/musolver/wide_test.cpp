// The 64-bit interface's own: eigenvalues of matrices without symmetry, and the largest singular values.
#include <algorithm>
#include <complex>

#include "support.h"

namespace musashim::test {
namespace {

template <class T>
class MusolverWide : public Musolver<T> {
 protected:
  static constexpr musaDataType kType = std::is_same_v<T, float>          ? MUSA_R_32F
                                        : std::is_same_v<T, double>       ? MUSA_R_64F
                                        : std::is_same_v<T, ComplexFloat> ? MUSA_C_32F
                                                                          : MUSA_C_64F;
  static constexpr musaDataType kRealType = kType == MUSA_C_32F   ? MUSA_R_32F
                                            : kType == MUSA_C_64F ? MUSA_R_64F
                                                                  : kType;
  static constexpr musaDataType kComplexType = kType == MUSA_R_32F   ? MUSA_C_32F
                                               : kType == MUSA_R_64F ? MUSA_C_64F
                                                                     : kType;
};
TYPED_TEST_SUITE(MusolverWide, SolverTypes);

TYPED_TEST(MusolverWide, EigenvaluesOfGeneralMatrices) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  const int n = Musolver<T>::n;
  const auto a = randomNumbers<T>(static_cast<size_t>(n * n), 1);
  const OnDevice<T> matrix(a), right(std::vector<T>(static_cast<size_t>(n * n)));
  const OnDevice<std::complex<Real>> values{std::vector<std::complex<Real>>(static_cast<size_t>(n))};
  size_t device = 0, host = 0;
  const auto size = [&](musolverEigMode_t left, int ld) {
    return musolverDnXgeev_bufferSize(this->handle_, nullptr, left, MUSOLVER_EIG_MODE_VECTOR, n, this->kType,
                                      matrix.get(), ld, this->kComplexType, values.get(), this->kType,
                                      nullptr, 1, this->kType, right.get(), n, this->kType, &device, &host);
  };
  ASSERT_EQ(size(MUSOLVER_EIG_MODE_NOVECTOR, n), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(size(MUSOLVER_EIG_MODE_NOVECTOR, n - 1), MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(size(MUSOLVER_EIG_MODE_VECTOR, n), MUSOLVER_STATUS_INVALID_VALUE);  // no place for left ones
  const OnDevice<char> work{std::vector<char>(device)};
  ASSERT_EQ(musolverDnXgeev(this->handle_, nullptr, MUSOLVER_EIG_MODE_NOVECTOR, MUSOLVER_EIG_MODE_VECTOR, n,
                            this->kType, matrix.get(), n, this->kComplexType, values.get(), this->kType,
                            nullptr, 1, this->kType, right.get(), n, this->kType, work.get(), device, nullptr,
                            host, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  const auto w = values.fetch();
  const auto v = right.fetch();
  // Columns of pairs are real and imaginary parts.
  const auto vector = [&](int column, int row) {
    const auto at = [&](int k) { return wide(v[static_cast<size_t>(k * n + row)]); };
    if (kIsComplex<T> || w[static_cast<size_t>(column)].imag() == 0) return at(column);
    const bool first = w[static_cast<size_t>(column)].imag() > 0;
    const Wide i(0, 1);
    return first ? at(column) + i * at(column + 1) : at(column - 1) - i * at(column);
  };
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row) {
      Wide sum = 0;
      for (int k = 0; k < n; ++k) sum += wide(a[static_cast<size_t>(k * n + row)]) * vector(column, k);
      const auto value = w[static_cast<size_t>(column)];
      const Wide scaled = Wide(value.real(), value.imag()) * vector(column, row);
      ASSERT_LE(std::abs(sum - scaled), kUlp<T> * 2000) << column;
    }
  if (kIsComplex<T>) return;
  // The same values as real and imaginary parts.
  const OnDevice<T> again(a), parts(std::vector<T>(static_cast<size_t>(2 * n)));
  ASSERT_EQ(musolverDnXgeev(this->handle_, nullptr, MUSOLVER_EIG_MODE_NOVECTOR, MUSOLVER_EIG_MODE_NOVECTOR, n,
                            this->kType, again.get(), n, this->kType, parts.get(), this->kType, nullptr, 1,
                            this->kType, nullptr, 1, this->kType, work.get(), device, nullptr, host,
                            this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  const auto both = parts.fetch();
  Wide sum = 0, trace = 0;
  for (int i = 0; i < n; ++i) {
    sum += wide(both[static_cast<size_t>(i)]);
    trace += wide(a[static_cast<size_t>(i * n + i)]);
    EXPECT_LE(std::abs(wide(both[static_cast<size_t>(n + i)])), n);
  }
  EXPECT_LE(std::abs(sum - trace), kUlp<T> * 5000);
}

TYPED_TEST(MusolverWide, LargestSingularValues) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  const int m = Musolver<T>::m, n = Musolver<T>::n, k = 7, ldu = m + 3, ldv = n + 1;
  const auto a = randomNumbers<T>(static_cast<size_t>(m * n), 3);
  const OnDevice<T> matrix(a), u(std::vector<T>(static_cast<size_t>(ldu * k))),
      v(std::vector<T>(static_cast<size_t>(ldv * k)));
  const OnDevice<Real> s{std::vector<Real>(static_cast<size_t>(n))};
  size_t device = 0, host = 0;
  const auto size = [&](int count, int more) {
    return musolverDnXgesvdr_bufferSize(this->handle_, nullptr, 'S', 'S', m, n, count, more, 5, this->kType,
                                        matrix.get(), m, this->kRealType, s.get(), this->kType, u.get(), ldu,
                                        this->kType, v.get(), ldv, this->kType, &device, &host);
  };
  EXPECT_EQ(size(k, n), MUSOLVER_STATUS_INVALID_VALUE);
  ASSERT_EQ(size(k, 3), MUSOLVER_STATUS_SUCCESS);
  const OnDevice<char> work{std::vector<char>(device)};
  ASSERT_EQ(musolverDnXgesvdr(this->handle_, nullptr, 'S', 'S', m, n, k, 3, 5, this->kType, matrix.get(), m,
                              this->kRealType, s.get(), this->kType, u.get(), ldu, this->kType, v.get(), ldv,
                              this->kType, work.get(), device, nullptr, host, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  const auto values = s.fetch();
  const auto left = u.fetch(), right = v.fetch();
  EXPECT_TRUE(std::is_sorted(values.begin(), values.begin() + k, std::greater<>()));
  // A V = U S.
  for (int i = 0; i < k; ++i)
    for (int row = 0; row < m; ++row) {
      Wide sum = 0;
      for (int column = 0; column < n; ++column)
        sum += wide(a[static_cast<size_t>(column * m + row)]) *
               wide(right[static_cast<size_t>(i * ldv + column)]);
      const Wide expected =
          wide(left[static_cast<size_t>(i * ldu + row)]) * Wide(values[static_cast<size_t>(i)]);
      ASSERT_LE(std::abs(sum - expected), kUlp<T> * 500) << i;
    }
  EXPECT_GT(values[k - 1], Real(0));
}

}  // namespace
}  // namespace musashim::test
