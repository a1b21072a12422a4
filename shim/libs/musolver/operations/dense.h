// Factorisations, solutions, eigenvalues and singular values of one dense matrix. What became of it is told
// at `devInfo` on the device, in LAPACK's numbers. Work areas are LAPACK's own on the host; the sizes that
// are told are those that its blocks would need, and a smaller work area is refused.
#pragma once

#include "libs/musolver/operations/work.h"

namespace musashim::musolver {

// -- Cholesky --

template <class T>
musolverStatus_t potrfSize(Settings&, mublasFillMode_t uplo, int n, T* /*A*/, int /*lda*/, int* Lwork) {
  return answer(isFill(uplo), Lwork, n);
}

template <class T>
musolverStatus_t potrf(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, T* /*Workspace*/,
                       int Lwork, int* devInfo) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(Lwork, 1));
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int info = 0;
    Lapack<T>::potrf(&u, &n, asValues(A), &lda, &info, 1);
    tell(devInfo, info);
  });
}

template <class T>
musolverStatus_t potrs(Settings& self, mublasFillMode_t uplo, int n, int nrhs, const T* A, int lda, T* B,
                       int ldb, int* devInfo) {
  // As LAPACK does, it says in `devInfo` which argument is wrong.
  const int wrong = n < 0 ? 2 : nrhs < 0 ? 3 : !leads(lda, n) ? 5 : !leads(ldb, n) ? 7 : 0;
  if (wrong != 0) enqueue(self, [=] { tell(devInfo, -wrong); });
  MUSOLVER_REQUIRE(isFill(uplo) && wrong == 0);
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int info = 0;
    Lapack<T>::potrs(&u, &n, &nrhs, asValues(A), &lda, asValues(B), &ldb, &info, 1);
    tell(devInfo, info);
  });
}

template <class T>
musolverStatus_t potriSize(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, int* lwork) {
  return potrfSize(self, uplo, n, A, lda, lwork);
}

template <class T>
musolverStatus_t potri(Settings& self, mublasFillMode_t uplo, int n, T* A, int lda, T* /*work*/, int lwork,
                       int* devInfo) {
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, 1));
  return enqueue(self, [=] {
    const char u = letter(uplo);
    int info = 0;
    Lapack<T>::potri(&u, &n, asValues(A), &lda, &info, 1);
    tell(devInfo, info);
  });
}

// -- LU --

template <class T>
musolverStatus_t getrfSize(Settings&, int /*m*/, int n, T* /*A*/, int /*lda*/, int* Lwork) {
  return answer(true, Lwork, n);
}

// LU without exchanges of rows. Returns the place of the first pivot that is 0, from 1, or 0.
template <class V>
int factorWithoutPivots(V* matrix, int m, int n, int ld) {
  int singular = 0;
  for (ptrdiff_t step = 0; step < std::min(m, n); ++step) {
    V* const pivot = matrix + step * ld;
    if (pivot[step] == V(0)) {
      if (singular == 0) singular = static_cast<int>(step) + 1;
      continue;
    }
    for (ptrdiff_t row = step + 1; row < m; ++row) pivot[row] /= pivot[step];
    for (ptrdiff_t column = step + 1; column < n; ++column) {
      V* const to = matrix + column * ld;
      for (ptrdiff_t row = step + 1; row < m; ++row) to[row] -= pivot[row] * to[step];
    }
  }
  return singular;
}

template <class T>
musolverStatus_t getrf(Settings& self, int m, int n, T* A, int lda, T* /*Workspace*/, int* devIpiv,
                       int* devInfo) {
  MUSOLVER_REQUIRE(m >= 0 && n >= 0 && leads(lda, m));
  return enqueue(self, [=] {
    int info = 0;
    if (devIpiv) {
      Lapack<T>::getrf(&m, &n, asValues(A), &lda, devIpiv, &info);
    } else {
      info = factorWithoutPivots(asValues(A), m, n, lda);
    }
    tell(devInfo, info);
  });
}

template <class T>
musolverStatus_t getrs(Settings& self, mublasOperation_t trans, int n, int nrhs, const T* A, int lda,
                       const int* devIpiv, T* B, int ldb, int* devInfo) {
  MUSOLVER_REQUIRE(isOperation(trans) && n >= 0 && nrhs >= 0 && leads(lda, n) && leads(ldb, n));
  if (n == 0) return MUSOLVER_STATUS_SUCCESS;
  return enqueue(self, [=] {
    std::vector<int> unmoved(devIpiv ? 0 : static_cast<size_t>(n));
    for (size_t i = 0; i < unmoved.size(); ++i) unmoved[i] = static_cast<int>(i) + 1;
    const char t = letter(trans);
    int info = 0;
    Lapack<T>::getrs(&t, &n, &nrhs, asValues(A), &lda, devIpiv ? devIpiv : unmoved.data(), asValues(B), &ldb,
                     &info, 1);
    tell(devInfo, info);
  });
}

// -- QR --

template <class T>
musolverStatus_t geqrfSize(Settings&, int /*m*/, int n, T* /*A*/, int /*lda*/, int* lwork) {
  return answer(true, lwork, n);
}

template <class T>
musolverStatus_t geqrf(Settings& self, int m, int n, T* A, int lda, T* TAU, T* /*Workspace*/, int Lwork,
                       int* devInfo) {
  MUSOLVER_REQUIRE(m >= 0 && n >= 0 && leads(lda, m) && holds(Lwork, n));
  return enqueue(self, [=] {
    std::vector<ValueOf<T>> work(static_cast<size_t>(std::max(1, n * kBlock)));
    const int size = static_cast<int>(work.size());
    int info = 0;
    Lapack<T>::geqrf(&m, &n, asValues(A), &lda, asValues(TAU), work.data(), &size, &info);
    tell(devInfo, info);
  });
}

template <class T>
musolverStatus_t orgqrSize(Settings&, int m, int n, int k, const T* /*A*/, int lda, const T* /*tau*/,
                           int* lwork) {
  return answer(k >= 0 && n >= k && m >= n && leads(lda, m), lwork, n);
}

template <class T>
musolverStatus_t orgqr(Settings& self, int m, int n, int k, T* A, int lda, const T* tau, T* /*work*/,
                       int lwork, int* info) {
  MUSOLVER_REQUIRE(k >= 0 && n >= k && m >= n && leads(lda, m) && holds(lwork, n));
  return enqueue(self, [=] {
    std::vector<ValueOf<T>> work(static_cast<size_t>(std::max(1, n * kBlock)));
    const int size = static_cast<int>(work.size());
    int result = 0;
    Lapack<T>::orgqr(&m, &n, &k, asValues(A), &lda, asValues(tau), work.data(), &size, &result);
    tell(info, result);
  });
}

// What a product with the Q of k reflectors asks of its arguments.
template <class T>
bool isProduct(mublasSideMode_t side, mublasOperation_t trans, int m, int n, int k, int lda, int ldc) {
  const bool left = side == MUBLAS_SIDE_LEFT;
  const bool isReal = std::is_same_v<ValueOf<T>, RealOf<T>>;
  return (left || side == MUBLAS_SIDE_RIGHT) && isOperation(trans) && (isReal || trans != MUBLAS_OP_T) &&
         m >= 0 && n >= 0 && k >= 0 && k <= (left ? m : n) && leads(lda, left ? m : n) && leads(ldc, m);
}

template <class T>
musolverStatus_t ormqrSize(Settings&, mublasSideMode_t side, mublasOperation_t trans, int m, int n, int k,
                           const T* /*A*/, int lda, const T* /*tau*/, const T* /*C*/, int ldc, int* lwork) {
  return answer(isProduct<T>(side, trans, m, n, k, lda, ldc), lwork, side == MUBLAS_SIDE_LEFT ? n : m);
}

template <class T>
musolverStatus_t ormqr(Settings& self, mublasSideMode_t side, mublasOperation_t trans, int m, int n, int k,
                       const T* A, int lda, const T* tau, T* C, int ldc, T* /*work*/, int lwork,
                       int* devInfo) {
  const int columns = side == MUBLAS_SIDE_LEFT ? n : m;
  MUSOLVER_REQUIRE(isProduct<T>(side, trans, m, n, k, lda, ldc) && holds(lwork, columns));
  return enqueue(self, [=] {
    // Beside the block's columns LAPACK keeps its triangular factor there.
    std::vector<ValueOf<T>> work(static_cast<size_t>(std::max(1, columns)) * 64 + 65 * 64);
    const int size = static_cast<int>(work.size());
    const char s = side == MUBLAS_SIDE_LEFT ? 'L' : 'R';
    const bool isReal = std::is_same_v<ValueOf<T>, RealOf<T>>;
    const char t = trans == MUBLAS_OP_N ? 'N' : isReal ? 'T' : 'C';
    int info = 0;
    Lapack<T>::ormqr(&s, &t, &m, &n, &k, asValues(A), &lda, asValues(tau), asValues(C), &ldc, work.data(),
                     &size, &info, 1, 1);
    tell(devInfo, info);
  });
}

MUSOLVER_SAME_AS(ungqrSize, orgqrSize)
MUSOLVER_SAME_AS(ungqr, orgqr)
MUSOLVER_SAME_AS(unmqrSize, ormqrSize)
MUSOLVER_SAME_AS(unmqr, ormqr)

// -- Eigenvalues --

template <class T>
musolverStatus_t syevdSize(Settings&, musolverEigMode_t /*jobz*/, mublasFillMode_t uplo, int n,
                           const T* /*A*/, int /*lda*/, const RealOf<T>* /*W*/, int* lwork) {
  return answer(isFill(uplo) && n >= 0, lwork, n);
}

template <class T>
musolverStatus_t syevd(Settings& self, musolverEigMode_t jobz, mublasFillMode_t uplo, int n, T* A, int lda,
                       RealOf<T>* W, T* /*work*/, int lwork, int* info) {
  MUSOLVER_REQUIRE(jobz == MUSOLVER_EIG_MODE_NOVECTOR || jobz == MUSOLVER_EIG_MODE_VECTOR);
  MUSOLVER_REQUIRE(isFill(uplo) && n >= 0 && leads(lda, n) && holds(lwork, n));
  return enqueue(self, [=] {
    const char job = jobz == MUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', u = letter(uplo);
    const size_t size = static_cast<size_t>(n);
    // LAPACK's largest demands, for vectors.
    std::vector<ValueOf<T>> work(1 + (6 + 2 * kBlock) * size + 2 * size * size);
    std::vector<int> integers(3 + 5 * size);
    const int workSize = static_cast<int>(work.size()), integersSize = static_cast<int>(integers.size());
    int result = 0;
    if constexpr (std::is_same_v<ValueOf<T>, RealOf<T>>) {
      Lapack<T>::syevd(&job, &u, &n, A, &lda, W, work.data(), &workSize, integers.data(), &integersSize,
                       &result, 1, 1);
    } else {
      std::vector<RealOf<T>> reals(1 + 5 * size + 2 * size * size);
      const int realsSize = static_cast<int>(reals.size());
      Lapack<T>::syevd(&job, &u, &n, asValues(A), &lda, W, work.data(), &workSize, reals.data(), &realsSize,
                       integers.data(), &integersSize, &result, 1, 1);
    }
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(heevdSize, syevdSize)
MUSOLVER_SAME_AS(heevd, syevd)

// -- Singular values --

template <class T>
musolverStatus_t gesvdSize(Settings&, int m, int n, int* lwork) {
  return answer(m >= 0 && n >= 0, lwork, m + n);
}

// Matrices are at least as tall as wide, as documented.
template <class T>
musolverStatus_t gesvd(Settings& self, signed char jobu, signed char jobvt, int m, int n, T* A, int lda,
                       RealOf<T>* S, T* U, int ldu, T* VT, int ldvt, T* /*work*/, int lwork, RealOf<T>* rwork,
                       int* info) {
  const auto isJob = [](signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; };
  const auto keeps = [](signed char job) { return job == 'A' || job == 'S'; };
  MUSOLVER_REQUIRE(isJob(jobu) && isJob(jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 && m >= n);
  MUSOLVER_REQUIRE(leads(lda, m) && ldu >= 1 && ldvt >= 1 && (!keeps(jobu) || leads(ldu, m)));
  MUSOLVER_REQUIRE((!keeps(jobvt) || leads(ldvt, n)) && holds(lwork, n));
  return enqueue(self, [=] {
    const char u = static_cast<char>(jobu), v = static_cast<char>(jobvt);
    const size_t columns = static_cast<size_t>(n), rows = static_cast<size_t>(m);
    std::vector<ValueOf<T>> work(
        std::max<size_t>(1, columns * columns + (3 * columns + rows) * kBlock + 5 * columns));
    const int size = static_cast<int>(work.size());
    int result = 0;
    if constexpr (std::is_same_v<ValueOf<T>, RealOf<T>>) {
      Lapack<T>::gesvd(&u, &v, &m, &n, A, &lda, S, U, &ldu, VT, &ldvt, work.data(), &size, &result, 1, 1);
      // What did not converge: work[1] and on.
      if (rwork) std::copy_n(work.begin() + 1, result > 0 ? std::max(0, n - 1) : 0, rwork);
    } else {
      std::vector<RealOf<T>> reals(std::max<size_t>(1, 5 * columns));
      Lapack<T>::gesvd(&u, &v, &m, &n, asValues(A), &lda, S, asValues(U), &ldu, asValues(VT), &ldvt,
                       work.data(), &size, reals.data(), &result, 1, 1);
      if (rwork) std::copy_n(reals.begin(), result > 0 ? std::max(0, n - 1) : 0, rwork);
    }
    tell(info, result);
  });
}

}  // namespace musashim::musolver
