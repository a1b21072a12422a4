#include <gtest/gtest.h>
#include <musolverDn.h>

#include "musolver/support.h"

namespace musashim::test {
namespace {

template <class T>
class MusolverReductions : public Musolver<T> {};
TYPED_TEST_SUITE(MusolverReductions, SolverTypes);

// Q T Q^H = A, with Q by itself and as a factor.
TYPED_TEST(MusolverReductions, ThreeDiagonals) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  const int n = 12;
  const auto a = this->hermitian(n, 1);
  for (const auto fill : {MUBLAS_FILL_MODE_LOWER, MUBLAS_FILL_MODE_UPPER}) {
    const OnDevice<T> q(a), tau{std::vector<T>(static_cast<size_t>(n))}, work(std::vector<T>(4096));
    const OnDevice<Real> d{std::vector<Real>(static_cast<size_t>(n))},
        e{std::vector<Real>(static_cast<size_t>(n))};
    ASSERT_EQ(MUSOLVER_CALL(T, sytrd, hetrd)(this->handle_, fill, n, q.api(), n, d.get(), e.get(), tau.api(),
                                             work.api(), 4096, this->info_.get()),
              MUSOLVER_STATUS_SUCCESS);
    std::vector<T> unit(static_cast<size_t>(n * n));
    for (int i = 0; i < n; ++i) unit[static_cast<size_t>(i * n + i)] = T(1);
    const OnDevice<T> rotated(unit);
    ASSERT_EQ(
        MUSOLVER_CALL(T, ormtr, unmtr)(this->handle_, MUBLAS_SIDE_LEFT, fill, MUBLAS_OP_N, n, n, q.api(), n,
                                       tau.api(), rotated.api(), n, work.api(), 4096, this->info_.get()),
        MUSOLVER_STATUS_SUCCESS);
    ASSERT_EQ(MUSOLVER_CALL(T, orgtr, ungtr)(this->handle_, fill, n, q.api(), n, tau.api(), work.api(), 4096,
                                             this->info_.get()),
              MUSOLVER_STATUS_SUCCESS);
    const auto vectors = q.fetch();
    expectNear(vectors, this->widened(rotated.fetch()), 40, "Q");
    const auto diagonal = d.fetch(), beside = e.fetch();
    std::vector<T> three(static_cast<size_t>(n * n));
    for (int i = 0; i < n; ++i) {
      three[static_cast<size_t>(i * n + i)] = T(diagonal[static_cast<size_t>(i)]);
      if (i + 1 == n) continue;
      three[static_cast<size_t>(i * n + i + 1)] = three[static_cast<size_t>((i + 1) * n + i)] =
          T(beside[static_cast<size_t>(i)]);
    }
    // A Q = Q T.
    const auto left = this->product(a, vectors, n, n, n), right = this->product(vectors, three, n, n, n);
    for (size_t i = 0; i < left.size(); ++i) EXPECT_LE(std::abs(left[i] - right[i]), kUlp<T> * 200);
  }
}

TYPED_TEST(MusolverReductions, WideInterface) {
  using T = TypeParam;
  const musaDataType type = std::is_same_v<T, float>          ? MUSA_R_32F
                            : std::is_same_v<T, double>       ? MUSA_R_64F
                            : std::is_same_v<T, ComplexFloat> ? MUSA_C_32F
                                                              : MUSA_C_64F;
  const int n = Musolver<T>::n;
  musolverDnParams_t params = nullptr;
  ASSERT_EQ(musolverDnCreateParams(&params), MUSOLVER_STATUS_SUCCESS);
  const auto a = randomNumbers<T>(static_cast<size_t>(n * n), 1),
             b = randomNumbers<T>(static_cast<size_t>(n), 2);
  const OnDevice<T> factor(a), x(b);
  const OnDevice<int64_t> pivots{std::vector<int64_t>(static_cast<size_t>(n))};
  size_t device = 0, host = 0;
  ASSERT_EQ(
      musolverDnXgetrf_bufferSize(this->handle_, params, n, n, type, factor.get(), n, type, &device, &host),
      MUSOLVER_STATUS_SUCCESS);
  const OnDevice<char> work{std::vector<char>(device)};
  ASSERT_EQ(musolverDnXgetrf(this->handle_, params, n, n, type, factor.get(), n, pivots.get(), type,
                             work.get(), device, nullptr, host, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(musolverDnXgetrs(this->handle_, params, MUBLAS_OP_N, n, 1, type, factor.get(), n, pivots.get(),
                             type, x.get(), n, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  expectNear(b, this->product(a, x.fetch(), n, n, 1), 5e4, "A x");
  EXPECT_EQ(musolverDnXgetrf_bufferSize(this->handle_, params, n, n, MUSA_R_16F, factor.get(), n, MUSA_R_16F,
                                        &device, &host),
            MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(musolverDnDestroyParams(params), MUSOLVER_STATUS_SUCCESS);
}

// Factors of single precision, results of double.
TEST(MusolverRefinement, ResultsAreOfTheMatrixPrecision) {
  musolverDnHandle_t handle = nullptr;
  ASSERT_EQ(musolverDnCreate(&handle), MUSOLVER_STATUS_SUCCESS);
  const int n = 30;
  auto a = randomNumbers<double>(static_cast<size_t>(n * n), 1);
  for (int i = 0; i < n; ++i) a[static_cast<size_t>(i * n + i)] += n;
  const auto b = randomNumbers<double>(static_cast<size_t>(n), 2);
  const OnDevice<double> matrix(a), right(b), x{std::vector<double>(static_cast<size_t>(n))};
  const OnDevice<int> pivots{std::vector<int>(static_cast<size_t>(n))}, info(std::vector<int>{7});
  size_t bytes = 0;
  ASSERT_EQ(musolverDnDSgesv_bufferSize(handle, n, 1, matrix.get(), n, pivots.get(), right.get(), n, x.get(),
                                        n, nullptr, &bytes),
            MUSOLVER_STATUS_SUCCESS);
  const OnDevice<char> work{std::vector<char>(bytes)};
  int steps = -7;
  ASSERT_EQ(musolverDnDSgesv(handle, n, 1, matrix.get(), n, pivots.get(), right.get(), n, x.get(), n,
                             work.get(), bytes, &steps, info.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(info.fetch()[0], 0);
  EXPECT_GT(steps, 0);
  expectNear(b, referenceGemm<double>(MUBLAS_OP_N, MUBLAS_OP_N, n, 1, n, 1, a, n, x.fetch(), n, 0, b, n), 100,
             "A x");
  EXPECT_EQ(musolverDnDestroy(handle), MUSOLVER_STATUS_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
