#include "libs/musparse/operations/solving.h"

#include "libs/musparse/matrix/triangle.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

using Sparse = musparseSpMatDescr;
using Op = musparseOperation_t;

bool solvable(const Sparse& a) {
  return a.format == MUSPARSE_FORMAT_CSR || a.format == MUSPARSE_FORMAT_COO ||
         a.format == MUSPARSE_FORMAT_SLICED_ELLPACK;
}
bool computes(musaDataType type) {
  return elementSize(type) >= 4 && computeFor(type) == type && type != MUSA_R_32I;
}

// All that the question for a size is checked for.
musparseStatus_t checkQuestion(Op op, const void* alpha, const Sparse* a, const void* x, const void* y,
                               int alg, const void* descr) {
  MUSPARSE_REQUIRE(alpha && a && x && y && descr && isOperationOf(op, a->valueType) && alg == 0);
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t check(Op op, const void* alpha, const Sparse* a, const musparseDnVecDescr* x,
                       const musparseDnVecDescr* y, musaDataType compute, int alg, const void* descr) {
  MUSPARSE_TRY(checkQuestion(op, alpha, a, x, y, alg, descr));
  MUSPARSE_REQUIRE(a->rows == a->cols && x->size == a->rows && y->size == a->rows);
  MUSPARSE_SUPPORT(solvable(*a) && computes(compute));
  MUSPARSE_SUPPORT(a->valueType == compute && x->valueType == compute && y->valueType == compute);
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t check(Op opA, Op opB, const void* alpha, const Sparse* a, const musparseDnMatDescr* b,
                       const musparseDnMatDescr* c, musaDataType compute, int alg, const void* descr) {
  MUSPARSE_TRY(checkQuestion(opA, alpha, a, b, c, alg, descr));
  MUSPARSE_REQUIRE(isOperationOf(opB, b->valueType));
  MUSPARSE_REQUIRE(a->rows == a->cols && c->rows == a->rows);
  MUSPARSE_REQUIRE((isTurned(opB) ? b->cols : b->rows) == a->rows &&
                   (isTurned(opB) ? b->rows : b->cols) == c->cols);
  MUSPARSE_SUPPORT(solvable(*a) && computes(compute));
  MUSPARSE_SUPPORT(a->valueType == compute && b->valueType == compute && c->valueType == compute);
  return MUSPARSE_STATUS_SUCCESS;
}

// Values are those that the analysis saw: later ones come by an update.
template <class Descr>
musparseStatus_t analyse(Settings& self, const Sparse& a, Descr& descr) {
  descr.kept = std::make_shared<KeptValues>();
  descr.matrix = a;
  return enqueue(self, [a, kept = descr.kept] {
    kept->bytes.resize(at(storedValues(a)) * elementSize(a.valueType));
    if (!kept->bytes.empty()) std::memcpy(kept->bytes.data(), a.values, kept->bytes.size());
  });
}

template <class Descr>
musparseStatus_t update(Settings& self, Descr* descr, const void* values, bool diagonalOnly) {
  MUSPARSE_REQUIRE(descr && values && descr->kept);
  return enqueue(self, [a = descr->matrix, kept = descr->kept, values, diagonalOnly] {
    if (!diagonalOnly) {
      if (!kept->bytes.empty()) std::memcpy(kept->bytes.data(), values, kept->bytes.size());
      return;
    }
    const size_t size = elementSize(a.valueType);
    eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
      if (row == column)
        std::memcpy(kept->bytes.data() + at(place) * size, static_cast<const char*>(values) + at(row) * size,
                    size);
    });
  });
}

}  // namespace

musparseStatus_t spsvBufferSize(Settings&, Op opA, const void* alpha, const Sparse* A,
                                const musparseDnVecDescr* X, musparseDnVecDescr* Y,
                                musaDataType /*computeType*/, musparseSpSVAlg_t alg, musparseSpSVDescr* descr,
                                size_t* size) {
  MUSPARSE_TRY(checkQuestion(opA, alpha, A, X, Y, alg, descr));
  return answerSize(size);
}

musparseStatus_t spsvAnalysis(Settings& self, Op opA, const void* alpha, const Sparse* A,
                              const musparseDnVecDescr* X, musparseDnVecDescr* Y, musaDataType computeType,
                              musparseSpSVAlg_t alg, musparseSpSVDescr* descr, void* /*buffer*/) {
  MUSPARSE_TRY(check(opA, alpha, A, X, Y, computeType, alg, descr));
  return analyse(self, *A, *descr);
}

musparseStatus_t spsvSolve(Settings& self, Op opA, const void* alpha, const Sparse* A,
                           const musparseDnVecDescr* X, musparseDnVecDescr* Y, musaDataType computeType,
                           musparseSpSVAlg_t alg, musparseSpSVDescr* descr) {
  MUSPARSE_TRY(check(opA, alpha, A, X, Y, computeType, alg, descr));
  MUSPARSE_REQUIRE(descr->kept);
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(self, [a = *A, x = *X, y = *Y, opA, kept = descr->kept, factor = Scalar<V>(self, alpha)] {
      std::vector<V> solution(at(a.rows));
      for (int64_t i = 0; i < a.rows; ++i)
        solution[at(i)] = times(factor.get(), static_cast<const V*>(x.values)[i]);
      triangleOf<V>(a, opA, kept->bytes.data()).solve(solution.data(), 1);
      std::copy(solution.begin(), solution.end(), static_cast<V*>(y.values));
    });
  });
}

musparseStatus_t spsvUpdateMatrix(Settings& self, musparseSpSVDescr* descr, void* newValues,
                                  musparseSpSVUpdate_t part) {
  return update(self, descr, newValues, part == MUSPARSE_SPSV_UPDATE_DIAGONAL);
}

musparseStatus_t spsmBufferSize(Settings&, Op opA, Op opB, const void* alpha, const Sparse* A,
                                const musparseDnMatDescr* B, musparseDnMatDescr* C,
                                musaDataType /*computeType*/, musparseSpSMAlg_t alg, musparseSpSMDescr* descr,
                                size_t* size) {
  MUSPARSE_TRY(checkQuestion(opA, alpha, A, B, C, alg, descr));
  MUSPARSE_REQUIRE(isOperationOf(opB, B->valueType));
  return answerSize(size);
}

musparseStatus_t spsmAnalysis(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                              const musparseDnMatDescr* B, musparseDnMatDescr* C, musaDataType computeType,
                              musparseSpSMAlg_t alg, musparseSpSMDescr* descr, void* /*buffer*/) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, C, computeType, alg, descr));
  return analyse(self, *A, *descr);
}

musparseStatus_t spsmSolve(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                           const musparseDnMatDescr* B, musparseDnMatDescr* C, musaDataType computeType,
                           musparseSpSMAlg_t alg, musparseSpSMDescr* descr) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, C, computeType, alg, descr));
  MUSPARSE_REQUIRE(descr->kept);
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(
        self, [a = *A, b = *B, c = *C, opA, opB, kept = descr->kept, factor = Scalar<V>(self, alpha)] {
          const Triangle<V> triangle = triangleOf<V>(a, opA, kept->bytes.data());
          for (int64_t batch = 0; batch < std::max(b.batchCount, c.batchCount); ++batch) {
            std::vector<V> solution = denseRows<V>(matrixOf(b, batch), opB);
            for (V& value : solution) value = times(factor.get(), value);
            triangle.solve(solution.data(), c.cols);
            const musparseDnMatDescr to = matrixOf(c, batch);
            for (int64_t row = 0; row < c.rows; ++row)
              for (int64_t column = 0; column < c.cols; ++column)
                store(to.values, to.valueType, placeIn(to, row, column), solution[at(row * c.cols + column)]);
          }
        });
  });
}

musparseStatus_t spsmUpdateMatrix(Settings& self, musparseSpSMDescr* descr, void* newValues,
                                  musparseSpSMUpdate_t part) {
  return update(self, descr, newValues, part == MUSPARSE_SPSM_UPDATE_DIAGONAL);
}

}  // namespace musashim::musparse
