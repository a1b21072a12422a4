// Matrices of blocks: into blocks of another shape, and by columns.
#pragma once

#include "libs/musparse/operations/conversion.h"

namespace musashim::musparse {

inline musparseStatus_t checkBlockColumns(int mb, int nb, int nnzb, int blockRows, int blockCols) {
  MUSPARSE_REQUIRE(mb >= 0 && nb >= 0 && nnzb >= 0 && blockRows > 0 && blockCols > 0);
  return MUSPARSE_STATUS_SUCCESS;
}
template <class T, class Size>
musparseStatus_t gebsr2gebscSize(Settings&, int mb, int nb, int nnzb, const T*, const int*, const int*,
                                 int blockRows, int blockCols, Size* size) {
  MUSPARSE_TRY(checkBlockColumns(mb, nb, nnzb, blockRows, blockCols));
  return answerSize(size);
}
// What is inside a block stays as it is.
template <class T>
musparseStatus_t gebsr2gebsc(Settings& self, int mb, int nb, int nnzb, const T* values, const int* offsets,
                             const int* columns, int blockRows, int blockCols, T* valuesC, int* rowsC,
                             int* offsetsC, musparseAction_t action, musparseIndexBase_t base, void*) {
  MUSPARSE_TRY(checkBlockColumns(mb, nb, nnzb, blockRows, blockCols));
  MUSPARSE_REQUIRE(isBase(base) && offsets && offsetsC);
  MUSPARSE_REQUIRE(action == MUSPARSE_ACTION_SYMBOLIC || action == MUSPARSE_ACTION_NUMERIC);
  return enqueue(self, [=, size = int64_t{blockRows} * blockCols] {
    musparseMatDescr descr;
    descr.base = base;
    const Rows<float> turned = rowsOf<float>(csrMatrix<void>(mb, nb, nnzb, descr, nullptr, offsets, columns),
                                             MUSPARSE_OPERATION_TRANSPOSE);
    for (size_t i = 0; i < turned.offsets.size(); ++i)
      offsetsC[i] = static_cast<int>(turned.offsets[i]) + base;
    for (size_t k = 0; k < turned.columns.size(); ++k) {
      rowsC[k] = static_cast<int>(turned.columns[k]) + base;
      if (action == MUSPARSE_ACTION_NUMERIC)
        std::copy_n(values + turned.places[k] * size, size, valuesC + static_cast<int64_t>(k) * size);
    }
  });
}

inline musparseStatus_t checkReshape(musparseDirection_t dirA, int mb, int nb, int nnzb,
                                     const musparseMatDescr* descrA, int rowsA, int colsA, int rowsC,
                                     int colsC) {
  MUSPARSE_TRY(checkBlockColumns(mb, nb, nnzb, rowsA, colsA));
  MUSPARSE_REQUIRE(isDirection(dirA) && descrA && rowsC > 0 && colsC > 0);
  return MUSPARSE_STATUS_SUCCESS;
}
template <class T, class Size>
musparseStatus_t gebsr2gebsrSize(Settings&, musparseDirection_t dirA, int mb, int nb, int nnzb,
                                 const musparseMatDescr* descrA, const T*, const int*, const int*, int rowsA,
                                 int colsA, int rowsC, int colsC, Size* size) {
  MUSPARSE_TRY(checkReshape(dirA, mb, nb, nnzb, descrA, rowsA, colsA, rowsC, colsC));
  return answerSize(size);
}
inline musparseStatus_t gebsr2gebsrNnz(Settings& self, musparseDirection_t dirA, int mb, int nb, int nnzb,
                                       const musparseMatDescr* descrA, const int* offsets, const int* columns,
                                       int rowsA, int colsA, const musparseMatDescr* descrC, int* offsetsC,
                                       int rowsC, int colsC, int* total, void*) {
  MUSPARSE_TRY(checkReshape(dirA, mb, nb, nnzb, descrA, rowsA, colsA, rowsC, colsC));
  MUSPARSE_REQUIRE(descrC && offsetsC);
  return countBlocks(self,
                     bsrMatrix<void>(dirA, mb, nb, nnzb, *descrA, nullptr, offsets, columns, rowsA, colsA),
                     rowsC, colsC, descrC->base, offsetsC, total);
}
template <class T>
musparseStatus_t gebsr2gebsr(Settings& self, musparseDirection_t dirA, int mb, int nb, int nnzb,
                             const musparseMatDescr* descrA, const T* values, const int* offsets,
                             const int* columns, int rowsA, int colsA, const musparseMatDescr* descrC,
                             T* valuesC, int* offsetsC, int* columnsC, int rowsC, int colsC, void*) {
  MUSPARSE_TRY(checkReshape(dirA, mb, nb, nnzb, descrA, rowsA, colsA, rowsC, colsC));
  MUSPARSE_REQUIRE(descrC);
  return enqueue(
      self, [a = bsrMatrix(dirA, mb, nb, nnzb, *descrA, values, offsets, columns, rowsA, colsA),
             c = bsrMatrix(dirA, (mb * rowsA + rowsC - 1) / rowsC, (nb * colsA + colsC - 1) / colsC, 0,
                           *descrC, valuesC, offsetsC, columnsC, rowsC, colsC)] { fillBlocks<T>(a, c); });
}

}  // namespace musashim::musparse
