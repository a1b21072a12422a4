#include <gtest/gtest.h>
#include <musolverDn.h>

#include <array>
#include <vector>

#include "musolver/support.h"

namespace musashim::test {
namespace {

template <class T>
class MusolverDense : public Musolver<T> {};
TYPED_TEST_SUITE(MusolverDense, SolverTypes);

TYPED_TEST(MusolverDense, CholeskyAndItsSolutions) {
  using T = TypeParam;
  const int n = this->n, columns = 3;
  const auto a = this->definite(), b = randomNumbers<T>(static_cast<size_t>(n * columns), 2);
  for (const auto uplo : {MUBLAS_FILL_MODE_LOWER, MUBLAS_FILL_MODE_UPPER}) {
    const OnDevice<T> factor(a), x(b);
    ASSERT_EQ(MUSOLVER_CALL(T, potrf_bufferSize, potrf_bufferSize)(this->handle_, uplo, n, factor.api(), n,
                                                                   &this->size_),
              MUSOLVER_STATUS_SUCCESS);
    const OnDevice<T> work(std::vector<T>(static_cast<size_t>(this->size_)));
    ASSERT_EQ(MUSOLVER_CALL(T, potrf, potrf)(this->handle_, uplo, n, factor.api(), n, work.api(), this->size_,
                                             this->info_.get()),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(this->info_.fetch()[0], 0);
    ASSERT_EQ(MUSOLVER_CALL(T, potrs, potrs)(this->handle_, uplo, n, columns, factor.api(), n, x.api(), n,
                                             this->info_.get()),
              MUSOLVER_STATUS_SUCCESS);
    expectNear(b, this->product(a, x.fetch(), n, n, columns), 500, "A x");
    ASSERT_EQ(MUSOLVER_CALL(T, potri, potri)(this->handle_, uplo, n, factor.api(), n, work.api(), this->size_,
                                             this->info_.get()),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(this->info_.fetch()[0], 0);
  }
  auto indefinite = a;
  indefinite[static_cast<size_t>(2 * n + 2)] = T(-1);
  const OnDevice<T> bad(indefinite), work(std::vector<T>(static_cast<size_t>(this->size_)));
  ASSERT_EQ(MUSOLVER_CALL(T, potrf, potrf)(this->handle_, MUBLAS_FILL_MODE_LOWER, n, bad.api(), n, work.api(),
                                           this->size_, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 3);
}

TYPED_TEST(MusolverDense, LuWithAndWithoutExchanges) {
  using T = TypeParam;
  const int n = this->n, columns = 2;
  const auto b = randomNumbers<T>(static_cast<size_t>(n * columns), 2);
  for (const bool exchanges : {true, false}) {
    const auto a = exchanges ? randomNumbers<T>(static_cast<size_t>(n * n), 1) : this->definite();
    for (const auto op : {MUBLAS_OP_N, MUBLAS_OP_C}) {
      const OnDevice<T> factor(a), x(b);
      const OnDevice<int> order(std::vector<int>(static_cast<size_t>(n)));
      int* const pivots = exchanges ? order.get() : nullptr;
      ASSERT_EQ(MUSOLVER_CALL(T, getrf_bufferSize, getrf_bufferSize)(this->handle_, n, n, factor.api(), n,
                                                                     &this->size_),
                MUSOLVER_STATUS_SUCCESS);
      const OnDevice<T> work(std::vector<T>(static_cast<size_t>(this->size_)));
      ASSERT_EQ(MUSOLVER_CALL(T, getrf, getrf)(this->handle_, n, n, factor.api(), n, work.api(), pivots,
                                               this->info_.get()),
                MUSOLVER_STATUS_SUCCESS);
      ASSERT_EQ(MUSOLVER_CALL(T, getrs, getrs)(this->handle_, op, n, columns, factor.api(), n, pivots,
                                               x.api(), n, this->info_.get()),
                MUSOLVER_STATUS_SUCCESS);
      EXPECT_EQ(this->info_.fetch()[0], 0);
      expectNear(b, this->product(a, x.fetch(), n, n, columns, op == MUBLAS_OP_C), 5e4, "op(A) x");
    }
  }
}

TYPED_TEST(MusolverDense, Qr) {
  using T = TypeParam;
  const int n = this->n, m = this->m;
  const auto a = randomNumbers<T>(static_cast<size_t>(m * n), 1);
  const OnDevice<T> q(a), tau(std::vector<T>(static_cast<size_t>(n))), rotated(a);
  ASSERT_EQ(
      MUSOLVER_CALL(T, geqrf_bufferSize, geqrf_bufferSize)(this->handle_, m, n, q.api(), m, &this->size_),
      MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> work(std::vector<T>(static_cast<size_t>(this->size_)));
  ASSERT_EQ(MUSOLVER_CALL(T, geqrf, geqrf)(this->handle_, m, n, q.api(), m, tau.api(), work.api(),
                                           this->size_, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  // Q^H A is R.
  const auto adjoint = kIsComplex<T> ? MUBLAS_OP_C : MUBLAS_OP_T;
  int size = 0;
  ASSERT_EQ(MUSOLVER_CALL(T, ormqr_bufferSize, unmqr_bufferSize)(
                this->handle_, MUBLAS_SIDE_LEFT, adjoint, m, n, n,
                static_cast<const typename Api<T>::Type*>(q.api()), m,
                static_cast<const typename Api<T>::Type*>(tau.api()),
                static_cast<const typename Api<T>::Type*>(rotated.api()), m, &size),
            MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> more(std::vector<T>(static_cast<size_t>(size)));
  ASSERT_EQ(MUSOLVER_CALL(T, ormqr, unmqr)(this->handle_, MUBLAS_SIDE_LEFT, adjoint, m, n, n,
                                           static_cast<const typename Api<T>::Type*>(q.api()), m,
                                           static_cast<const typename Api<T>::Type*>(tau.api()),
                                           rotated.api(), m, more.api(), size, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  const auto r = q.fetch(), turned = rotated.fetch();
  std::vector<T> square(static_cast<size_t>(n * n));
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      const auto place = static_cast<size_t>(column * m + row);
      const T expected = row <= column ? r[place] : T(0);
      EXPECT_LT(std::abs(turned[place] - expected), 1000 * kUlp<T>);
      if (row <= column) square[static_cast<size_t>(column * n + row)] = r[place];
    }
  ASSERT_EQ(MUSOLVER_CALL(T, orgqr_bufferSize, ungqr_bufferSize)(
                this->handle_, m, n, n, static_cast<const typename Api<T>::Type*>(q.api()), m,
                static_cast<const typename Api<T>::Type*>(tau.api()), &size),
            MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> again(std::vector<T>(static_cast<size_t>(size)));
  ASSERT_EQ(MUSOLVER_CALL(T, orgqr, ungqr)(this->handle_, m, n, n, q.api(), m,
                                           static_cast<const typename Api<T>::Type*>(tau.api()), again.api(),
                                           size, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  expectNear(a, this->product(q.fetch(), square, m, n, n), 1000, "Q R");
}

TYPED_TEST(MusolverDense, Eigenvalues) {
  using T = TypeParam;
  using Real = typename TestFixture::Real;
  const int n = this->n;
  const auto a = this->definite();
  const OnDevice<T> vectors(a);
  const OnDevice<Real> values(std::vector<Real>(static_cast<size_t>(n)));
  const auto mode = MUSOLVER_EIG_MODE_VECTOR;
  ASSERT_EQ(MUSOLVER_CALL(T, syevd_bufferSize, heevd_bufferSize)(
                this->handle_, mode, MUBLAS_FILL_MODE_LOWER, n,
                static_cast<const typename Api<T>::Type*>(vectors.api()), n,
                static_cast<const Real*>(values.get()), &this->size_),
            MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> work(std::vector<T>(static_cast<size_t>(this->size_)));
  ASSERT_EQ(MUSOLVER_CALL(T, syevd, heevd)(this->handle_, mode, MUBLAS_FILL_MODE_LOWER, n, vectors.api(), n,
                                           values.get(), work.api(), this->size_, this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  const auto v = vectors.fetch();
  const auto w = values.fetch();
  const auto av = this->product(a, v, n, n, n);
  for (int column = 0; column < n; ++column) {
    if (column > 0) EXPECT_LE(w[static_cast<size_t>(column - 1)], w[static_cast<size_t>(column)]);
    for (int row = 0; row < n; ++row) {
      const auto place = static_cast<size_t>(column * n + row);
      EXPECT_LT(
          std::abs(av[place] - wide(v[place]) * static_cast<long double>(w[static_cast<size_t>(column)])),
          5000 * kUlp<T>);
    }
  }
}

TYPED_TEST(MusolverDense, SingularValues) {
  using T = TypeParam;
  using Real = typename TestFixture::Real;
  const int n = this->n, m = this->m;
  const auto a = randomNumbers<T>(static_cast<size_t>(m * n), 1);
  const OnDevice<T> input(a), u(std::vector<T>(static_cast<size_t>(m * m))),
      vt(std::vector<T>(static_cast<size_t>(n * n)));
  const OnDevice<Real> s(std::vector<Real>(static_cast<size_t>(n)));
  ASSERT_EQ(MUSOLVER_CALL(T, gesvd_bufferSize, gesvd_bufferSize)(this->handle_, m, n, &this->size_),
            MUSOLVER_STATUS_SUCCESS);
  const OnDevice<T> work(std::vector<T>(static_cast<size_t>(this->size_)));
  const auto all = static_cast<signed char>('A');
  ASSERT_EQ(MUSOLVER_CALL(T, gesvd, gesvd)(this->handle_, all, all, m, n, input.api(), m, s.get(), u.api(), m,
                                           vt.api(), n, work.api(), this->size_, static_cast<Real*>(nullptr),
                                           this->info_.get()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(this->info_.fetch()[0], 0);
  auto scaled = vt.fetch();
  const auto values = s.fetch();
  for (size_t i = 0; i < scaled.size(); ++i) scaled[i] *= values[i % static_cast<size_t>(n)];
  auto left = u.fetch();
  left.resize(static_cast<size_t>(m * n));  // the first n columns
  expectNear(a, this->product(left, scaled, m, n, n), 2000, "U S V^H");
  // As an H100 answers: the size of a wide matrix is given, the work on it refused.
  EXPECT_EQ(MUSOLVER_CALL(T, gesvd_bufferSize, gesvd_bufferSize)(this->handle_, n, m, &this->size_),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(MUSOLVER_CALL(T, gesvd, gesvd)(this->handle_, all, all, n, m, input.api(), n, s.get(), u.api(), n,
                                           vt.api(), m, work.api(), this->size_, static_cast<Real*>(nullptr),
                                           this->info_.get()),
            MUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(MusolverDense, BadArguments) {
  using T = TypeParam;
  const OnDevice<T> a(std::vector<T>(16));
  musolverDnHandle_t none = nullptr;
  EXPECT_EQ(MUSOLVER_CALL(T, potrf_bufferSize, potrf_bufferSize)(none, MUBLAS_FILL_MODE_LOWER, 4, a.api(), 4,
                                                                 &this->size_),
            MUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(MUSOLVER_CALL(T, potrf_bufferSize, potrf_bufferSize)(this->handle_, MUBLAS_FILL_MODE_FULL, 4,
                                                                 a.api(), 4, &this->size_),
            MUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(
      MUSOLVER_CALL(T, getrf_bufferSize, getrf_bufferSize)(this->handle_, 4, -1, a.api(), 4, &this->size_),
      MUSOLVER_STATUS_SUCCESS);  // as an H100 answers: getrf itself refuses the size
  EXPECT_EQ(MUSOLVER_CALL(T, geqrf, geqrf)(this->handle_, 4, 4, a.api(), 3, a.api(), a.api(), 16,
                                           this->info_.get()),
            MUSOLVER_STATUS_INVALID_VALUE);
}

TEST(MusolverHandles, StreamsAndVersions) {
  musolverDnHandle_t handle = nullptr;
  musaStream_t stream = nullptr;
  ASSERT_EQ(musolverDnCreate(&handle), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnSetStream(handle, musaStreamPerThread), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnGetStream(handle, &stream), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(stream, musaStreamPerThread);
  EXPECT_EQ(musolverDnDestroy(handle), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(musolverDnDestroy(handle), MUSOLVER_STATUS_NOT_INITIALIZED);
  int version = 0;
  EXPECT_EQ(musolverGetVersion(&version), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(version, MUSOLVER_VERSION);
  EXPECT_EQ(musolverGetProperty(MINOR_VERSION, &version), MUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(version, MUSOLVER_VER_MINOR);
}

}  // namespace
}  // namespace musashim::test
