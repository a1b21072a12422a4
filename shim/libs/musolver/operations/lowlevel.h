// Factors that programs keep: analysed, made, asked for their first bad pivot, used. Those for the device do
// the same as work on its stream, and wait where they answer.
#pragma once

#include <musolverSp_LOWLEVEL_PREVIEW.h>

#include "libs/musolver/operations/sparse.h"

struct csrluInfoHost : musolverFactored {};
struct csrqrInfoHost : musolverFactored {};
struct csrcholInfoHost : musolverFactored {};
struct csrcholInfo : musolverFactored {};

namespace musashim::musolver {

template <class F>
struct Kept : KeptFactors {
  F factors;
  int zeroPivot(double tolerance) const override { return factors.zeroPivot(tolerance); }
};
// What was matrices' rows between Setup and Factor.
template <class V>
struct KeptRows : KeptFactors {
  SparseRows<V> rows;
  int zeroPivot(double) const override { return -1; }
};

template <class Info>
constexpr bool kOnHost = !std::is_same_v<Info, csrqrInfo> && !std::is_same_v<Info, csrcholInfo>;

// On the caller's thread with the host's memory, or as work on the stream with the device's.
template <class Info, class Work>
musolverStatus_t runFor(Settings& self, Work&& work) {
  if constexpr (kOnHost<Info>) {
    work();
    return MUSOLVER_STATUS_SUCCESS;
  } else {
    return runNow(self, std::forward<Work>(work));
  }
}

template <class Info>
musolverStatus_t analyse(Settings& self, int m, int nnz, MatDescr descr, const int* offsets,
                         const int* columns, Info* info) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(info);
  info->nnz = nnz, info->analysed = true;
  (void)self;
  return MUSOLVER_STATUS_SUCCESS;
}
template <class T>
musolverStatus_t answerFactors(const musolverFactored* info, size_t* inside, size_t* work) {
  MUSOLVER_REQUIRE(info && info->analysed && inside && work);
  *inside = *work = std::max<size_t>(1, static_cast<size_t>(info->nnz)) * sizeof(T);
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t firstZero(const musolverFactored* info, double tolerance, int* position) {
  MUSOLVER_REQUIRE(info && info->kept && position);
  *position = info->kept->zeroPivot(tolerance);
  return MUSOLVER_STATUS_SUCCESS;
}
template <class F, class T, class Info>
musolverStatus_t solveFactored(Settings& self, int rows, const T* b, T* x, const Info* info) {
  MUSOLVER_REQUIRE(info && b && x);
  const auto* const kept = dynamic_cast<const Kept<F>*>(info->kept.get());
  MUSOLVER_REQUIRE(kept);  // of another type, or none yet
  return runFor<Info>(self, [=] {
    std::vector<ValueOf<T>> solution;
    kept->factors.solve(std::vector<ValueOf<T>>(asValues(b), asValues(b) + rows), solution);
    std::copy(solution.begin(), solution.end(), asValues(x));
  });
}
// The matrix comes with the call that factors.
template <class F, class T, class Info>
musolverStatus_t factorMatrix(Settings& self, int n, int nnz, MatDescr descr, const T* values,
                              const int* offsets, const int* columns, Info* info) {
  MUSOLVER_TRY(checkMatrix(n, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(info && info->analysed && values);
  return runFor<Info>(self, [=, base = static_cast<int>(descr->base)] {
    auto kept = std::make_shared<Kept<F>>();
    kept->factors.factor(rowsOf(n, asValues(values), offsets, columns, base), 0);
    info->kept = kept;
  });
}

// `Side`: Host, or nothing for the device.
#define MUSOLVER_KEPT(Name, name, Side, Type)                                                    \
  inline musolverStatus_t createC##Name##Info##Side(Type*& info) {                               \
    info = new Type;                                                                             \
    return MUSOLVER_STATUS_SUCCESS;                                                              \
  }                                                                                              \
  inline musolverStatus_t destroyC##Name##Info##Side(Type& info) {                               \
    delete &info;                                                                                \
    return MUSOLVER_STATUS_SUCCESS;                                                              \
  }                                                                                              \
  template <class R>                                                                             \
  musolverStatus_t c##name##ZeroPivot##Side(Settings&, Type* info, R tolerance, int* position) { \
    return firstZero(info, static_cast<double>(tolerance), position);                            \
  }
#define MUSOLVER_SYMMETRIC(name, Side, Info, Factors)                                                      \
  inline musolverStatus_t name##Analysis##Side(Settings& self, int n, int nnz, MatDescr descr,             \
                                               const int* offsets, const int* columns, Info* info) {       \
    return analyse(self, n, nnz, descr, offsets, columns, info);                                           \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##BufferInfo##Side(Settings&, int, int, MatDescr, const T*, const int*, const int*, \
                                          Info* info, size_t* inside, size_t* work) {                      \
    return answerFactors<T>(info, inside, work);                                                           \
  }                                                                                                        \
  template <class T, class... Threshold>                                                                   \
  musolverStatus_t name##Factor##Side(Settings& self, int n, int nnz, MatDescr descr, const T* values,     \
                                      const int* offsets, const int* columns, Info* info, Threshold...) {  \
    return factorMatrix<Factors<ValueOf<T>>>(self, n, nnz, descr, values, offsets, columns, info);         \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##Solve##Side(Settings& self, int n, const T* b, T* x, Info* info, void*) {         \
    return solveFactored<Factors<ValueOf<T>>>(self, n, b, x, info);                                        \
  }
#define MUSOLVER_RECTANGULAR(name, Side, Info)                                                             \
  inline musolverStatus_t name##Analysis##Side(Settings& self, int m, int, int nnz, MatDescr descr,        \
                                               const int* offsets, const int* columns, Info* info) {       \
    return analyse(self, m, nnz, descr, offsets, columns, info);                                           \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##BufferInfo##Side(Settings&, int, int, int, MatDescr, const T*, const int*,        \
                                          const int*, Info* info, size_t* inside, size_t* work) {          \
    return answerFactors<T>(info, inside, work);                                                           \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##Setup##Side(Settings& self, int m, int, int nnz, MatDescr descr, const T* values, \
                                     const int* offsets, const int* columns, T mu, Info* info) {           \
    return setUp(self, m, nnz, descr, values, offsets, columns, mu, info);                                 \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##Factor##Side(Settings& self, int m, int n, int, T* b, T* x, Info* info, void*) {  \
    return factorQr(self, m, n, b, x, info);                                                               \
  }                                                                                                        \
  template <class T>                                                                                       \
  musolverStatus_t name##Solve##Side(Settings& self, int m, int, T* b, T* x, Info* info, void*) {          \
    return solveFactored<QrFactors<ValueOf<T>>>(self, m, static_cast<const T*>(b), x, info);               \
  }

// The rows of A - mu.
template <class T, class Info>
musolverStatus_t setUp(Settings& self, int m, int nnz, MatDescr descr, const T* values, const int* offsets,
                       const int* columns, T mu, Info* info) {
  MUSOLVER_TRY(checkMatrix(m, nnz, descr, offsets, columns));
  MUSOLVER_REQUIRE(info && info->analysed && values);
  return runFor<Info>(self, [=, base = static_cast<int>(descr->base)] {
    auto kept = std::make_shared<KeptRows<ValueOf<T>>>();
    kept->rows = rowsOf(m, asValues(values), offsets, columns, base);
    const auto shift = *asValues(&mu);
    if (shift != ValueOf<T>(0)) kept->rows = shiftedBy(std::move(kept->rows), shift);
    info->kept = kept;
  });
}
// Solves as well where it is given a right-hand side.
template <class T, class Info>
musolverStatus_t factorQr(Settings& self, int m, int n, T* b, T* x, Info* info) {
  MUSOLVER_REQUIRE(info);
  const auto rows = std::dynamic_pointer_cast<KeptRows<ValueOf<T>>>(info->kept);
  MUSOLVER_REQUIRE(rows);
  auto kept = std::make_shared<Kept<QrFactors<ValueOf<T>>>>();
  MUSOLVER_TRY(runFor<Info>(self, [=] { kept->factors.factor(std::move(rows->rows), n, 0); }));
  info->kept = kept;
  if (!b || !x) return MUSOLVER_STATUS_SUCCESS;
  return solveFactored<QrFactors<ValueOf<T>>>(self, m, static_cast<const T*>(b), x, info);
}

MUSOLVER_KEPT(srlu, srlu, Host, csrluInfoHost)
MUSOLVER_KEPT(srqr, srqr, Host, csrqrInfoHost)
MUSOLVER_KEPT(srchol, srchol, Host, csrcholInfoHost)
MUSOLVER_KEPT(srchol, srchol, , csrcholInfo)
template <class R>
musolverStatus_t csrqrZeroPivot(Settings&, csrqrInfo* info, R tolerance, int* position) {
  return firstZero(info, static_cast<double>(tolerance), position);
}
MUSOLVER_SYMMETRIC(csrlu, Host, csrluInfoHost, LuFactors)
MUSOLVER_SYMMETRIC(csrchol, Host, csrcholInfoHost, CholeskyFactors)
MUSOLVER_SYMMETRIC(csrchol, , csrcholInfo, CholeskyFactors)
MUSOLVER_RECTANGULAR(csrqr, Host, csrqrInfoHost)
MUSOLVER_RECTANGULAR(csrqr, , csrqrInfo)
#undef MUSOLVER_RECTANGULAR
#undef MUSOLVER_SYMMETRIC
#undef MUSOLVER_KEPT

template <class R>
musolverStatus_t csrcholDiag(Settings& self, csrcholInfo* info, R* diag) {
  MUSOLVER_REQUIRE(info && diag);
  const auto copy = [&](const auto* kept) {
    return runNow(self,
                  [=] { std::copy(kept->factors.diagonal().begin(), kept->factors.diagonal().end(), diag); });
  };
  if (const auto* real = dynamic_cast<const Kept<CholeskyFactors<R>>*>(info->kept.get())) return copy(real);
  if (const auto* complex = dynamic_cast<const Kept<CholeskyFactors<std::complex<R>>>*>(info->kept.get()))
    return copy(complex);
  return MUSOLVER_STATUS_INVALID_VALUE;
}

// -- P A Q^T = L U; P leaves rows where they are, L's ones are not stored --

template <class V>
int countElements(const SparseRows<V>& rows) {
  int count = 0;
  for (const auto& row : rows) count += static_cast<int>(row.columns.size());
  return count;
}
inline musolverStatus_t csrluNnzHost(Settings&, int* nnzL, int* nnzU, csrluInfoHost* info) {
  MUSOLVER_REQUIRE(info && nnzL && nnzU);
  const auto count = [&]<class V>(V) {
    const auto* const kept = dynamic_cast<const Kept<LuFactors<V>>*>(info->kept.get());
    if (!kept) return false;
    *nnzL = countElements(kept->factors.lower());
    *nnzU = countElements(kept->factors.upper());
    return true;
  };
  MUSOLVER_REQUIRE(count(float()) || count(double()) || count(std::complex<float>()) ||
                   count(std::complex<double>()));
  return MUSOLVER_STATUS_SUCCESS;
}
template <class V, class Number>
void copyRows(const SparseRows<V>& rows, int base, V* values, int* offsets, int* columns, Number&& number) {
  int next = 0;
  offsets[0] = base;
  for (size_t row = 0; row < rows.size(); ++row) {
    std::map<int, V> sorted;
    for (size_t k = 0; k < rows[row].columns.size(); ++k)
      sorted[number(rows[row].columns[k])] = rows[row].values[k];
    for (const auto& [column, value] : sorted) {
      columns[next] = column + base;
      values[next++] = value;
    }
    offsets[row + 1] = next + base;
  }
}
template <class T>
musolverStatus_t csrluExtractHost(Settings&, int* P, int* Q, MatDescr descrL, T* valuesL, int* offsetsL,
                                  int* columnsL, MatDescr descrU, T* valuesU, int* offsetsU, int* columnsU,
                                  csrluInfoHost* info, void*) {
  MUSOLVER_REQUIRE(info && P && Q && descrL && descrU);
  const auto* const kept = dynamic_cast<const Kept<LuFactors<ValueOf<T>>>*>(info->kept.get());
  MUSOLVER_REQUIRE(kept);
  const auto& factors = kept->factors;
  for (size_t i = 0; i < factors.columnOrder().size(); ++i) {
    P[i] = static_cast<int>(i);
    Q[i] = factors.columnOrder()[i];
  }
  copyRows(factors.lower(), descrL->base, asValues(valuesL), offsetsL, columnsL,
           [](int step) { return step; });
  copyRows(factors.upper(), descrU->base, asValues(valuesU), offsetsU, columnsU,
           [&](int column) { return factors.stepOf(column); });
  return MUSOLVER_STATUS_SUCCESS;
}

}  // namespace musashim::musolver
