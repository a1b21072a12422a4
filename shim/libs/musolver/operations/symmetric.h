// Eigenvalues by Jacobi's method, alone and in batches, and what is told of it later.
#pragma once

#include <atomic>
#include <memory>

#include "libs/musolver/operations/eigenvalues.h"
#include "libs/musolver/operations/rotations.h"
#include "libs/musolver/operations/work.h"

// Settings, and what the last call came to: told here by its work, also after the info is gone.
struct musolverJacobi {
  struct Outcome {
    std::atomic<int> sweeps{0};
    std::atomic<double> residual{0};
  };
  double tolerance = 0;
  int sweeps = 100;
  bool sorts = true, batched = false;
  std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();
};
struct syevjInfo : musolverJacobi {};
struct gesvdjInfo : musolverJacobi {};

namespace musashim::musolver {

inline musolverStatus_t setTolerance(musolverJacobi& info, double tolerance) {
  info.tolerance = tolerance;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t setMaxSweeps(musolverJacobi& info, int sweeps) {
  info.sweeps = sweeps;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t setSort(musolverJacobi& info, int sorts) {
  info.sorts = sorts != 0;
  return MUSOLVER_STATUS_SUCCESS;
}
template <class Place, class Value>
musolverStatus_t tellOutcome(Settings& self, const musolverJacobi* info, Place* place,
                             const Value musolverJacobi::Outcome::*value) {
  MUSOLVER_REQUIRE(info && place);
  if (info->batched) return MUSOLVER_STATUS_NOT_SUPPORTED;  // there is none of all matrices
  if (musaStreamSynchronize(self.stream) != musaSuccess) {
    (void)musaGetLastError();
    return MUSOLVER_STATUS_EXECUTION_FAILED;
  }
  *place = (*info->outcome).*value;
  return MUSOLVER_STATUS_SUCCESS;
}
#define MUSOLVER_JACOBI(Name, name)                                                                      \
  inline musolverStatus_t create##Name##Info(name##Info*& info) {                                        \
    info = new name##Info;                                                                               \
    return MUSOLVER_STATUS_SUCCESS;                                                                      \
  }                                                                                                      \
  inline musolverStatus_t destroy##Name##Info(name##Info& info) {                                        \
    delete &info;                                                                                        \
    return MUSOLVER_STATUS_SUCCESS;                                                                      \
  }                                                                                                      \
  inline musolverStatus_t name##SetTolerance(name##Info& info, double value) {                           \
    return setTolerance(info, value);                                                                    \
  }                                                                                                      \
  inline musolverStatus_t name##SetMaxSweeps(name##Info& info, int value) {                              \
    return setMaxSweeps(info, value);                                                                    \
  }                                                                                                      \
  inline musolverStatus_t name##SetSortEig(name##Info& info, int value) { return setSort(info, value); } \
  inline musolverStatus_t name##GetResidual(Settings& self, name##Info* info, double* place) {           \
    return tellOutcome(self, info, place, &musolverJacobi::Outcome::residual);                           \
  }                                                                                                      \
  inline musolverStatus_t name##GetSweeps(Settings& self, name##Info* info, int* place) {                \
    return tellOutcome(self, info, place, &musolverJacobi::Outcome::sweeps);                             \
  }
MUSOLVER_JACOBI(Syevj, syevj)
MUSOLVER_JACOBI(Gesvdj, gesvdj)
#undef MUSOLVER_JACOBI

inline Sweeps sweepsOf(const musolverJacobi& info) { return {info.tolerance, info.sweeps, 0, 0, false}; }

// -- Eigenvalues --

// Returns 0, or n + 1 when the sweeps did not suffice.
template <class T>
int rotateSymmetric(musolverEigMode_t jobz, mublasFillMode_t uplo, ptrdiff_t n, T* A, ptrdiff_t lda,
                    RealOf<T>* W, bool sorts, Sweeps& sweeps) {
  using V = ValueOf<T>;
  V* const matrix = asValues(A);
  std::vector<V> whole(static_cast<size_t>(n * n)), vectors(whole.size());
  for (ptrdiff_t column = 0; column < n; ++column)
    for (ptrdiff_t row = 0; row < n; ++row) {
      const bool given = uplo == MUBLAS_FILL_MODE_UPPER ? row <= column : row >= column;
      const V value = given ? matrix[column * lda + row] : conjugateOf(matrix[row * lda + column]);
      whole[static_cast<size_t>(column * n + row)] = row == column ? V(std::real(value)) : value;
      vectors[static_cast<size_t>(column * n + row)] = V(row == column ? 1 : 0);
    }
  rotateHermitian(n, whole.data(), vectors.data(), sweeps);
  std::vector<RealOf<T>> values;
  for (ptrdiff_t i = 0; i < n; ++i) values.push_back(std::real(whole[static_cast<size_t>(i * n + i)]));
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (sorts) order = orderOf(values, false);
  for (ptrdiff_t i = 0; i < n; ++i) {
    const size_t from = order[static_cast<size_t>(i)];
    W[i] = values[from];
    if (jobz == MUSOLVER_EIG_MODE_VECTOR)
      std::copy_n(vectors.begin() + static_cast<ptrdiff_t>(from) * n, n, matrix + i * lda);
  }
  return sweeps.converged ? 0 : static_cast<int>(n) + 1;
}

inline bool isSymmetric(musolverEigMode_t jobz, mublasFillMode_t uplo, int n, int lda) {
  return isJob(jobz) && isFill(uplo) && n >= 0 && leads(lda, n);
}
template <class T>
musolverStatus_t syevjSize(Settings&, musolverEigMode_t /*jobz*/, mublasFillMode_t /*uplo*/, int n, const T*,
                           int /*lda*/, const RealOf<T>*, int* lwork, syevjInfo* params) {
  return answer(n >= 0 && params, lwork, n);
}
// Many matrices without gaps between them; one where `count` is 1 and it is no batch.
template <class T>
musolverStatus_t rotateAll(Settings& self, musolverEigMode_t jobz, mublasFillMode_t uplo, int n, T* A,
                           int lda, RealOf<T>* W, int* info, syevjInfo* params, int count, bool batched) {
  params->batched = batched;
  return enqueue(self, [=, options = *params] {
    for (ptrdiff_t i = 0; i < count; ++i) {
      Sweeps sweeps = sweepsOf(options);
      const int result =
          rotateSymmetric(jobz, uplo, n, A + i * lda * n, lda, W + i * n, options.sorts, sweeps);
      if (info) info[i] = result;
      options.outcome->sweeps = sweeps.done;
      options.outcome->residual = sweeps.residual;
    }
  });
}
template <class T>
musolverStatus_t syevj(Settings& self, musolverEigMode_t jobz, mublasFillMode_t uplo, int n, T* A, int lda,
                       RealOf<T>* W, T* /*work*/, int lwork, int* info, syevjInfo* params) {
  MUSOLVER_REQUIRE(isSymmetric(jobz, uplo, n, lda) && params && holds(lwork, 1));
  return rotateAll(self, jobz, uplo, n, A, lda, W, info, params, 1, false);
}
template <class T>
musolverStatus_t syevjBatchedSize(Settings&, musolverEigMode_t /*jobz*/, mublasFillMode_t /*uplo*/, int n,
                                  const T*, int /*lda*/, const RealOf<T>*, int* lwork, syevjInfo* params,
                                  int /*batchSize*/) {
  return answer(n >= 0 && params, lwork, n);
}
template <class T>
musolverStatus_t syevjBatched(Settings& self, musolverEigMode_t jobz, mublasFillMode_t uplo, int n, T* A,
                              int lda, RealOf<T>* W, T* /*work*/, int lwork, int* info, syevjInfo* params,
                              int batchSize) {
  MUSOLVER_REQUIRE(isSymmetric(jobz, uplo, n, lda) && params && batchSize >= 0 && holds(lwork, 1));
  return rotateAll(self, jobz, uplo, n, A, lda, W, info, params, batchSize, true);
}
MUSOLVER_SAME_AS(heevjSize, syevjSize)
MUSOLVER_SAME_AS(heevj, syevj)
MUSOLVER_SAME_AS(heevjBatchedSize, syevjBatchedSize)
MUSOLVER_SAME_AS(heevjBatched, syevjBatched)

template <class T>
musolverStatus_t sygvjSize(Settings&, musolverEigType_t /*itype*/, musolverEigMode_t /*jobz*/,
                           mublasFillMode_t /*uplo*/, int n, const T*, int /*lda*/, const T*, int /*ldb*/,
                           const RealOf<T>*, int* lwork, syevjInfo* params) {
  return answer(n >= 0 && params, lwork, n);
}
template <class T>
musolverStatus_t sygvj(Settings& self, musolverEigType_t itype, musolverEigMode_t jobz, mublasFillMode_t uplo,
                       int n, T* A, int lda, T* B, int ldb, RealOf<T>* W, T* /*work*/, int lwork, int* info,
                       syevjInfo* params) {
  MUSOLVER_REQUIRE(isType(itype) && isSymmetric(jobz, uplo, n, lda) && leads(ldb, n) && params &&
                   holds(lwork, 1));
  params->batched = false;
  return enqueue(self, [=, options = *params] {
    int result = reducePair(itype, uplo, n, A, lda, B, ldb);
    if (result == 0) {
      Sweeps sweeps = sweepsOf(options);
      result = rotateSymmetric(jobz, uplo, n, A, lda, W, options.sorts, sweeps);
      if (jobz == MUSOLVER_EIG_MODE_VECTOR) restoreVectors(itype, uplo, n, n, A, lda, B, ldb);
      options.outcome->sweeps = sweeps.done;
      options.outcome->residual = sweeps.residual;
    }
    tell(info, result);
  });
}
MUSOLVER_SAME_AS(hegvjSize, sygvjSize)
MUSOLVER_SAME_AS(hegvj, sygvj)

}  // namespace musashim::musolver
