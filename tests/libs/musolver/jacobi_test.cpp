#include <gtest/gtest.h>
#include <musolverDn.h>

#include "musolver/support.h"

namespace musashim::test {
namespace {

template <class T>
class MusolverJacobi : public Musolver<T> {};
TYPED_TEST_SUITE(MusolverJacobi, SolverTypes);

// A V = V W, and the same values as by LAPACK.
TYPED_TEST(MusolverJacobi, EigenvaluesOfOneAndOfMany) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  const int n = 14, count = 2;
  std::vector<T> all;
  for (int i = 0; i < count; ++i) {
    const auto one = this->hermitian(n, static_cast<unsigned>(i + 1));
    all.insert(all.end(), one.begin(), one.end());
  }
  syevjInfo_t params = nullptr;
  ASSERT_EQ(musolverDnCreateSyevjInfo(&params), MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> vectors(all), work(std::vector<T>(4096));
  const OnDevice<Real> values{std::vector<Real>(static_cast<size_t>(n * count))};
  const OnDevice<int> info(std::vector<int>(count, 7));
  ASSERT_EQ(MUSOLVER_CALL(T, syevjBatched, heevjBatched)(
                this->handle_, MUSOLVER_EIG_MODE_VECTOR, MUBLAS_FILL_MODE_LOWER, n, vectors.api(), n,
                values.get(), work.api(), 4096, info.get(), params, count),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(info.fetch(), (std::vector<int>(count, 0)));
  double residual = -1;
  EXPECT_EQ(musolverDnXsyevjGetResidual(this->handle_, params, &residual), MUSOLVER_STATUS_NOT_SUPPORTED);
  for (int i = 0; i < count; ++i)
    this->expectEigenpairs(Musolver<T>::part(all, i, n * n), Musolver<T>::part(vectors.fetch(), i, n * n),
                           Musolver<T>::part(values.fetch(), i, n), n);
  // Alone there is a residual to be told.
  const OnDevice<T> again(Musolver<T>::part(all, 0, n * n));
  ASSERT_EQ(
      MUSOLVER_CALL(T, syevj, heevj)(this->handle_, MUSOLVER_EIG_MODE_VECTOR, MUBLAS_FILL_MODE_UPPER, n,
                                     again.api(), n, values.get(), work.api(), 4096, info.get(), params),
      MUSOLVER_STATUS_SUCCESS);
  int sweeps = 0;
  EXPECT_EQ(musolverDnXsyevjGetResidual(this->handle_, params, &residual), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnXsyevjGetSweeps(this->handle_, params, &sweeps), MUSOLVER_STATUS_SUCCESS);
  EXPECT_LT(residual, kUlp<T> * 100 * n);
  EXPECT_GT(sweeps, 1);
  // One sweep is too little.
  EXPECT_EQ(musolverDnXsyevjSetMaxSweeps(params, 1), MUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(MUSOLVER_CALL(T, syevj, heevj)(this->handle_, MUSOLVER_EIG_MODE_NOVECTOR, MUBLAS_FILL_MODE_UPPER,
                                           n, OnDevice<T>(all).api(), n, values.get(), work.api(), 4096,
                                           info.get(), params),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(info.fetch()[0], n + 1);
  EXPECT_EQ(musolverDnDestroySyevjInfo(params), MUSOLVER_STATUS_SUCCESS);
}

// U S V^H = A of tall and of wide matrices; the columns of whole U are orthonormal.
TYPED_TEST(MusolverJacobi, SingularValues) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  gesvdjInfo_t params = nullptr;
  ASSERT_EQ(musolverDnCreateGesvdjInfo(&params), MUSOLVER_STATUS_SUCCESS);
  for (const auto& [m, n] : {std::pair{11, 7}, std::pair{7, 11}})
    for (const int econ : {0, 1}) {
      const int count = std::min(m, n), columnsU = econ ? count : m, columnsV = econ ? count : n;
      const auto a = randomNumbers<T>(static_cast<size_t>(m * n), 3);
      const OnDevice<T> matrix(a), u{std::vector<T>(static_cast<size_t>(m * m))},
          v{std::vector<T>(static_cast<size_t>(n * n))}, work(std::vector<T>(4096));
      const OnDevice<Real> s{std::vector<Real>(static_cast<size_t>(count))};
      ASSERT_EQ(MUSOLVER_CALL(T, gesvdj, gesvdj)(this->handle_, MUSOLVER_EIG_MODE_VECTOR, econ, m, n,
                                                 matrix.api(), m, s.get(), u.api(), m, v.api(), n, work.api(),
                                                 4096, this->info_.get(), params),
                MUSOLVER_STATUS_SUCCESS);
      EXPECT_EQ(this->info_.fetch()[0], 0);
      const auto left = u.fetch(), right = v.fetch();
      const auto sizes = s.fetch();
      for (int i = 1; i < count; ++i)
        EXPECT_GE(sizes[static_cast<size_t>(i - 1)], sizes[static_cast<size_t>(i)]);
      std::vector<Wide> product(a.size());
      for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column)
          for (int k = 0; k < count; ++k)
            product[static_cast<size_t>(column * m + row)] +=
                wide(left[static_cast<size_t>(k * m + row)]) * wide(sizes[static_cast<size_t>(k)]) *
                std::conj(wide(right[static_cast<size_t>(k * n + column)]));
      expectNear(a, product, 300, "U S V^H");
      Musolver<T>::expectOrthonormal(left, m, columnsU);
      Musolver<T>::expectOrthonormal(right, n, columnsV);
    }
  EXPECT_EQ(musolverDnDestroyGesvdjInfo(params), MUSOLVER_STATUS_SUCCESS);
}

// A x = w B x.
TYPED_TEST(MusolverJacobi, PairsOfMatrices) {
  using T = TypeParam;
  using Real = typename Musolver<T>::Real;
  const int n = Musolver<T>::n;
  const auto a = this->hermitian(n, 5), b = this->definite();
  syevjInfo_t params = nullptr;
  ASSERT_EQ(musolverDnCreateSyevjInfo(&params), MUSOLVER_STATUS_SUCCESS);
  for (const bool rotates : {false, true})
    for (const auto fill : {MUBLAS_FILL_MODE_LOWER, MUBLAS_FILL_MODE_UPPER}) {
      const OnDevice<T> x(a), factor(b), work(std::vector<T>(16384));
      const OnDevice<Real> values{std::vector<Real>(static_cast<size_t>(n))};
      if (rotates) {
        ASSERT_EQ(MUSOLVER_CALL(T, sygvj, hegvj)(this->handle_, MUSOLVER_EIG_TYPE_1, MUSOLVER_EIG_MODE_VECTOR,
                                                 fill, n, x.api(), n, factor.api(), n, values.get(),
                                                 work.api(), 16384, this->info_.get(), params),
                  MUSOLVER_STATUS_SUCCESS);
      } else {
        ASSERT_EQ(MUSOLVER_CALL(T, sygvd, hegvd)(this->handle_, MUSOLVER_EIG_TYPE_1, MUSOLVER_EIG_MODE_VECTOR,
                                                 fill, n, x.api(), n, factor.api(), n, values.get(),
                                                 work.api(), 16384, this->info_.get()),
                  MUSOLVER_STATUS_SUCCESS);
      }
      EXPECT_EQ(this->info_.fetch()[0], 0);
      const auto vectors = x.fetch();
      const auto w = values.fetch();
      const auto left = this->product(a, vectors, n, n, n), right = this->product(b, vectors, n, n, n);
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < n; ++row) {
          const auto at = static_cast<size_t>(column * n + row);
          EXPECT_LE(std::abs(left[at] - right[at] * wide(w[static_cast<size_t>(column)])), kUlp<T> * 2000);
        }
    }
  EXPECT_EQ(musolverDnDestroySyevjInfo(params), MUSOLVER_STATUS_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
