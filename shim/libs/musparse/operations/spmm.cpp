// C = alpha op(A) op(B) + beta C with dense B and C, in batches too; and the products of dense matrices that
// a sparse one samples.
#include "libs/musparse/operations/products.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

template <class V>
void multiply(const Sparse& a, Op opA, const DenseMatrix& b, Op opB, const DenseMatrix& c, V alpha, V beta) {
  const Rows<V> rows = rowsOf<V>(a, opA);
  const std::vector<V> right = denseRows<V>(b, opB);
  const int64_t columns = c.cols;
  shareRange(rows.rows, static_cast<int64_t>(rows.values.size()) * columns, [&](int64_t begin, int64_t end) {
    std::vector<V> sums(at(columns));
    for (int64_t row = begin; row < end; ++row) {
      std::fill(sums.begin(), sums.end(), V(0));
      for (int64_t k = rows.offsets[at(row)]; k < rows.offsets[at(row + 1)]; ++k) {
        const V value = rows.values[at(k)];
        const V* const from = right.data() + rows.columns[at(k)] * columns;
        for (int64_t column = 0; column < columns; ++column) sums[at(column)] += times(value, from[column]);
      }
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t place = placeIn(c, row, column);
        V result = times(alpha, sums[at(column)]);
        if (beta != V(0)) result += times(beta, load<V>(c.values, c.valueType, place));
        store(c.values, c.valueType, place, result);
      }
    }
  });
}

template <class V>
void sample(const DenseMatrix& a, Op opA, const DenseMatrix& b, Op opB, const Sparse& c, V alpha, V beta) {
  const std::vector<V> left = denseRows<V>(a, opA);
  // Columns of op(B) as rows.
  const bool turned = isTurned(opB);
  const int64_t inner = isTurned(opA) ? a.rows : a.cols;
  std::vector<V> right =
      denseRows<V>(b, turned ? MUSPARSE_OPERATION_NON_TRANSPOSE : MUSPARSE_OPERATION_TRANSPOSE);
  if (opB == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
    for (V& value : right) value = conjugate(value);
  eachEntry(c, [&](int64_t row, int64_t column, int64_t place) {
    V sum(0);
    for (int64_t k = 0; k < inner; ++k)
      sum += times(left[at(row * inner + k)], right[at(column * inner + k)]);
    V result = times(alpha, sum);
    if (beta != V(0)) result += times(beta, load<V>(c.values, c.valueType, place));
    store(c.values, c.valueType, place, result);
  });
}

// Every algorithm is for one format.
bool takes(musparseFormat_t format, musparseSpMMAlg_t alg) {
  if (alg == MUSPARSE_SPMM_ALG_DEFAULT) return true;
  switch (format) {
    case MUSPARSE_FORMAT_CSR:
    case MUSPARSE_FORMAT_CSC:
      return alg == MUSPARSE_SPMM_CSR_ALG1 || alg == MUSPARSE_SPMM_CSR_ALG2 || alg == MUSPARSE_SPMM_CSR_ALG3;
    case MUSPARSE_FORMAT_COO:
      return (alg >= MUSPARSE_SPMM_COO_ALG1 && alg <= MUSPARSE_SPMM_COO_ALG3) ||
             alg == MUSPARSE_SPMM_COO_ALG4;
    case MUSPARSE_FORMAT_BLOCKED_ELL:
      return alg == MUSPARSE_SPMM_BLOCKED_ELL_ALG1;
    case MUSPARSE_FORMAT_BSR:
      return alg == MUSPARSE_SPMM_BSR_ALG1;
    default:
      return false;
  }
}

bool multiplies(int64_t m, int64_t k, Op op, const DenseMatrix& b, int64_t rows, int64_t cols) {
  return (isTurned(op) ? b.cols : b.rows) == k && rows == m && cols == (isTurned(op) ? b.rows : b.cols);
}

musparseStatus_t check(Op opA, Op opB, const void* alpha, const Sparse* a, const DenseMatrix* b,
                       const void* beta, const DenseMatrix* c, musaDataType compute, musparseSpMMAlg_t alg) {
  MUSPARSE_REQUIRE(alpha && a && b && beta && c && isOperation(opA) && isOperation(opB));
  MUSPARSE_REQUIRE(isElement(compute) && takes(a->format, alg));
  MUSPARSE_REQUIRE(isOperationOf(opA, a->valueType) && isOperationOf(opB, b->valueType));
  MUSPARSE_REQUIRE(multiplies(isTurned(opA) ? a->cols : a->rows, isTurned(opA) ? a->rows : a->cols, opB, *b,
                              c->rows, c->cols));
  MUSPARSE_SUPPORT(productTypes(a->valueType, b->valueType, c->valueType, compute, false));
  MUSPARSE_SUPPORT(a->format != MUSPARSE_FORMAT_SLICED_ELLPACK);
  MUSPARSE_SUPPORT(a->format != MUSPARSE_FORMAT_BLOCKED_ELL || !isTurned(opA));
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t check(Op opA, Op opB, const void* alpha, const DenseMatrix* a, const DenseMatrix* b,
                       const void* beta, const Sparse* c, musaDataType compute) {
  MUSPARSE_REQUIRE(alpha && a && b && beta && c && isOperation(opA) && isOperation(opB) &&
                   isElement(compute));
  MUSPARSE_REQUIRE(isOperationOf(opA, a->valueType) && isOperationOf(opB, b->valueType));
  MUSPARSE_REQUIRE(multiplies(isTurned(opA) ? a->cols : a->rows, isTurned(opA) ? a->rows : a->cols, opB, *b,
                              c->rows, c->cols));
  MUSPARSE_SUPPORT(productTypes(a->valueType, b->valueType, c->valueType, compute, false));
  MUSPARSE_SUPPORT(c->format == MUSPARSE_FORMAT_CSR || c->format == MUSPARSE_FORMAT_BSR);
  return MUSPARSE_STATUS_SUCCESS;
}

int64_t batchOf(const Sparse& a, const DenseMatrix& b, const DenseMatrix& c) {
  return std::max({a.batchCount, b.batchCount, c.batchCount});
}

}  // namespace

musparseStatus_t spmm(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                      const DenseMatrix* B, const void* beta, DenseMatrix* C, musaDataType computeType,
                      musparseSpMMAlg_t alg, void* /*buffer*/) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, alg));
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(self, [a = *A, b = *B, c = *C, opA, opB, factor = Scalar<V>(self, alpha),
                          old = Scalar<V>(self, beta)] {
      for (int64_t i = 0; i < batchOf(a, b, c); ++i)
        multiply<V>(matrixOf(a, i), opA, matrixOf(b, i), opB, matrixOf(c, i), factor.get(), old.get());
    });
  });
}

musparseStatus_t spmmBufferSize(Settings&, Op opA, Op opB, const void* alpha, const Sparse* A,
                                const DenseMatrix* B, const void* beta, DenseMatrix* C,
                                musaDataType computeType, musparseSpMMAlg_t alg, size_t* size) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, alg));
  return answerSize(size);
}

musparseStatus_t spmmPreprocess(Settings&, Op opA, Op opB, const void* alpha, const Sparse* A,
                                const DenseMatrix* B, const void* beta, DenseMatrix* C,
                                musaDataType computeType, musparseSpMMAlg_t alg, void* /*buffer*/) {
  return check(opA, opB, alpha, A, B, beta, C, computeType, alg);  // nothing to prepare
}

musparseStatus_t sddmm(Settings& self, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                       const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                       musparseSDDMMAlg_t /*alg*/, void* /*buffer*/) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType));
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(self, [a = *A, b = *B, c = *C, opA, opB, factor = Scalar<V>(self, alpha),
                          old = Scalar<V>(self, beta)] {
      for (int64_t i = 0; i < batchOf(c, a, b); ++i)
        sample<V>(matrixOf(a, i), opA, matrixOf(b, i), opB, matrixOf(c, i), factor.get(), old.get());
    });
  });
}

musparseStatus_t sddmmBufferSize(Settings&, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                                 const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                                 musparseSDDMMAlg_t /*alg*/, size_t* size) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType));
  return answerSize(size);
}

musparseStatus_t sddmmPreprocess(Settings&, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                                 const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                                 musparseSDDMMAlg_t /*alg*/, void* /*buffer*/) {
  return check(opA, opB, alpha, A, B, beta, C, computeType);  // nothing to prepare
}

}  // namespace musashim::musparse
