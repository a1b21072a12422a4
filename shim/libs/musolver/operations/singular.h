// Singular values by Jacobi's method.
#pragma once

#include "libs/musolver/operations/symmetric.h"

namespace musashim::musolver {

// A matrix of its own, without gaps.
template <class V>
struct Block {
  ptrdiff_t rows, columns;
  std::vector<V> values;
  Block(ptrdiff_t m, ptrdiff_t n) : rows(m), columns(n), values(static_cast<size_t>(m * n)) {}
  V& operator()(ptrdiff_t row, ptrdiff_t column) { return values[static_cast<size_t>(column * rows + row)]; }
  V* column(ptrdiff_t index) { return values.data() + index * rows; }
};

// Columns from `known` on become orthonormal to the ones before.
template <class V>
void completeBasis(Block<V>& u, ptrdiff_t known) {
  using R = typename Rotation<V>::R;
  ptrdiff_t candidate = 0;
  for (ptrdiff_t column = known; column < u.columns; ++column)
    for (; candidate < u.rows; ++candidate) {
      V* const to = u.column(column);
      std::fill_n(to, u.rows, V(0));
      to[candidate] = V(1);
      for (int twice = 0; twice < 2; ++twice)
        for (ptrdiff_t other = 0; other < column; ++other) {
          V part(0);
          for (ptrdiff_t i = 0; i < u.rows; ++i) part += conjugateOf(u(i, other)) * to[i];
          for (ptrdiff_t i = 0; i < u.rows; ++i) to[i] -= part * u(i, other);
        }
      R size = 0;
      for (ptrdiff_t i = 0; i < u.rows; ++i) size += std::norm(to[i]);
      if (size < R(0.01) / static_cast<R>(u.rows)) continue;
      for (ptrdiff_t i = 0; i < u.rows; ++i) to[i] /= std::sqrt(size);
      ++candidate;
      break;
    }
}

template <class T>
struct SingularResult {
  std::vector<RealOf<T>> values;
  Block<ValueOf<T>> u, v;
};

// A = U S V^H of a matrix at least as tall as wide; U has `wide` columns.
template <class T>
SingularResult<T> rotateTall(Block<ValueOf<T>> a, ptrdiff_t wide, bool sorts, Sweeps& sweeps) {
  using V = ValueOf<T>;
  using R = RealOf<T>;
  const ptrdiff_t m = a.rows, n = a.columns;
  Block<V> right(n, n);
  for (ptrdiff_t i = 0; i < n; ++i) right(i, i) = V(1);
  rotateColumns(m, n, a.values.data(), right.values.data(), sweeps);
  std::vector<R> sizes;
  for (ptrdiff_t column = 0; column < n; ++column) {
    R sum = 0;
    for (ptrdiff_t i = 0; i < m; ++i) sum += std::norm(a(i, column));
    sizes.push_back(std::sqrt(sum));
  }
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (sorts) order = orderOf(sizes, true);
  SingularResult<T> result{{}, Block<V>(m, wide), Block<V>(n, n)};
  ptrdiff_t known = 0;
  for (ptrdiff_t i = 0; i < n; ++i) {
    const auto from = static_cast<ptrdiff_t>(order[static_cast<size_t>(i)]);
    const R size = sizes[static_cast<size_t>(from)];
    result.values.push_back(size);
    std::copy_n(right.column(from), n, result.v.column(i));
    if (size == R(0) || i >= wide) continue;
    for (ptrdiff_t row = 0; row < m; ++row) result.u(row, i) = a(row, from) / size;
    known = i + 1;
  }
  completeBasis(result.u, known);
  return result;
}

// What is left of A when U S V^H is taken away.
template <class T>
double residualOf(Block<ValueOf<T>>& a, SingularResult<T>& parts) {
  double sum = 0;
  for (ptrdiff_t row = 0; row < a.rows; ++row)
    for (ptrdiff_t column = 0; column < a.columns; ++column) {
      ValueOf<T> rest = a(row, column);
      for (size_t k = 0; k < parts.values.size(); ++k)
        rest -= parts.u(row, static_cast<ptrdiff_t>(k)) * parts.values[k] *
                conjugateOf(parts.v(column, static_cast<ptrdiff_t>(k)));
      sum += static_cast<double>(std::norm(rest));
    }
  return std::sqrt(sum);
}

// Any shape: a wide matrix is the adjoint of a tall one.
template <class T>
int decompose(musolverEigMode_t jobz, bool econ, ptrdiff_t m, ptrdiff_t n, const T* A, ptrdiff_t lda,
              RealOf<T>* S, T* U, ptrdiff_t ldu, T* Vright, ptrdiff_t ldv, bool sorts, Sweeps& sweeps,
              ptrdiff_t rank = -1) {
  using V = ValueOf<T>;
  const bool tall = m >= n;
  const ptrdiff_t count = std::min(m, n), longer = std::max(m, n);
  Block<V> a(longer, count);
  for (ptrdiff_t column = 0; column < n; ++column)
    for (ptrdiff_t row = 0; row < m; ++row) {
      const V value = asValues(A)[column * lda + row];
      if (tall)
        a(row, column) = value;
      else
        a(column, row) = conjugateOf(value);
    }
  SingularResult<T> parts = rotateTall<T>(a, econ ? count : longer, sorts, sweeps);
  sweeps.residual = residualOf<T>(a, parts);
  const ptrdiff_t kept = rank < 0 ? count : rank;
  std::copy_n(parts.values.begin(), kept, S);
  if (jobz == MUSOLVER_EIG_MODE_VECTOR) {
    Block<V>& left = tall ? parts.u : parts.v;
    Block<V>& right = tall ? parts.v : parts.u;
    for (ptrdiff_t column = 0; column < (rank < 0 ? left.columns : kept); ++column)
      std::copy_n(left.column(column), left.rows, asValues(U) + column * ldu);
    for (ptrdiff_t column = 0; column < (rank < 0 ? right.columns : kept); ++column)
      std::copy_n(right.column(column), right.rows, asValues(Vright) + column * ldv);
  }
  return sweeps.converged ? 0 : static_cast<int>(count) + 1;
}

inline bool isDecomposed(musolverEigMode_t jobz, int m, int n, int lda, int ldu, int ldv) {
  const bool vectors = jobz == MUSOLVER_EIG_MODE_VECTOR;
  return isJob(jobz) && m >= 0 && n >= 0 && leads(lda, m) && (!vectors || (leads(ldu, m) && leads(ldv, n)));
}
template <class T>
musolverStatus_t gesvdjSize(Settings&, musolverEigMode_t /*jobz*/, int /*econ*/, int m, int n, const T*,
                            int /*lda*/, const RealOf<T>*, const T*, int /*ldu*/, const T*, int /*ldv*/,
                            int* lwork, gesvdjInfo* params) {
  return answer(m >= 0 && n >= 0 && params, lwork, m + n);
}
template <class T>
musolverStatus_t gesvdj(Settings& self, musolverEigMode_t jobz, int econ, int m, int n, T* A, int lda,
                        RealOf<T>* S, T* U, int ldu, T* V, int ldv, T* /*work*/, int lwork, int* info,
                        gesvdjInfo* params) {
  MUSOLVER_REQUIRE(isDecomposed(jobz, m, n, lda, ldu, ldv) && params && holds(lwork, 1));
  params->batched = false;
  return enqueue(self, [=, options = *params] {
    Sweeps sweeps = sweepsOf(options);
    tell(info, decompose(jobz, econ != 0, m, n, A, lda, S, U, ldu, V, ldv, options.sorts, sweeps));
    options.outcome->sweeps = sweeps.done;
    options.outcome->residual = sweeps.residual;
  });
}

constexpr int kMostOfBatch = 32;  // rows and columns, as documented
template <class T>
musolverStatus_t gesvdjBatchedSize(Settings&, musolverEigMode_t /*jobz*/, int m, int n, const T*, int /*lda*/,
                                   const RealOf<T>*, const T*, int /*ldu*/, const T*, int /*ldv*/, int* lwork,
                                   gesvdjInfo* params, int /*batchSize*/) {
  return answer(m >= 0 && n >= 0 && params, lwork, m + n);
}
template <class T>
musolverStatus_t gesvdjBatched(Settings& self, musolverEigMode_t jobz, int m, int n, T* A, int lda,
                               RealOf<T>* S, T* U, int ldu, T* V, int ldv, T* /*work*/, int lwork, int* info,
                               gesvdjInfo* params, int batchSize) {
  MUSOLVER_REQUIRE(isDecomposed(jobz, m, n, lda, ldu, ldv) && params && holds(lwork, 1));
  MUSOLVER_REQUIRE(m <= kMostOfBatch && n <= kMostOfBatch && batchSize >= 0);
  params->batched = true;
  return enqueue(self, [=, options = *params] {
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      Sweeps sweeps = sweepsOf(options);
      info[i] = decompose(jobz, false, m, n, A + i * lda * n, lda, S + i * std::min(m, n), U + i * ldu * m,
                          ldu, V + i * ldv * n, ldv, options.sorts, sweeps);
    }
  });
}

// The largest `rank` of them of tall matrices.
inline bool isStrided(musolverEigMode_t jobz, int rank, int m, int n, int lda, int ldu, int ldv,
                      int batchSize) {
  return isDecomposed(jobz, m, n, lda, ldu, ldv) && m >= n && rank >= 0 && rank <= n && batchSize >= 0;
}
template <class T>
musolverStatus_t gesvdaStridedBatchedSize(Settings&, musolverEigMode_t /*jobz*/, int /*rank*/, int /*m*/,
                                          int n, const T*, int /*lda*/, long long, const RealOf<T>*,
                                          long long, const T*, int /*ldu*/, long long, const T*, int /*ldv*/,
                                          long long, int* lwork, int /*batchSize*/) {
  return answer(true, lwork, n);
}
template <class T>
musolverStatus_t gesvdaStridedBatched(Settings& self, musolverEigMode_t jobz, int rank, int m, int n,
                                      const T* A, int lda, long long strideA, RealOf<T>* S, long long strideS,
                                      T* U, int ldu, long long strideU, T* V, int ldv, long long strideV,
                                      T* /*work*/, int lwork, int* info, double* residuals, int batchSize) {
  MUSOLVER_REQUIRE(isStrided(jobz, rank, m, n, lda, ldu, ldv, batchSize) && holds(lwork, 1));
  const auto work = [=] {
    for (ptrdiff_t i = 0; i < batchSize; ++i) {
      Sweeps sweeps;
      const int result = decompose(jobz, true, m, n, A + i * strideA, lda, S + i * strideS, U + i * strideU,
                                   ldu, V + i * strideV, ldv, true, sweeps, rank);
      if (info) info[i] = result;
      if (residuals) residuals[i] = sweeps.residual;
    }
  };
  return residuals ? runNow(self, work) : enqueue(self, work);  // residuals are told in host memory
}

}  // namespace musashim::musolver
