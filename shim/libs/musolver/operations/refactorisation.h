// Factors of matrices of one pattern: A's elements go where L and U have theirs, and no pivots are searched
// for.
#pragma once

#include <musolverRf.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "libs/musolver/operations/work.h"

// What a handle holds. Rows are those of P A Q^T; factors are told to work that may still run when they
// change.
struct musolverRfCommon {
  struct Factors {
    int n = 0;
    std::vector<int> offsets, columns, diagonal;  // of L and U in one; where rows have their diagonal
    std::vector<double> values;
    std::vector<int> rows, inverse;  // P, and the new number of every old column
    bool boosted = false;
    int zeroPivot = -1;  // the first row whose pivot is 0
  };
  musolverRfMatrixFormat_t format = MUSOLVERRF_MATRIX_FORMAT_CSR;
  musolverRfUnitDiagonal_t diagonal = MUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  musolverRfFactorization_t factorization = MUSOLVERRF_FACTORIZATION_ALG0;
  musolverRfTriangularSolve_t solution = MUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  musolverRfResetValuesFastMode_t fast = MUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  double zero = 0, boost = 0;
  std::shared_ptr<Factors> factors;
  std::vector<std::shared_ptr<Factors>> batch;
  musashim::musolver::Settings settings;  // the default stream's
};

namespace musashim::musolver {

using Rf = musolverRfCommon;

// Matrices as the caller has them, in memory that may be touched.
struct RfMatrix {
  int nnz;
  const int *offsets, *columns;
  const double* values;
};

// Puts A's elements where they belong; what only factors have becomes 0.
inline void resetValues(Rf::Factors& f, const RfMatrix& a) {
  std::fill(f.values.begin(), f.values.end(), 0);
  std::vector<int> place(static_cast<size_t>(f.n), -1);
  for (int row = 0; row < f.n; ++row) {
    const auto at = static_cast<size_t>(row);
    for (int k = f.offsets[at]; k < f.offsets[at + 1]; ++k)
      place[static_cast<size_t>(f.columns[static_cast<size_t>(k)])] = k;
    const int from = f.rows[at];
    for (int k = a.offsets[from]; k < a.offsets[from + 1]; ++k) {
      const int to = place[static_cast<size_t>(f.inverse[static_cast<size_t>(a.columns[k])])];
      if (to >= 0) f.values[static_cast<size_t>(to)] = a.values[k];
    }
    for (int k = f.offsets[at]; k < f.offsets[at + 1]; ++k)
      place[static_cast<size_t>(f.columns[static_cast<size_t>(k)])] = -1;
  }
}

inline musolverStatus_t setUpFactors(Rf& self, int n, const RfMatrix& a, const RfMatrix& l, const RfMatrix& u,
                                     const int* P, const int* Q) {
  if (self.format != MUSOLVERRF_MATRIX_FORMAT_CSR) return MUSOLVER_STATUS_NOT_SUPPORTED;
  auto f = std::make_shared<Rf::Factors>();
  f->n = n;
  f->rows.assign(P, P + n);
  f->inverse.resize(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) f->inverse[static_cast<size_t>(Q[i])] = i;
  f->offsets.push_back(0);
  for (int row = 0; row < n; ++row) {
    std::vector<int> columns{row};
    for (const RfMatrix* part : {&l, &u})
      columns.insert(columns.end(), part->columns + part->offsets[row],
                     part->columns + part->offsets[row + 1]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    f->diagonal.push_back(
        f->offsets.back() +
        static_cast<int>(std::lower_bound(columns.begin(), columns.end(), row) - columns.begin()));
    f->columns.insert(f->columns.end(), columns.begin(), columns.end());
    f->offsets.push_back(static_cast<int>(f->columns.size()));
  }
  f->values.resize(f->columns.size());
  resetValues(*f, a);
  self.factors = std::move(f);
  return MUSOLVER_STATUS_SUCCESS;
}

// L has ones on its diagonal.
inline void refactor(Rf::Factors& f, double zero, double boost) {
  std::vector<int> place(static_cast<size_t>(f.n), -1);
  f.boosted = false;
  f.zeroPivot = -1;
  for (size_t row = 0; row < static_cast<size_t>(f.n); ++row) {
    const int begin = f.offsets[row], end = f.offsets[row + 1];
    const auto column = [&](int k) { return static_cast<size_t>(f.columns[static_cast<size_t>(k)]); };
    const auto value = [&](int k) -> double& { return f.values[static_cast<size_t>(k)]; };
    for (int k = begin; k < end; ++k) place[column(k)] = k;
    for (int k = begin; k < f.diagonal[row]; ++k) {
      const size_t step = column(k);
      const double factor = value(k) /= value(f.diagonal[step]);
      for (int j = f.diagonal[step] + 1; j < f.offsets[step + 1]; ++j)
        if (const int to = place[column(j)]; to >= 0) value(to) -= factor * value(j);
    }
    double& pivot = value(f.diagonal[row]);
    if (zero > 0 && std::abs(pivot) < zero) {
      pivot = std::copysign(boost, pivot);
      f.boosted = true;
    }
    if (f.zeroPivot < 0 && pivot == 0) f.zeroPivot = static_cast<int>(row);
    for (int k = begin; k < end; ++k) place[column(k)] = -1;
  }
}

inline void solveRefactored(const Rf::Factors& f, const int* Q, double* x) {
  std::vector<double> y(static_cast<size_t>(f.n));
  const auto column = [&](int k) { return static_cast<size_t>(f.columns[static_cast<size_t>(k)]); };
  for (size_t row = 0; row < y.size(); ++row) {
    double sum = x[f.rows[row]];
    for (int k = f.offsets[row]; k < f.diagonal[row]; ++k)
      sum -= f.values[static_cast<size_t>(k)] * y[column(k)];
    y[row] = sum;
  }
  for (size_t row = y.size(); row-- > 0;) {
    for (int k = f.diagonal[row] + 1; k < f.offsets[row + 1]; ++k)
      y[row] -= f.values[static_cast<size_t>(k)] * y[column(k)];
    y[row] /= f.values[static_cast<size_t>(f.diagonal[row])];
  }
  for (int i = 0; i < f.n; ++i) x[Q[i]] = y[static_cast<size_t>(i)];
}

// -- Entries whose first argument is the handle --

inline musolverStatus_t rfCreate(Rf*& handle) {
  handle = new Rf;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfDestroy(Rf& self) {
  delete &self;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfSetMatrixFormat(Rf& self, musolverRfMatrixFormat_t format,
                                          musolverRfUnitDiagonal_t diag) {
  self.format = format;
  self.diagonal = diag;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfGetMatrixFormat(Rf& self, musolverRfMatrixFormat_t* format,
                                          musolverRfUnitDiagonal_t* diag) {
  MUSOLVER_REQUIRE(format && diag);
  *format = self.format;
  *diag = self.diagonal;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfSetNumericProperties(Rf& self, double zero, double boost) {
  self.zero = zero;
  self.boost = boost;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfGetNumericProperties(Rf& self, double* zero, double* boost) {
  MUSOLVER_REQUIRE(zero && boost);
  *zero = self.zero;
  *boost = self.boost;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfSetAlgs(Rf& self, musolverRfFactorization_t factorization,
                                  musolverRfTriangularSolve_t solution) {
  self.factorization = factorization;
  self.solution = solution;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfGetAlgs(Rf& self, musolverRfFactorization_t* factorization,
                                  musolverRfTriangularSolve_t* solution) {
  MUSOLVER_REQUIRE(factorization && solution);
  *factorization = self.factorization;
  *solution = self.solution;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfSetResetValuesFastMode(Rf& self, musolverRfResetValuesFastMode_t mode) {
  self.fast = mode;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfGetResetValuesFastMode(Rf& self, musolverRfResetValuesFastMode_t* mode) {
  MUSOLVER_REQUIRE(mode);
  *mode = self.fast;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfGetNumericBoostReport(Rf& self, musolverRfNumericBoostReport_t* report) {
  MUSOLVER_REQUIRE(report && self.factors);
  *report = self.factors->boosted ? MUSOLVERRF_NUMERIC_BOOST_USED : MUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  return MUSOLVER_STATUS_SUCCESS;
}
// Rows are factored one after the other: there is nothing to find out.
inline musolverStatus_t rfAnalyze(Rf& self) {
  MUSOLVER_REQUIRE(self.factors);
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfRefactor(Rf& self) {
  MUSOLVER_REQUIRE(self.factors);
  return runNow(self.settings,
                [f = self.factors, zero = self.zero, boost = self.boost] { refactor(*f, zero, boost); });
}
inline musolverStatus_t rfSolve(Rf& self, int* P, int* Q, int nrhs, double* Temp, int ldt, double* XF,
                                int ldxf) {
  MUSOLVER_REQUIRE(self.factors && P && Q && nrhs >= 0 && Temp && XF);
  MUSOLVER_REQUIRE(leads(ldt, self.factors->n) && leads(ldxf, self.factors->n));
  return enqueue(self.settings, [=, f = self.factors] {
    for (ptrdiff_t i = 0; i < nrhs; ++i) solveRefactored(*f, Q, XF + i * ldxf);
  });
}

}  // namespace musashim::musolver
