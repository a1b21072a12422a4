// Many matrices of one pattern that are factored again at once, and factors in host memory.
#pragma once

#include <cstdlib>
#include <cstring>

#include "libs/musolver/operations/refactorisation.h"

namespace musashim::musolver {

// The factors of each matrix start from the same pattern.
inline musolverStatus_t setUpBatch(Rf& self, int batchSize, int n, const RfMatrix& pattern,
                                   const double* const* values, const RfMatrix& l, const RfMatrix& u,
                                   const int* P, const int* Q) {
  std::vector<std::shared_ptr<Rf::Factors>> batch;
  for (int i = 0; i < batchSize; ++i) {
    MUSOLVER_REQUIRE(values[i]);
    RfMatrix a = pattern;
    a.values = values[i];
    MUSOLVER_TRY(setUpFactors(self, n, a, l, u, P, Q));
    batch.push_back(self.factors);
  }
  self.batch = std::move(batch);
  return MUSOLVER_STATUS_SUCCESS;
}

inline musolverStatus_t rfBatchAnalyze(Rf& self) {
  MUSOLVER_REQUIRE(!self.batch.empty());
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfBatchRefactor(Rf& self) {
  MUSOLVER_REQUIRE(!self.batch.empty());
  return runNow(self.settings, [batch = self.batch, zero = self.zero, boost = self.boost] {
    for (const auto& factors : batch) refactor(*factors, zero, boost);
  });
}
// XF[i] holds the right-hand sides of matrix i, and then its solutions.
inline musolverStatus_t rfBatchSolve(Rf& self, int* P, int* Q, int nrhs, double* Temp, int ldt, double** XF,
                                     int ldxf) {
  MUSOLVER_REQUIRE(!self.batch.empty() && P && Q && nrhs >= 0 && Temp && XF);
  MUSOLVER_REQUIRE(leads(ldt, self.batch[0]->n) && leads(ldxf, self.batch[0]->n));
  const std::vector<double*> places(XF, XF + self.batch.size());
  return enqueue(self.settings, [=, batch = self.batch] {
    for (size_t i = 0; i < batch.size(); ++i)
      for (ptrdiff_t column = 0; column < nrhs; ++column)
        solveRefactored(*batch[i], Q, places[i] + column * ldxf);
  });
}
// The first row of each whose pivot is 0, or -1.
inline musolverStatus_t rfBatchZeroPivot(Rf& self, int* position) {
  MUSOLVER_REQUIRE(!self.batch.empty() && position);
  for (size_t i = 0; i < self.batch.size(); ++i) position[i] = self.batch[i]->zeroPivot;
  return MUSOLVER_STATUS_SUCCESS;
}

// -- Factors for the host, in memory that the caller frees --

// Rows of the factors as far as `belongs(row, column)` says; 1 on L's diagonal where it is wanted.
class ExtractedRows {
 public:
  template <class Belongs>
  ExtractedRows(const Rf::Factors& f, bool unitDiagonal, Belongs&& belongs) {
    offsets_.push_back(0);
    for (int row = 0; row < f.n; ++row) {
      const auto at = static_cast<size_t>(row);
      for (int k = f.offsets[at]; k < f.offsets[at + 1]; ++k) {
        const int column = f.columns[static_cast<size_t>(k)];
        if (!belongs(row, column)) continue;
        columns_.push_back(column);
        values_.push_back(unitDiagonal && row == column ? 1 : f.values[static_cast<size_t>(k)]);
      }
      offsets_.push_back(static_cast<int>(columns_.size()));
    }
  }
  void give(int* nnz, int** offsets, int** columns, double** values) const {
    *nnz = static_cast<int>(columns_.size());
    *offsets = copy(offsets_);
    *columns = copy(columns_);
    *values = copy(values_);
  }

 private:
  template <class T>
  static T* copy(const std::vector<T>& from) {
    void* const to = std::malloc(std::max<size_t>(1, from.size()) * sizeof(T));
    if (!to) throw std::bad_alloc();
    std::memcpy(to, from.data(), from.size() * sizeof(T));
    return static_cast<T*>(to);
  }

  std::vector<int> offsets_, columns_;
  std::vector<double> values_;
};

inline musolverStatus_t rfExtractBundledFactorsHost(Rf& self, int* nnz, int** offsets, int** columns,
                                                    double** values) {
  MUSOLVER_REQUIRE(self.factors && nnz && offsets && columns && values);
  ExtractedRows(*self.factors, false, [](int, int) { return true; }).give(nnz, offsets, columns, values);
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t rfExtractSplitFactorsHost(Rf& self, int* nnzL, int** offsetsL, int** columnsL,
                                                  double** valuesL, int* nnzU, int** offsetsU, int** columnsU,
                                                  double** valuesU) {
  MUSOLVER_REQUIRE(self.factors && nnzL && offsetsL && columnsL && valuesL);
  MUSOLVER_REQUIRE(nnzU && offsetsU && columnsU && valuesU);
  const bool stored = self.diagonal != MUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L;
  ExtractedRows(*self.factors, true, [&](int row, int column) {
    return stored ? column <= row : column < row;
  }).give(nnzL, offsetsL, columnsL, valuesL);
  ExtractedRows(*self.factors, false, [](int row, int column) {
    return column >= row;
  }).give(nnzU, offsetsU, columnsU, valuesU);
  return MUSOLVER_STATUS_SUCCESS;
}

}  // namespace musashim::musolver
