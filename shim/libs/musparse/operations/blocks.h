// Products and solutions with matrices of blocks (BSR), and of a dense matrix with a sparse vector.
#pragma once

#include "libs/musparse/matrix/triangle.h"
#include "libs/musparse/operations/incomplete.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t checkBlocks(musparseDirection_t direction, const musparseMatDescr* descr, int block) {
  MUSPARSE_REQUIRE(isDirection(direction) && descr && block > 0);
  return descr->type == MUSPARSE_MATRIX_TYPE_GENERAL ? MUSPARSE_STATUS_SUCCESS
                                                     : MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

// y = alpha sum + beta y
template <class V>
void combine(V& y, V alpha, V sum, V beta) {
  y = beta == V(0) ? times(alpha, sum) : times(alpha, sum) + times(beta, y);
}

template <class T>
musparseStatus_t bsrmv(Settings& self, musparseDirection_t dirA, musparseOperation_t transA, int mb, int nb,
                       int nnzb, const T* alpha, const musparseMatDescr* descrA, const T* values,
                       const int* offsets, const int* columns, int blockDim, const T* x, const T* beta,
                       T* y) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkBlocks(dirA, descrA, blockDim));
  MUSPARSE_REQUIRE(mb >= 0 && nb >= 0 && nnzb >= 0 && alpha && beta);
  MUSPARSE_REQUIRE(!isTurned(transA));
  return enqueue(
      self,
      [a = bsrMatrix(dirA, mb, nb, nnzb, *descrA, values, offsets, columns, blockDim, blockDim),
       from = asValues(x), to = asValues(y), factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
        const auto* const elements = static_cast<const V*>(a.values);
        std::vector<V> sums(at(a.rows));
        eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
          sums[at(row)] += times(elements[place], from[column]);
        });
        for (int64_t row = 0; row < a.rows; ++row) combine(to[row], factor.get(), sums[at(row)], old.get());
      });
}

// Rows of blocks that `mask` names, each with a begin and an end of its own; the others of y stay.
template <class T>
musparseStatus_t bsrxmv(Settings& self, musparseDirection_t dirA, musparseOperation_t transA, int sizeOfMask,
                        int mb, int nb, int nnzb, const T* alpha, const musparseMatDescr* descrA,
                        const T* values, const int* mask, const int* begins, const int* ends,
                        const int* columns, int blockDim, const T* x, const T* beta, T* y) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkBlocks(dirA, descrA, blockDim));
  MUSPARSE_REQUIRE(mb >= 0 && nb >= 0 && nnzb >= 0 && sizeOfMask >= 0 && alpha && beta);
  MUSPARSE_SUPPORT(!isTurned(transA) && blockDim > 1);
  return enqueue(
      self, [=, base = static_cast<int64_t>(descrA->base), from = asValues(x), to = asValues(y),
             elements = asValues(values), factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
        const int64_t block = blockDim;
        std::vector<V> sums(at(block));
        for (int i = 0; i < sizeOfMask; ++i) {
          const int64_t line = mask[i] - base;
          std::fill(sums.begin(), sums.end(), V(0));
          for (int64_t k = begins[line] - base; k < ends[line] - base; ++k)
            for (int64_t row = 0; row < block; ++row)
              for (int64_t column = 0; column < block; ++column) {
                const int64_t within =
                    dirA == MUSPARSE_DIRECTION_ROW ? row * block + column : column * block + row;
                sums[at(row)] +=
                    times(elements[k * block * block + within], from[(columns[k] - base) * block + column]);
              }
          for (int64_t row = 0; row < block; ++row)
            combine(to[line * block + row], factor.get(), sums[at(row)], old.get());
        }
      });
}

template <class T>
musparseStatus_t bsrmm(Settings& self, musparseDirection_t dirA, musparseOperation_t transA,
                       musparseOperation_t transB, int mb, int n, int kb, int nnzb, const T* alpha,
                       const musparseMatDescr* descrA, const T* values, const int* offsets,
                       const int* columns, int blockSize, const T* B, int ldb, const T* beta, T* C, int ldc) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkBlocks(dirA, descrA, blockSize));
  MUSPARSE_REQUIRE(mb >= 0 && n >= 0 && kb >= 0 && nnzb >= 0 && alpha && beta);
  MUSPARSE_REQUIRE(!isTurned(transA) && isOperation(transB) &&
                   transB != MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  return enqueue(
      self, [=, a = bsrMatrix(dirA, mb, kb, nnzb, *descrA, values, offsets, columns, blockSize, blockSize),
             factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
        const auto* const elements = static_cast<const V*>(a.values);
        const V* const right = asValues(B);
        const int64_t down = isTurned(transB) ? ldb : 1, along = isTurned(transB) ? 1 : ldb;
        std::vector<V> sums(at(a.rows * n));
        eachEntry(a, [&](int64_t row, int64_t inner, int64_t place) {
          for (int64_t column = 0; column < n; ++column)
            sums[at(row * n + column)] += times(elements[place], right[inner * down + column * along]);
        });
        for (int64_t column = 0; column < n; ++column)
          for (int64_t row = 0; row < a.rows; ++row)
            combine(asValues(C)[column * ldc + row], factor.get(), sums[at(row * n + column)], old.get());
      });
}

// -- Triangular solutions --

inline musparseStatus_t bsrsv2ZeroPivot(Settings& self, bsrsv2Info* info, int* position) {
  return answerPivot(self, info, position);
}
inline musparseStatus_t bsrsm2ZeroPivot(Settings& self, bsrsm2Info* info, int* position) {
  return answerPivot(self, info, position);
}

template <class Info>
musparseStatus_t checkSystem(musparseDirection_t direction, musparseOperation_t op, int mb, int nnzb,
                             const musparseMatDescr* descr, int block, const Info* info) {
  MUSPARSE_TRY(checkBlocks(direction, descr, block));
  MUSPARSE_REQUIRE(mb >= 0 && nnzb >= 0 && info && isOperation(op));
  return MUSPARSE_STATUS_SUCCESS;
}

// The first block row whose diagonal is not whole.
template <class V>
int zeroBlock(const Triangle<V>& triangle, int64_t block) {
  const int64_t row = triangle.firstZero(true);
  return row < 0 ? -1 : static_cast<int>(row / block);
}

template <class T>
musparseStatus_t bsrsv2BufferSize(Settings&, musparseDirection_t dirA, musparseOperation_t transA, int mb,
                                  int nnzb, const musparseMatDescr* descrA, T*, const int*, const int*,
                                  int blockDim, bsrsv2Info* info, int* size) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockDim, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t bsrsv2BufferSizeExt(Settings&, musparseDirection_t dirA, musparseOperation_t transA, int mb,
                                     int nnzb, const musparseMatDescr* descrA, T*, const int*, const int*,
                                     int blockDim, bsrsv2Info* info, size_t* size) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockDim, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t bsrsv2Analysis(Settings& self, musparseDirection_t dirA, musparseOperation_t transA, int mb,
                                int nnzb, const musparseMatDescr* descrA, const T* values, const int* offsets,
                                const int* columns, int blockDim, bsrsv2Info* info, musparseSolvePolicy_t,
                                void*) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockDim, info));
  return analysePivots(
      self, bsrMatrix(dirA, mb, mb, nnzb, *descrA, values, offsets, columns, blockDim, blockDim), *info);
}
template <class T>
musparseStatus_t bsrsv2Solve(Settings& self, musparseDirection_t dirA, musparseOperation_t transA, int mb,
                             int nnzb, const T* alpha, const musparseMatDescr* descrA, const T* values,
                             const int* offsets, const int* columns, int blockDim, bsrsv2Info* info,
                             const T* f, T* x, musparseSolvePolicy_t, void*) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockDim, info));
  MUSPARSE_REQUIRE(alpha);
  return enqueue(self,
                 [=, a = bsrMatrix(dirA, mb, mb, nnzb, *descrA, values, offsets, columns, blockDim, blockDim),
                  pivot = info->pivot, factor = Scalar<V>(self, alpha)] {
                   const Triangle<V> triangle = triangleOf<V>(a, transA);
                   pivot->numerical = zeroBlock(triangle, a.blockRows);
                   std::vector<V> solution(at(a.rows));
                   for (int64_t i = 0; i < a.rows; ++i) solution[at(i)] = times(factor.get(), asValues(f)[i]);
                   triangle.solve(solution.data(), 1);
                   std::copy(solution.begin(), solution.end(), asValues(x));
                 });
}

template <class T>
musparseStatus_t bsrsm2BufferSize(Settings&, musparseDirection_t dirA, musparseOperation_t transA,
                                  musparseOperation_t, int mb, int /*n*/, int nnzb,
                                  const musparseMatDescr* descrA, T*, const int*, const int*, int blockSize,
                                  bsrsm2Info* info, int* size) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockSize, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t bsrsm2BufferSizeExt(Settings&, musparseDirection_t dirA, musparseOperation_t transA,
                                     musparseOperation_t, int mb, int /*n*/, int nnzb,
                                     const musparseMatDescr* descrA, T*, const int*, const int*,
                                     int blockSize, bsrsm2Info* info, size_t* size) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockSize, info));
  return answerSize(size);
}
template <class T>
musparseStatus_t bsrsm2Analysis(Settings& self, musparseDirection_t dirA, musparseOperation_t transA,
                                musparseOperation_t, int mb, int n, int nnzb, const musparseMatDescr* descrA,
                                const T* values, const int* offsets, const int* columns, int blockSize,
                                bsrsm2Info* info, musparseSolvePolicy_t, void*) {
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockSize, info));
  MUSPARSE_REQUIRE(n >= 0);
  return analysePivots(
      self, bsrMatrix(dirA, mb, mb, nnzb, *descrA, values, offsets, columns, blockSize, blockSize), *info);
}
template <class T>
musparseStatus_t bsrsm2Solve(Settings& self, musparseDirection_t dirA, musparseOperation_t transA,
                             musparseOperation_t transXY, int mb, int n, int nnzb, const T* alpha,
                             const musparseMatDescr* descrA, const T* values, const int* offsets,
                             const int* columns, int blockSize, bsrsm2Info* info, const T* B, int ldb, T* X,
                             int ldx, musparseSolvePolicy_t, void*) {
  using V = ValueOf<T>;
  MUSPARSE_TRY(checkSystem(dirA, transA, mb, nnzb, descrA, blockSize, info));
  MUSPARSE_REQUIRE(alpha && n >= 0 && isOperation(transXY));
  const int rows = isTurned(transXY) ? n : mb * blockSize;
  MUSPARSE_REQUIRE(ldb >= rows && ldx >= rows);
  return enqueue(
      self, [=, a = bsrMatrix(dirA, mb, mb, nnzb, *descrA, values, offsets, columns, blockSize, blockSize),
             pivot = info->pivot, factor = Scalar<V>(self, alpha)] {
        const Triangle<V> triangle = triangleOf<V>(a, transA);
        pivot->numerical = zeroBlock(triangle, a.blockRows);
        const auto place = [&](int64_t row, int64_t column, int64_t ld) {
          return isTurned(transXY) ? row * ld + column : column * ld + row;
        };
        std::vector<V> solution(at(a.rows * n));
        for (int64_t row = 0; row < a.rows; ++row)
          for (int64_t column = 0; column < n; ++column)
            solution[at(row * n + column)] = times(factor.get(), asValues(B)[place(row, column, ldb)]);
        triangle.solve(solution.data(), n);
        for (int64_t row = 0; row < a.rows; ++row)
          for (int64_t column = 0; column < n; ++column)
            asValues(X)[place(row, column, ldx)] = solution[at(row * n + column)];
      });
}

// -- y = alpha op(A) x + beta y with dense A and sparse x --

inline musparseStatus_t gemviBufferSize(Settings&, musparseOperation_t transA, int m, int n, int nnz,
                                        int* size) {
  MUSPARSE_REQUIRE(isOperation(transA) && m >= 0 && n >= 0 && nnz >= 0);
  return answerSize(size);
}
template <class T>
musparseStatus_t gemvi(Settings& self, musparseOperation_t transA, int m, int n, const T* alpha, const T* A,
                       int lda, int nnz, const T* xVal, const int* xInd, const T* beta, T* y,
                       musparseIndexBase_t idxBase, void*) {
  using V = ValueOf<T>;
  MUSPARSE_REQUIRE(isOperation(transA) && m >= 0 && n >= 0 && nnz >= 0 && lda >= m && alpha && beta &&
                   isBase(idxBase));
  return enqueue(self, [=, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
    const bool turned = isTurned(transA);
    for (int64_t row = 0; row < (turned ? n : m); ++row) {
      V sum(0);
      for (int64_t k = 0; k < nnz; ++k) {
        const int64_t inner = xInd[k] - idxBase;
        const V value = asValues(A)[turned ? row * lda + inner : inner * lda + row];
        sum += times(transA == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value,
                     asValues(xVal)[k]);
      }
      combine(asValues(y)[row], factor.get(), sum, old.get());
    }
  });
}

}  // namespace musashim::musparse
