// The sparse part: one system, one eigenvalue, many systems of one pattern, orders. Calls on the device wait,
// since they tell their success in host memory.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "libs/musolver/operations/work.h"
#include "libs/musolver/sparse/factors.h"
#include "libs/musolver/sparse/orders.h"
#include "libs/musparse/api/objects.h"

// What infos keep between calls: factors of a type that each call knows again.
struct KeptFactors {
  virtual ~KeptFactors() = default;
  virtual int zeroPivot(double tolerance) const = 0;
};
struct musolverFactored {
  int nnz = 0;
  bool analysed = false;
  std::shared_ptr<KeptFactors> kept;
};
struct csrqrInfo : musolverFactored {};

namespace musashim::musolver {

using MatDescr = const musparseMatDescr*;

inline musolverStatus_t checkMatrix(int m, int nnz, MatDescr descr, const void* offsets,
                                    const void* columns) {
  MUSOLVER_REQUIRE(m >= 0 && nnz >= 0 && descr && offsets && columns);
  return descr->type == MUSPARSE_MATRIX_TYPE_GENERAL ? MUSOLVER_STATUS_SUCCESS
                                                     : MUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

enum class Method { kQr, kLu, kCholesky };

// Runs on memory that it may touch. `reorder`: 0 none, 1 reverse Cuthill-McKee, 2 minimum degree, 3 nested
// dissection.
template <class V>
int solveSystem(Method method, int n, const V* values, const int* offsets, const int* columns, int base,
                const V* b, double tolerance, int reorder, V* x) {
  SparseRows<V> a = rowsOf(n, values, offsets, columns, base);
  std::vector<V> right(b, b + n), solution;
  std::vector<int> order;
  if (reorder != 0) {
    const Pattern graph = neighbours(patternOf(n, offsets, offsets + 1, columns, base));
    order = reorder == 1   ? reverseCuthillMcKee(graph)
            : reorder == 2 ? minimumDegree(graph)
                           : nestedDissection(graph);
    a = permuted(a, order);
    for (size_t i = 0; i < order.size(); ++i) right[i] = b[order[i]];
  }
  int singular = -1;
  if (method == Method::kQr) {
    QrFactors<V> factors;
    if ((singular = factors.factor(std::move(a), n, tolerance)) < 0)
      factors.solve(std::move(right), solution);
  } else if (method == Method::kLu) {
    LuFactors<V> factors;
    if ((singular = factors.factor(a, tolerance)) < 0) factors.solve(std::move(right), solution);
  } else {
    CholeskyFactors<V> factors;
    if ((singular = factors.factor(a, tolerance)) < 0) factors.solve(std::move(right), solution);
  }
  if (singular < 0)
    for (size_t i = 0; i < solution.size(); ++i)
      x[order.empty() ? i : static_cast<size_t>(order[i])] = solution[i];
  return singular;
}

inline bool isOrder(int reorder) { return reorder >= 0 && reorder <= 3; }
template <class T, class R>
musolverStatus_t solveOnHost(Method method, int n, int nnz, MatDescr descr, const T* values,
                             const int* offsets, const int* columns, const T* b, R tol, int reorder, T* x,
                             int* singularity) {
  MUSOLVER_TRY(checkMatrix(n, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(values && b && x && singularity && isOrder(reorder));
  *singularity = solveSystem(method, n, asValues(values), offsets, columns, descr->base, asValues(b),
                             static_cast<double>(tol), reorder, asValues(x));
  return MUSOLVER_STATUS_SUCCESS;
}
template <class T, class R>
musolverStatus_t solveOnDevice(Settings& self, Method method, int n, int nnz, MatDescr descr, const T* values,
                               const int* offsets, const int* columns, const T* b, R tol, int reorder, T* x,
                               int* singularity) {
  MUSOLVER_TRY(checkMatrix(n, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(values && b && x && singularity && isOrder(reorder));
  return runNow(self, [=, base = static_cast<int>(descr->base)] {
    *singularity = solveSystem(method, n, asValues(values), offsets, columns, base, asValues(b),
                               static_cast<double>(tol), reorder, asValues(x));
    // An H100's Cholesky counts from 1.
    if (method == Method::kCholesky && *singularity >= 0) ++*singularity;
  });
}
#define MUSOLVER_SPARSE_HOST(name, method)                                                              \
  template <class T, class R>                                                                           \
  musolverStatus_t name(Settings&, int n, int nnz, MatDescr descr, const T* values, const int* offsets, \
                        const int* columns, const T* b, R tol, int reorder, T* x, int* singularity) {   \
    return solveOnHost(Method::method, n, nnz, descr, values, offsets, columns, b, tol, reorder, x,     \
                       singularity);                                                                    \
  }
#define MUSOLVER_SPARSE(name, method)                                                                        \
  template <class T, class R>                                                                                \
  musolverStatus_t name(Settings& self, int n, int nnz, MatDescr descr, const T* values, const int* offsets, \
                        const int* columns, const T* b, R tol, int reorder, T* x, int* singularity) {        \
    return solveOnDevice(self, Method::method, n, nnz, descr, values, offsets, columns, b, tol, reorder, x,  \
                         singularity);                                                                       \
  }
MUSOLVER_SPARSE_HOST(csrlsvqrHost, kQr)
MUSOLVER_SPARSE_HOST(csrlsvluHost, kLu)
MUSOLVER_SPARSE_HOST(csrlsvcholHost, kCholesky)
MUSOLVER_SPARSE(csrlsvqr, kQr)
MUSOLVER_SPARSE(csrlsvchol, kCholesky)
#undef MUSOLVER_SPARSE
#undef MUSOLVER_SPARSE_HOST

// -- The eigenvalue next to mu0, by iterations with the inverse of A - mu0 --

template <class V>
SparseRows<V> shiftedBy(SparseRows<V> rows, V shift) {
  for (size_t row = 0; row < rows.size(); ++row) {
    auto& line = rows[row];
    const auto place = std::lower_bound(line.columns.begin(), line.columns.end(), static_cast<int>(row));
    const auto index = place - line.columns.begin();
    if (place != line.columns.end() && *place == static_cast<int>(row)) {
      line.values[static_cast<size_t>(index)] -= shift;
    } else {
      line.columns.insert(place, static_cast<int>(row));
      line.values.insert(line.values.begin() + index, -shift);
    }
  }
  return rows;
}

template <class T, class R>
int nearestEigenvalue(int m, const T* values, const int* offsets, const int* columns, int base, T mu0,
                      const T* x0, int most, R tolerance, T* mu, T* x) {
  using V = ValueOf<T>;
  const V shift = *asValues(&mu0);
  const SparseRows<V> a = rowsOf(m, asValues(values), offsets, columns, base);
  const SparseRows<V> shifted = shiftedBy(a, shift);
  std::vector<V> vector(asValues(x0), asValues(x0) + m), next;
  V value = shift;
  const auto normalise = [](std::vector<V>& v) {
    RealOf<T> sum = 0;
    for (const V& element : v) sum += std::norm(element);
    for (V& element : v) element /= std::sqrt(sum);
  };
  normalise(vector);
  LuFactors<V> factors;
  const int result = factors.factor(shifted, 0);
  for (int step = 0; result < 0 && step < most; ++step) {  // else mu0 is an eigenvalue to the last bit
    factors.solve(vector, next);
    normalise(next);
    vector = next;
    // Rayleigh's quotient, and how far it is off.
    std::vector<V> product(vector.size(), V(0));
    V quotient(0);
    for (size_t row = 0; row < a.size(); ++row) {
      for (size_t k = 0; k < a[row].columns.size(); ++k)
        product[row] += a[row].values[k] * vector[static_cast<size_t>(a[row].columns[k])];
      quotient += conjugateOf(vector[row]) * product[row];
    }
    value = quotient;
    RealOf<T> error = 0;
    for (size_t row = 0; row < a.size(); ++row) error += std::norm(product[row] - value * vector[row]);
    if (std::sqrt(error) < static_cast<RealOf<T>>(tolerance)) break;
  }
  *asValues(mu) = value;
  std::copy(vector.begin(), vector.end(), asValues(x));
  return result;
}
template <class T, class R>
musolverStatus_t csreigvsi(Settings& self, int m, int nnz, MatDescr descr, const T* values,
                           const int* offsets, const int* columns, T mu0, const T* x0, int maxite, R tol,
                           T* mu, T* x) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(values && x0 && mu && x && maxite > 0);
  return runNow(self, [=, base = static_cast<int>(descr->base)] {
    nearestEigenvalue(m, values, offsets, columns, base, mu0, x0, maxite, tol, mu, x);
  });
}
template <class T, class R>
musolverStatus_t csreigvsiHost(Settings&, int m, int nnz, MatDescr descr, const T* values, const int* offsets,
                               const int* columns, T mu0, const T* x0, int maxite, R tol, T* mu, T* x) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(values && x0 && mu && x && maxite > 0);
  nearestEigenvalue(m, values, offsets, columns, descr->base, mu0, x0, maxite, tol, mu, x);
  return MUSOLVER_STATUS_SUCCESS;
}

// -- Many systems of one pattern --

inline musolverStatus_t createCsrqrInfo(csrqrInfo*& info) {
  info = new csrqrInfo;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t destroyCsrqrInfo(csrqrInfo& info) {
  delete &info;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t csrqrAnalysisBatched(Settings&, int m, int n, int nnz, MatDescr descr,
                                             const int* offsets, const int* columns, csrqrInfo* info) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(m == n && info);
  info->nnz = nnz, info->analysed = true;
  return MUSOLVER_STATUS_SUCCESS;
}
template <class T>
musolverStatus_t csrqrBufferInfoBatched(Settings&, int m, int n, int nnz, MatDescr descr, const T* values,
                                        const int* offsets, const int* columns, int batchSize,
                                        csrqrInfo* info, size_t* inside, size_t* work) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(m == n && values && batchSize >= 0 && info && info->analysed && inside && work);
  *inside = *work = std::max<size_t>(1, static_cast<size_t>(nnz)) * sizeof(T);
  return MUSOLVER_STATUS_SUCCESS;
}
template <class T>
musolverStatus_t csrqrsvBatched(Settings& self, int m, int n, int nnz, MatDescr descr, const T* values,
                                const int* offsets, const int* columns, const T* b, T* x, int batchSize,
                                csrqrInfo* info, void*) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(m == n && values && b && x && batchSize >= 0 && info && info->analysed);
  return enqueue(self, [=, base = static_cast<int>(descr->base)] {
    for (ptrdiff_t i = 0; i < batchSize; ++i)
      solveSystem(Method::kQr, n, asValues(values) + i * nnz, offsets, columns, base, asValues(b) + i * n, 0,
                  0, asValues(x) + i * n);
  });
}

// -- Orders; all memory is the host's --

inline musolverStatus_t csrissymHost(Settings&, int m, int nnz, MatDescr descr, const int* offsets,
                                     const int* ends, const int* columns, int* issym) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(ends && issym);
  Pattern pattern = patternOf(m, offsets, ends, columns, descr->base);
  Pattern turned(pattern.size());
  for (size_t row = 0; row < pattern.size(); ++row)
    for (const int column : pattern[row])
      turned[static_cast<size_t>(column)].push_back(static_cast<int>(row));
  for (auto& row : pattern) std::sort(row.begin(), row.end());
  *issym = pattern == turned;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t orderRows(int n, int nnz, MatDescr descr, const int* offsets, const int* columns,
                                  int* p, std::vector<int> (*order)(const Pattern&)) {
  MUSOLVER_TRY(checkMatrix(n, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(p);
  const std::vector<int> found = order(neighbours(patternOf(n, offsets, offsets + 1, columns, descr->base)));
  std::copy(found.begin(), found.end(), p);
  return MUSOLVER_STATUS_SUCCESS;
}
#define MUSOLVER_ORDER(name, order)                                                           \
  inline musolverStatus_t name(Settings&, int n, int nnz, MatDescr descr, const int* offsets, \
                               const int* columns, int* p) {                                  \
    return orderRows(n, nnz, descr, offsets, columns, p, order);                              \
  }
MUSOLVER_ORDER(csrsymrcmHost, reverseCuthillMcKee)
MUSOLVER_ORDER(csrsymmdqHost, minimumDegree)
MUSOLVER_ORDER(csrsymamdHost, minimumDegree)
#undef MUSOLVER_ORDER
// METIS's options have no counterpart in this dissection.
inline musolverStatus_t csrmetisndHost(Settings&, int n, int nnz, MatDescr descr, const int* offsets,
                                       const int* columns, const int64_t* /*options*/, int* p) {
  return orderRows(n, nnz, descr, offsets, columns, p, nestedDissection);
}

// An order of the rows that brings elements onto the diagonal.
template <class T>
musolverStatus_t csrzfdHost(Settings&, int n, int nnz, MatDescr descr, const T* values, const int* offsets,
                            const int* columns, int* P, int* numnz) {
  MUSOLVER_TRY(checkMatrix(n, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(values && P && numnz);
  int matched = 0;
  std::vector<int> rows = matchRows(patternOf(n, offsets, offsets + 1, columns, descr->base), n, matched);
  std::vector<char> used(static_cast<size_t>(n), 0);
  for (const int row : rows)
    if (row >= 0) used[static_cast<size_t>(row)] = 1;
  int next = 0;  // rows that have no column of their own take what is left
  for (int& row : rows)
    if (row < 0) {
      while (used[static_cast<size_t>(next)]) ++next;
      row = next;
      used[static_cast<size_t>(next)] = 1;
    }
  std::copy(rows.begin(), rows.end(), P);
  *numnz = matched;
  return MUSOLVER_STATUS_SUCCESS;
}

inline musolverStatus_t csrpermSizeHost(Settings&, int m, int n, int nnz, MatDescr descr, const int* offsets,
                                        const int* columns, const int* p, const int* q, size_t* bytes) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(n >= 0 && p && q && bytes);
  *bytes = std::max<size_t>(1, static_cast<size_t>(nnz)) * sizeof(int);
  return MUSOLVER_STATUS_SUCCESS;
}
// Row i becomes what row p[i] was, column j what column q[j] was. `map` goes along with the elements.
inline musolverStatus_t csrpermHost(Settings&, int m, int n, int nnz, MatDescr descr, int* offsets,
                                    int* columns, const int* p, const int* q, int* map, void*) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(n >= 0 && p && q && map);
  const int base = descr->base;
  std::vector<int> place(static_cast<size_t>(n));
  for (int j = 0; j < n; ++j) place[static_cast<size_t>(q[j])] = j;
  std::vector<int> newOffsets{base}, newColumns, newMap;
  for (int i = 0; i < m; ++i) {
    std::multimap<int, int> row;
    for (int k = offsets[p[i]] - base; k < offsets[p[i] + 1] - base; ++k)
      row.emplace(place[static_cast<size_t>(columns[k] - base)], map[k]);
    for (const auto& [column, from] : row) {
      newColumns.push_back(column + base);
      newMap.push_back(from);
    }
    newOffsets.push_back(static_cast<int>(newColumns.size()) + base);
  }
  std::copy(newOffsets.begin(), newOffsets.end(), offsets);
  std::copy(newColumns.begin(), newColumns.end(), columns);
  std::copy(newMap.begin(), newMap.end(), map);
  return MUSOLVER_STATUS_SUCCESS;
}

}  // namespace musashim::musolver
