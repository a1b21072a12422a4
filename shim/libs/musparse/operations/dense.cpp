#include "libs/musparse/operations/dense.h"

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

using Sparse = musparseSpMatDescr;
using Dense = musparseDnMatDescr;

musparseStatus_t check(const Dense* dense, const Sparse* sparse) {
  MUSPARSE_REQUIRE(dense && sparse && dense->rows == sparse->rows && dense->cols == sparse->cols);
  MUSPARSE_SUPPORT(dense->valueType == sparse->valueType);
  MUSPARSE_SUPPORT(sparse->format != MUSPARSE_FORMAT_SLICED_ELLPACK);
  return MUSPARSE_STATUS_SUCCESS;
}

// f(row or block row, column, first place) of what is not 0, by rows of CSR, columns of CSC, blocks of BSR.
template <class F>
void eachKept(const Dense& a, const Sparse& b, F&& f) {
  const auto isZero = [&](int64_t row, int64_t column) {
    // -0 is 0 too.
    return load<ComplexDouble>(a.values, a.valueType, placeIn(a, row, column)) == ComplexDouble(0);
  };
  if (b.format == MUSPARSE_FORMAT_CSC) {
    for (int64_t column = 0; column < a.cols; ++column)
      for (int64_t row = 0; row < a.rows; ++row)
        if (!isZero(row, column)) f(column, row);
    return;
  }
  for (int64_t row = 0; row < a.rows; row += b.blockRows)
    for (int64_t column = 0; column < a.cols; column += b.blockCols) {
      bool zero = true;
      for (int64_t i = 0; i < b.blockRows && zero; ++i)
        for (int64_t j = 0; j < b.blockCols && zero; ++j) zero = isZero(row + i, column + j);
      if (!zero) f(row / b.blockRows, column / b.blockCols);
    }
}

void copyElement(const Dense& a, int64_t row, int64_t column, const Sparse& b, int64_t place) {
  const size_t size = elementSize(a.valueType);
  std::memcpy(static_cast<char*>(b.values) + at(place) * size,
              static_cast<const char*>(a.values) + at(placeIn(a, row, column)) * size, size);
}

void convert(const Dense& a, const Sparse& b) {
  if (b.format == MUSPARSE_FORMAT_BLOCKED_ELL) {
    // Its blocks are where it says already.
    eachEntry(b, [&](int64_t row, int64_t column, int64_t place) { copyElement(a, row, column, b, place); });
    return;
  }
  int64_t next = 0;
  eachKept(a, b, [&](int64_t line, int64_t within) {
    if (b.format == MUSPARSE_FORMAT_COO) storeIndex(b.offsets, b.offsetType, b.base, next, line);
    storeIndex(b.indices, b.indexType, b.base, next++, within);
    if (b.format != MUSPARSE_FORMAT_BSR)
      copyElement(a, b.format == MUSPARSE_FORMAT_CSC ? within : line,
                  b.format == MUSPARSE_FORMAT_CSC ? line : within, b, next - 1);
  });
  if (b.format == MUSPARSE_FORMAT_BSR)
    eachEntry(b, [&](int64_t row, int64_t column, int64_t place) { copyElement(a, row, column, b, place); });
}

}  // namespace

musparseStatus_t sparseToDenseBufferSize(Settings&, const Sparse* A, Dense* B, musparseSparseToDenseAlg_t alg,
                                         size_t* size) {
  MUSPARSE_TRY(check(B, A));
  MUSPARSE_REQUIRE(alg == MUSPARSE_SPARSETODENSE_ALG_DEFAULT);
  return answerSize(size);
}

musparseStatus_t sparseToDense(Settings& self, const Sparse* A, Dense* B, musparseSparseToDenseAlg_t alg,
                               void* /*buffer*/) {
  MUSPARSE_TRY(check(B, A));
  MUSPARSE_REQUIRE(alg == MUSPARSE_SPARSETODENSE_ALG_DEFAULT);
  return enqueue(self, [a = *A, b = *B] {
    const size_t size = elementSize(b.valueType);
    for (int64_t row = 0; row < b.rows; ++row)
      for (int64_t column = 0; column < b.cols; ++column)
        std::memset(static_cast<char*>(b.values) + at(placeIn(b, row, column)) * size, 0, size);
    eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
      std::memcpy(static_cast<char*>(b.values) + at(placeIn(b, row, column)) * size,
                  static_cast<const char*>(a.values) + at(place) * size, size);
    });
  });
}

musparseStatus_t denseToSparseBufferSize(Settings&, const Dense* A, Sparse* B, musparseDenseToSparseAlg_t alg,
                                         size_t* size) {
  MUSPARSE_TRY(check(A, B));
  MUSPARSE_REQUIRE(alg == MUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
  return answerSize(size);
}

// Counts, and writes where the lines begin; the caller reads how many there are from the descriptor.
musparseStatus_t denseToSparseAnalysis(Settings& self, const Dense* A, Sparse* B,
                                       musparseDenseToSparseAlg_t alg, void* /*buffer*/) {
  MUSPARSE_TRY(check(A, B));
  MUSPARSE_REQUIRE(alg == MUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
  if (B->format == MUSPARSE_FORMAT_BLOCKED_ELL) return MUSPARSE_STATUS_SUCCESS;
  const auto count = std::make_shared<int64_t>(0);
  MUSPARSE_TRY(runNow(self, [a = *A, b = *B, count] {
    const int64_t lines = b.format == MUSPARSE_FORMAT_CSC ? b.cols : b.rows / b.blockRows;
    std::vector<int64_t> lengths(at(lines));
    eachKept(a, b, [&](int64_t line, int64_t) {
      ++lengths[at(line)];
      ++*count;
    });
    if (b.format == MUSPARSE_FORMAT_COO || !b.offsets) return;
    int64_t begin = 0;
    for (int64_t line = 0; line <= lines; ++line) {
      storeIndex(b.offsets, b.offsetType, b.base, line, begin);
      if (line < lines) begin += lengths[at(line)];
    }
  }));
  B->nnz = *count;
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t denseToSparseConvert(Settings& self, const Dense* A, Sparse* B,
                                      musparseDenseToSparseAlg_t alg, void* /*buffer*/) {
  MUSPARSE_TRY(check(A, B));
  MUSPARSE_REQUIRE(alg == MUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
  return enqueue(self, [a = *A, b = *B] { convert(a, b); });
}

}  // namespace musashim::musparse
