// Solutions whose factors are of a lower precision than their results, refined until they are as good as the
// matrix's own; where that does not come about they are computed in the matrix's precision.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "libs/musolver/operations/work.h"

struct musolverDnIRSParams {
  musolverPrecType_t main = MUSOLVER_R_AP, lowest = MUSOLVER_R_AP;  // none is set
  musolverIRSRefinement_t solver = MUSOLVER_IRS_REFINE_NOT_SET;
  double tolerance = 0, innerTolerance = 0;
  int most = 50, innerMost = 50;
  bool fallsBack = true;
};
struct musolverDnIRSInfos {
  int steps = 0, outerSteps = 0, most = 0;
  bool wantsResiduals = false;
  std::vector<double> residuals;
};

namespace musashim::musolver {

// The type that factors are held in: single precision is what processors have below double.
template <class T>
struct Lower {
  using Type = T;
};
template <>
struct Lower<double> {
  using Type = float;
};
template <>
struct Lower<muDoubleComplex> {
  using Type = muComplex;
};

struct Refinement {
  bool lowers = true, fallsBack = true;
  int most = 50;
  double tolerance = 0;  // 0: LAPACK's
  int steps = 0;         // below 0: it fell back
  std::vector<double> residuals;
};

template <class V>
double largest(const V* values, ptrdiff_t count) {
  double most = 0;
  for (ptrdiff_t i = 0; i < count; ++i) most = std::max(most, static_cast<double>(std::abs(values[i])));
  return most;
}
// The largest sum of a row's absolute values.
template <class V>
double rowNorm(const V* a, ptrdiff_t n, ptrdiff_t lda) {
  double most = 0;
  for (ptrdiff_t row = 0; row < n; ++row) {
    double sum = 0;
    for (ptrdiff_t column = 0; column < n; ++column)
      sum += static_cast<double>(std::abs(a[column * lda + row]));
    most = std::max(most, sum);
  }
  return most;
}

// True when X solves the system as well as the main precision can.
template <class T>
bool refine(int n, int nrhs, const ValueOf<T>* a, int lda, int* pivots, const ValueOf<T>* b, int ldb,
            ValueOf<T>* x, int ldx, Refinement& how) {
  using V = ValueOf<T>;
  using L = ValueOf<typename Lower<T>::Type>;
  using Api = Lapack<typename Lower<T>::Type>;
  const auto size = static_cast<size_t>(n);
  std::vector<L> factors(size * size), step(size * static_cast<size_t>(nrhs));
  for (size_t column = 0; column < size; ++column)
    for (size_t row = 0; row < size; ++row)
      factors[column * size + row] = L(a[column * static_cast<size_t>(lda) + row]);
  int info = 0;
  Api::getrf(&n, &n, factors.data(), &n, pivots, &info);
  if (info != 0) return false;
  const double epsilon = static_cast<double>(std::numeric_limits<RealOf<T>>::epsilon());
  const double bound = how.tolerance > 0 ? how.tolerance * rowNorm(a, n, lda)
                                         : rowNorm(a, n, lda) * epsilon * std::sqrt(static_cast<double>(n));
  for (ptrdiff_t column = 0; column < nrhs; ++column) std::fill_n(x + column * ldx, n, V(0));
  std::vector<V> rest(size * static_cast<size_t>(nrhs));
  for (how.steps = 0; how.steps <= how.most; ++how.steps) {
    bool done = true;
    double worst = 0;
    for (ptrdiff_t column = 0; column < nrhs; ++column) {
      V* const r = rest.data() + column * n;
      std::copy_n(b + column * ldb, n, r);
      for (ptrdiff_t k = 0; k < n; ++k)
        for (ptrdiff_t row = 0; row < n; ++row) r[row] -= a[k * lda + row] * x[column * ldx + k];
      const double residual = largest(r, n);
      worst = std::max(worst, residual);
      if (!(residual <= bound * largest(x + column * ldx, n))) done = false;
    }
    how.residuals.push_back(worst);
    if (done || !(worst < std::numeric_limits<double>::max())) return done;
    for (size_t i = 0; i < rest.size(); ++i) step[i] = L(rest[i]);
    const char plain = 'N';
    Api::getrs(&plain, &n, &nrhs, factors.data(), &n, pivots, step.data(), &n, &info, 1);
    for (ptrdiff_t column = 0; column < nrhs; ++column)
      for (ptrdiff_t row = 0; row < n; ++row)
        x[column * ldx + row] += V(step[static_cast<size_t>(column * n + row)]);
  }
  return false;
}

// Returns LAPACK's answer. The matrix is left alone when the refined solution is good, else its factors stay
// there.
template <class T>
int solveRefined(int n, int nrhs, T* A, int lda, int* pivots, T* B, int ldb, T* X, int ldx, Refinement& how) {
  if (n == 0 || nrhs == 0) return 0;
  if (how.lowers && refine<T>(n, nrhs, asValues(A), lda, pivots, asValues(B), ldb, asValues(X), ldx, how))
    return 0;
  const int tried = how.steps;
  how.steps = how.lowers ? -std::max(1, tried) : 0;
  if (how.lowers && !how.fallsBack) return 0;
  int info = 0;
  Lapack<T>::getrf(&n, &n, asValues(A), &lda, pivots, &info);
  if (info != 0) return info;
  for (ptrdiff_t column = 0; column < nrhs; ++column) std::copy_n(B + column * ldb, n, X + column * ldx);
  const char plain = 'N';
  Lapack<T>::getrs(&plain, &n, &nrhs, asValues(A), &lda, pivots, asValues(X), &ldx, &info, 1);
  return info;
}

inline musolverStatus_t answerBytes(size_t* bytes, size_t elements, size_t size) {
  MUSOLVER_REQUIRE(bytes);
  *bytes = std::max<size_t>(1, elements) * size;
  return MUSOLVER_STATUS_SUCCESS;
}
inline bool isSystem(int n, int nrhs, int lda, int ldb, int ldx) {
  return n >= 0 && nrhs >= 0 && leads(lda, n) && leads(ldb, n) && leads(ldx, n);
}

template <class T>
musolverStatus_t gesvSize(Settings&, int n, int nrhs, T*, int ldda, int*, T*, int lddb, T*, int lddx, void*,
                          size_t* bytes) {
  if (!isSystem(n, nrhs, ldda, lddb, lddx)) return MUSOLVER_STATUS_IRS_PARAMS_INVALID;
  return answerBytes(bytes, static_cast<size_t>(n) * static_cast<size_t>(n + 2 * nrhs), sizeof(T));
}
// The number of steps is told in host memory.
template <class T>
musolverStatus_t gesv(Settings& self, int n, int nrhs, T* dA, int ldda, int* dipiv, T* dB, int lddb, T* dX,
                      int lddx, void*, size_t bytes, int* iter, int* d_info) {
  MUSOLVER_REQUIRE(isSystem(n, nrhs, ldda, lddb, lddx) && bytes > 0 && iter);
  return runNow(self, [=] {
    std::vector<int> pivots(static_cast<size_t>(n));
    Refinement how;
    tell(d_info, solveRefined(n, nrhs, dA, ldda, dipiv ? dipiv : pivots.data(), dB, lddb, dX, lddx, how));
    *iter = how.steps;
  });
}

// -- Least squares: the matrix's own precision is used from the beginning --

inline bool isLeastSquares(int m, int n, int nrhs, int lda, int ldb, int ldx) {
  return n >= 0 && m >= n && nrhs >= 0 && leads(lda, m) && leads(ldb, m) && leads(ldx, n);
}
template <class T>
musolverStatus_t gelsSize(Settings&, int m, int n, int nrhs, T*, int ldda, T*, int lddb, T*, int lddx, void*,
                          size_t* bytes) {
  if (!isLeastSquares(m, n, nrhs, ldda, lddb, lddx)) return MUSOLVER_STATUS_IRS_PARAMS_INVALID;
  return answerBytes(bytes, static_cast<size_t>(m) * static_cast<size_t>(n + nrhs), sizeof(T));
}
template <class T>
musolverStatus_t gels(Settings& self, int m, int n, int nrhs, T* dA, int ldda, T* dB, int lddb, T* dX,
                      int lddx, void*, size_t bytes, int* iter, int* d_info) {
  MUSOLVER_REQUIRE(isLeastSquares(m, n, nrhs, ldda, lddb, lddx) && bytes > 0 && iter);
  return runNow(self, [=] {
    std::vector<ValueOf<T>> right(static_cast<size_t>(std::max(1, m)) * static_cast<size_t>(nrhs));
    for (ptrdiff_t column = 0; column < nrhs; ++column)
      std::copy_n(asValues(dB) + column * lddb, m, right.begin() + column * m);
    const char plain = 'N';
    const int ld = std::max(1, m);
    int info = 0;
    withWork<ValueOf<T>>([&](ValueOf<T>* work, int size) {
      Lapack<T>::gels(&plain, &m, &n, &nrhs, asValues(dA), &ldda, right.data(), &ld, work, &size, &info, 1);
    });
    if (info == 0)
      for (ptrdiff_t column = 0; column < nrhs; ++column)
        std::copy_n(right.begin() + column * m, n, asValues(dX) + column * lddx);
    tell(d_info, info);
    *iter = 0;
  });
}

}  // namespace musashim::musolver
