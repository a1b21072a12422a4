// y = alpha op(A) x + beta y.
#include "libs/musparse/operations/products.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

template <class V>
struct Factors {
  V alpha, beta;
  // The old value counts only where beta does: it may be no number.
  V combine(V sum, const void* y, musaDataType type, int64_t i) const {
    const V product = times(alpha, sum);
    return beta == V(0) ? product : product + times(beta, load<V>(y, type, i));
  }
};

// Rows that lie together, all of one type: what most programs have.
template <class V, class Offset, class Index>
void rowsOfCsr(const Sparse& a, const V* x, V* y, const Factors<V>& factors) {
  const auto* const offsets = static_cast<const Offset*>(a.offsets);
  const auto* const indices = static_cast<const Index*>(a.indices);
  const auto* const values = static_cast<const V*>(a.values);
  const int64_t base = a.base;
  shareRange(a.rows, a.nnz + a.rows, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      V sums[2] = {};
      int64_t k = static_cast<int64_t>(offsets[row]) - base;
      const int64_t last = static_cast<int64_t>(offsets[row + 1]) - base;
      for (; k + 1 < last; k += 2) {
        sums[0] += times(values[k], x[static_cast<int64_t>(indices[k]) - base]);
        sums[1] += times(values[k + 1], x[static_cast<int64_t>(indices[k + 1]) - base]);
      }
      if (k < last) sums[0] += times(values[k], x[static_cast<int64_t>(indices[k]) - base]);
      const V product = times(factors.alpha, sums[0] + sums[1]);
      y[row] = factors.beta == V(0) ? product : product + times(factors.beta, y[row]);
    }
  });
}

// True when it was such a matrix.
template <class V>
bool runFast(const Sparse& a, Op op, const DenseVector& x, const DenseVector& y, musaDataType compute,
             const Factors<V>& factors) {
  if constexpr (std::is_same_v<V, int32_t>) {
    return false;
  } else {
    if (a.valueType != compute || x.valueType != compute || y.valueType != compute) return false;
    Sparse rows = a;
    // Columns that lie together are the rows of the transposed matrix.
    if (a.format == MUSPARSE_FORMAT_CSC && op == MUSPARSE_OPERATION_TRANSPOSE)
      std::swap(rows.rows, rows.cols);
    else if (a.format != MUSPARSE_FORMAT_CSR || isTurned(op))
      return false;
    const auto* const from = static_cast<const V*>(x.values);
    auto* const to = static_cast<V*>(y.values);
    const bool wideOffsets = a.offsetType == MUSPARSE_INDEX_64I, wide = a.indexType == MUSPARSE_INDEX_64I;
    if (wideOffsets && wide)
      rowsOfCsr<V, int64_t, int64_t>(rows, from, to, factors);
    else if (wideOffsets)
      rowsOfCsr<V, int64_t, int32_t>(rows, from, to, factors);
    else if (wide)
      rowsOfCsr<V, int32_t, int64_t>(rows, from, to, factors);
    else
      rowsOfCsr<V, int32_t, int32_t>(rows, from, to, factors);
    return true;
  }
}

template <class V>
void run(const Sparse& a, Op op, const DenseVector& x, const DenseVector& y, musaDataType compute,
         const Factors<V>& factors) {
  if (runFast(a, op, x, y, compute, factors)) return;
  std::vector<V> sums(at(y.size));
  const bool turned = isTurned(op), conjugates = op == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
    const V value = load<V>(a.values, a.valueType, place);
    sums[at(turned ? column : row)] +=
        times(conjugates ? conjugate(value) : value, load<V>(x.values, x.valueType, turned ? row : column));
  });
  for (int64_t i = 0; i < y.size; ++i)
    store(y.values, y.valueType, i, factors.combine(sums[at(i)], y.values, y.valueType, i));
}

// Every algorithm is for one format.
bool takes(musparseFormat_t format, musparseSpMVAlg_t alg) {
  if (alg == MUSPARSE_SPMV_ALG_DEFAULT) return true;
  switch (format) {
    case MUSPARSE_FORMAT_CSR:
    case MUSPARSE_FORMAT_CSC:
      return alg == MUSPARSE_SPMV_CSR_ALG1 || alg == MUSPARSE_SPMV_CSR_ALG2;
    case MUSPARSE_FORMAT_COO:
      return alg == MUSPARSE_SPMV_COO_ALG1 || alg == MUSPARSE_SPMV_COO_ALG2;
    case MUSPARSE_FORMAT_SLICED_ELLPACK:
      return alg == MUSPARSE_SPMV_SELL_ALG1;
    case MUSPARSE_FORMAT_BSR:
      return alg == MUSPARSE_SPMV_BSR_ALG1;
    default:
      return false;
  }
}

musparseStatus_t check(Op op, const void* alpha, const Sparse* a, const DenseVector* x, const void* beta,
                       const DenseVector* y, musaDataType compute, musparseSpMVAlg_t alg) {
  MUSPARSE_REQUIRE(alpha && a && x && beta && y && isOperation(op));
  MUSPARSE_REQUIRE(isElement(compute) && takes(a->format, alg) && isOperationOf(op, a->valueType));
  MUSPARSE_REQUIRE(x->size == (isTurned(op) ? a->rows : a->cols));
  MUSPARSE_REQUIRE(y->size == (isTurned(op) ? a->cols : a->rows));
  MUSPARSE_SUPPORT(productTypes(a->valueType, x->valueType, y->valueType, compute, true));
  MUSPARSE_SUPPORT(a->format != MUSPARSE_FORMAT_BLOCKED_ELL);
  MUSPARSE_REQUIRE(a->format != MUSPARSE_FORMAT_SLICED_ELLPACK || a->sliceSize > 0);
  return MUSPARSE_STATUS_SUCCESS;
}

}  // namespace

bool productTypes(musaDataType a, musaDataType x, musaDataType y, musaDataType compute, bool mixed) {
  switch (compute) {
    case MUSA_R_32I:
      return a == MUSA_R_8I && x == MUSA_R_8I && y == MUSA_R_32I;
    case MUSA_R_32F:
      if (a == MUSA_R_8I) return x == MUSA_R_8I && y == MUSA_R_32F;
      if (a == MUSA_R_16F || a == MUSA_R_16BF) return x == a && (y == a || y == MUSA_R_32F);
      return a == compute && x == compute && y == compute;
    case MUSA_R_64F:
      return (a == compute || (mixed && a == MUSA_R_32F)) && x == compute && y == compute;
    case MUSA_C_32F:
      if (a == MUSA_C_16F || a == MUSA_C_16BF) return x == a && y == a;
      return (a == compute || (mixed && a == MUSA_R_32F)) && x == compute && y == compute;
    case MUSA_C_64F:
      return (a == compute || (mixed && a == MUSA_R_64F)) && x == compute && y == compute;
    default:
      return false;
  }
}

musparseStatus_t spmv(Settings& self, Op opA, const void* alpha, const Sparse* A, const DenseVector* X,
                      const void* beta, DenseVector* Y, musaDataType computeType, musparseSpMVAlg_t alg,
                      void* /*buffer*/) {
  MUSPARSE_TRY(check(opA, alpha, A, X, beta, Y, computeType, alg));
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(self, [a = *A, x = *X, y = *Y, opA, computeType, factor = Scalar<V>(self, alpha),
                          old = Scalar<V>(self, beta)] {
      run<V>(a, opA, x, y, computeType, {factor.get(), old.get()});
    });
  });
}

musparseStatus_t spmvBufferSize(Settings&, Op opA, const void* alpha, const Sparse* A, const DenseVector* X,
                                const void* beta, DenseVector* Y, musaDataType computeType,
                                musparseSpMVAlg_t alg, size_t* size) {
  MUSPARSE_TRY(check(opA, alpha, A, X, beta, Y, computeType, alg));
  return answerSize(size);
}

musparseStatus_t spmvPreprocess(Settings&, Op opA, const void* alpha, const Sparse* A, const DenseVector* X,
                                const void* beta, DenseVector* Y, musaDataType computeType,
                                musparseSpMVAlg_t alg, void* /*buffer*/) {
  return check(opA, alpha, A, X, beta, Y, computeType, alg);  // nothing to prepare
}

}  // namespace musashim::musparse
