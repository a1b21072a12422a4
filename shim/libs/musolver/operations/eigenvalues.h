// Some of the eigenvalues of a matrix, and those of a pair of matrices. Part of reductions.h.
#pragma once

#include "libs/musolver/operations/work.h"

namespace musashim::musolver {

inline bool isRange(musolverEigRange_t range) {
  return range >= MUSOLVER_EIG_RANGE_ALL && range <= MUSOLVER_EIG_RANGE_V;
}
inline bool isType(musolverEigType_t type) {
  return type >= MUSOLVER_EIG_TYPE_1 && type <= MUSOLVER_EIG_TYPE_3;
}

// Which eigenvalues: all, those by their numbers from 1, or those in (low, high].
template <class R>
struct Wanted {
  musolverEigRange_t range;
  R low, high;
  int first, last;

  bool fits(int n) const {
    if (!isRange(range)) return false;
    if (range == MUSOLVER_EIG_RANGE_V) return n == 0 || low < high;
    return range == MUSOLVER_EIG_RANGE_ALL || n == 0 || (first >= 1 && first <= last && last <= n);
  }
};

// The vectors take the place of the matrix. Returns LAPACK's answer.
template <class T>
int someEigenvalues(musolverEigMode_t jobz, mublasFillMode_t uplo, int n, T* A, int lda,
                    const Wanted<RealOf<T>>& wanted, int* found, RealOf<T>* W) {
  using V = ValueOf<T>;
  using R = RealOf<T>;
  const char job = letter(jobz), u = letter(uplo), range = "AIV"[wanted.range - MUSOLVER_EIG_RANGE_ALL];
  std::vector<V> vectors(static_cast<size_t>(std::max(1, n)) * static_cast<size_t>(std::max(1, n)));
  std::vector<R> values(static_cast<size_t>(std::max(1, n)));
  std::vector<int> support(2 * static_cast<size_t>(std::max(1, n))),
      integers(10 * static_cast<size_t>(std::max(1, n)));
  const int ldz = std::max(1, n), integersSize = static_cast<int>(integers.size());
  const R tolerance = 0;
  int result = 0;
  *found = 0;
  std::vector<R> reals(24 * static_cast<size_t>(std::max(1, n)));
  const int realsSize = static_cast<int>(reals.size());
  withWork<V>([&](V* work, int size) {
    if constexpr (kIsReal<T>)
      Lapack<T>::syevr(&job, &range, &u, &n, A, &lda, &wanted.low, &wanted.high, &wanted.first, &wanted.last,
                       &tolerance, found, values.data(), vectors.data(), &ldz, support.data(), work, &size,
                       integers.data(), &integersSize, &result, 1, 1, 1);
    else
      Lapack<T>::syevr(&job, &range, &u, &n, asValues(A), &lda, &wanted.low, &wanted.high, &wanted.first,
                       &wanted.last, &tolerance, found, values.data(), vectors.data(), &ldz, support.data(),
                       work, &size, reals.data(), &realsSize, integers.data(), &integersSize, &result, 1, 1,
                       1);
  });
  std::copy_n(values.begin(), *found, W);
  if (jobz == MUSOLVER_EIG_MODE_VECTOR)
    for (ptrdiff_t column = 0; column < *found; ++column)
      std::copy_n(vectors.begin() + column * n, n, asValues(A) + column * lda);
  return result;
}

template <class T>
musolverStatus_t syevdxSize(Settings&, musolverEigMode_t /*jobz*/, musolverEigRange_t /*range*/,
                            mublasFillMode_t /*uplo*/, int n, const T*, int /*lda*/, RealOf<T> /*vl*/,
                            RealOf<T> /*vu*/, int /*il*/, int /*iu*/, int*, const RealOf<T>*, int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t syevdx(Settings& self, musolverEigMode_t jobz, musolverEigRange_t range,
                        mublasFillMode_t uplo, int n, T* A, int lda, RealOf<T> vl, RealOf<T> vu, int il,
                        int iu, int* meig, RealOf<T>* W, T* /*work*/, int lwork, int* info) {
  const Wanted<RealOf<T>> wanted{range, vl, vu, il, iu};
  MUSOLVER_REQUIRE(isJob(jobz) && isFill(uplo) && n >= 0 && leads(lda, n) && wanted.fits(n) &&
                   holds(lwork, 1) && meig);
  // How many there are is told in host memory.
  return runNow(self, [=] { tell(info, someEigenvalues(jobz, uplo, n, A, lda, wanted, meig, W)); });
}
MUSOLVER_SAME_AS(heevdxSize, syevdxSize)
MUSOLVER_SAME_AS(heevdx, syevdx)

// -- A x = w B x and its like --

template <class T>
musolverStatus_t sygvdSize(Settings&, musolverEigType_t /*itype*/, musolverEigMode_t /*jobz*/,
                           mublasFillMode_t /*uplo*/, int n, const T*, int /*lda*/, const T*, int /*ldb*/,
                           const RealOf<T>*, int* lwork) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t sygvd(Settings& self, musolverEigType_t itype, musolverEigMode_t jobz, mublasFillMode_t uplo,
                       int n, T* A, int lda, T* B, int ldb, RealOf<T>* W, T* /*work*/, int lwork, int* info) {
  MUSOLVER_REQUIRE(isType(itype) && isJob(jobz) && isFill(uplo) && n >= 0 && leads(lda, n) && leads(ldb, n));
  MUSOLVER_REQUIRE(holds(lwork, 1));
  return enqueue(self, [=] {
    const char job = letter(jobz), u = letter(uplo);
    const int type = itype;
    const size_t size = static_cast<size_t>(n);
    std::vector<ValueOf<T>> work(1 + (6 + 2 * kBlock) * size + 2 * size * size);
    std::vector<int> integers(3 + 5 * size);
    const int workSize = static_cast<int>(work.size()), integersSize = static_cast<int>(integers.size());
    int result = 0;
    if constexpr (kIsReal<T>) {
      Lapack<T>::sygvd(&type, &job, &u, &n, A, &lda, B, &ldb, W, work.data(), &workSize, integers.data(),
                       &integersSize, &result, 1, 1);
    } else {
      std::vector<RealOf<T>> reals(1 + 5 * size + 2 * size * size);
      const int realsSize = static_cast<int>(reals.size());
      Lapack<T>::sygvd(&type, &job, &u, &n, asValues(A), &lda, asValues(B), &ldb, W, work.data(), &workSize,
                       reals.data(), &realsSize, integers.data(), &integersSize, &result, 1, 1);
    }
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(hegvdSize, sygvdSize)
MUSOLVER_SAME_AS(hegvd, sygvd)

// Makes of the pair a matrix with the same eigenvalues, and B's Cholesky factor. Returns 0, or n + the place
// where B is not definite.
template <class T>
int reducePair(musolverEigType_t itype, mublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb) {
  const char u = letter(uplo);
  const int type = itype;
  int result = 0;
  Lapack<T>::potrf(&u, &n, asValues(B), &ldb, &result, 1);
  if (result != 0) return n + result;
  Lapack<T>::sygst(&type, &u, &n, asValues(A), &lda, asValues(B), &ldb, &result, 1);
  return result;
}
// The pair's vectors from those of the reduced matrix.
template <class T>
void restoreVectors(musolverEigType_t itype, mublasFillMode_t uplo, int n, int count, T* A, int lda,
                    const T* B, int ldb) {
  using V = ValueOf<T>;
  const V* const factor = asValues(B);
  const bool upper = uplo == MUBLAS_FILL_MODE_UPPER, solves = itype != MUSOLVER_EIG_TYPE_3;
  const auto element = [&](ptrdiff_t row, ptrdiff_t column) { return factor[column * ldb + row]; };
  const auto conjugate = [](V value) {
    if constexpr (kIsReal<T>)
      return value;
    else
      return std::conj(value);
  };
  for (ptrdiff_t i = 0; i < count; ++i) {
    V* const x = asValues(A) + i * lda;
    if (solves) {
      // U x = y, or L^H x = y: both from below.
      for (ptrdiff_t row = n - 1; row >= 0; --row) {
        V sum = x[row];
        for (ptrdiff_t k = row + 1; k < n; ++k)
          sum -= (upper ? element(row, k) : conjugate(element(k, row))) * x[k];
        x[row] = sum / (upper ? element(row, row) : conjugate(element(row, row)));
      }
    } else {
      // x = U^H y, or L y: from below as well.
      for (ptrdiff_t row = n - 1; row >= 0; --row) {
        V sum(0);
        for (ptrdiff_t k = 0; k <= row; ++k)
          sum += (upper ? conjugate(element(k, row)) : element(row, k)) * x[k];
        x[row] = sum;
      }
    }
  }
}

template <class T>
musolverStatus_t sygvdxSize(Settings& self, musolverEigType_t /*itype*/, musolverEigMode_t jobz,
                            musolverEigRange_t range, mublasFillMode_t uplo, int n, const T* A, int lda,
                            const T*, int /*ldb*/, RealOf<T> vl, RealOf<T> vu, int il, int iu, int* meig,
                            const RealOf<T>* W, int* lwork) {
  return syevdxSize(self, jobz, range, uplo, n, A, lda, vl, vu, il, iu, meig, W, lwork);
}
template <class T>
musolverStatus_t sygvdx(Settings& self, musolverEigType_t itype, musolverEigMode_t jobz,
                        musolverEigRange_t range, mublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb,
                        RealOf<T> vl, RealOf<T> vu, int il, int iu, int* meig, RealOf<T>* W, T* /*work*/,
                        int lwork, int* info) {
  const Wanted<RealOf<T>> wanted{range, vl, vu, il, iu};
  MUSOLVER_REQUIRE(isType(itype) && isJob(jobz) && isFill(uplo) && n >= 0 && leads(lda, n) && leads(ldb, n));
  MUSOLVER_REQUIRE(wanted.fits(n) && holds(lwork, 1) && meig);
  return runNow(self, [=] {
    *meig = 0;
    int result = reducePair(itype, uplo, n, A, lda, B, ldb);
    if (result == 0) result = someEigenvalues(jobz, uplo, n, A, lda, wanted, meig, W);
    if (result == 0 && jobz == MUSOLVER_EIG_MODE_VECTOR)
      restoreVectors(itype, uplo, n, *meig, A, lda, B, ldb);
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(hegvdxSize, sygvdxSize)
MUSOLVER_SAME_AS(hegvdx, sygvdx)

}  // namespace musashim::musolver
