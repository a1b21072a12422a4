// Between formats: COO, CSR, CSC and BSR.
#pragma once

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t coo2csr(Settings& self, const int* rows, int nnz, int m, int* offsets,
                                musparseIndexBase_t base) {
  MUSPARSE_REQUIRE(nnz >= 0 && m >= 0 && isBase(base) && offsets && (nnz == 0 || rows));
  return enqueue(self, [=] {
    std::vector<int> lengths(at(m));
    for (int k = 0; k < nnz; ++k) ++lengths[at(rows[k] - base)];
    int next = base;
    for (int row = 0; row < m; ++row) {
      offsets[row] = next;
      next += lengths[at(row)];
    }
    offsets[m] = next;
  });
}
inline musparseStatus_t csr2coo(Settings& self, const int* offsets, int nnz, int m, int* rows,
                                musparseIndexBase_t base) {
  MUSPARSE_REQUIRE(nnz >= 0 && m >= 0 && isBase(base) && offsets && (nnz == 0 || rows));
  return enqueue(self, [=] {
    for (int row = 0; row < m; ++row)
      for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) rows[k] = row + base;
  });
}

inline musparseStatus_t csr2cscEx2BufferSize(Settings&, int m, int n, int nnz, const void*, const int*,
                                             const int*, void*, int*, int*, musaDataType valType,
                                             musparseAction_t, musparseIndexBase_t base, musparseCsr2CscAlg_t,
                                             size_t* size) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnz >= 0 && isBase(base));
  MUSPARSE_SUPPORT(isElement(valType));
  return answerSize(size);
}
inline musparseStatus_t csr2cscEx2(Settings& self, int m, int n, int nnz, const void* csrVal,
                                   const int* offsets, const int* columns, void* cscVal, int* cscOffsets,
                                   int* cscRows, musaDataType valType, musparseAction_t action,
                                   musparseIndexBase_t base, musparseCsr2CscAlg_t, void*) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnz >= 0 && isBase(base) && offsets && cscOffsets);
  MUSPARSE_REQUIRE(action == MUSPARSE_ACTION_SYMBOLIC || action == MUSPARSE_ACTION_NUMERIC);
  MUSPARSE_SUPPORT(isElement(valType));
  return enqueue(self, [=] {
    musparseMatDescr descr;
    descr.base = base;
    const Rows<float> turned = rowsOf<float>(csrMatrix<void>(m, n, nnz, descr, nullptr, offsets, columns),
                                             MUSPARSE_OPERATION_TRANSPOSE);
    const size_t size = elementSize(valType);
    for (size_t i = 0; i < turned.offsets.size(); ++i)
      cscOffsets[i] = static_cast<int>(turned.offsets[i]) + base;
    for (size_t k = 0; k < turned.columns.size(); ++k) {
      cscRows[k] = static_cast<int>(turned.columns[k]) + base;
      if (action == MUSPARSE_ACTION_NUMERIC)
        std::memcpy(static_cast<char*>(cscVal) + k * size,
                    static_cast<const char*>(csrVal) + at(turned.places[k]) * size, size);
    }
  });
}

// -- Blocks --

// Columns of blocks that rows of blocks have, in order.
template <class V, class F>
void eachBlock(const Rows<V>& a, int64_t blockRows, int64_t blockCols, F&& f) {
  std::vector<int64_t> found;
  for (int64_t line = 0; line * blockRows < a.rows; ++line) {
    found.clear();
    for (int64_t row = line * blockRows; row < std::min(a.rows, (line + 1) * blockRows); ++row)
      for (int64_t k = a.offsets[at(row)]; k < a.offsets[at(row + 1)]; ++k)
        found.push_back(a.columns[at(k)] / blockCols);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    f(line, found);
  }
}

// Stores the number of blocks where it is asked for, as the pointer mode says.
inline musparseStatus_t countBlocks(Settings& self, const musparseSpMatDescr& a, int blockRows, int blockCols,
                                    int baseOut, int* offsetsOut, int* total) {
  const auto work = [=] {
    int next = baseOut;
    offsetsOut[0] = next;
    eachBlock(rowsOf<float>(a), blockRows, blockCols, [&](int64_t line, const std::vector<int64_t>& found) {
      next += static_cast<int>(found.size());
      offsetsOut[line + 1] = next;
    });
    if (total) *total = next - baseOut;
  };
  return total ? enqueueResult(self, work) : enqueue(self, work);
}

inline musparseStatus_t checkConversion(musparseDirection_t direction, int m, int n,
                                        const musparseMatDescr* from, const musparseMatDescr* to,
                                        int blockRows, int blockCols) {
  MUSPARSE_REQUIRE(isDirection(direction) && m >= 0 && n >= 0 && from && to && blockRows > 0 &&
                   blockCols > 0);
  return MUSPARSE_STATUS_SUCCESS;
}

inline musparseStatus_t csr2gebsrNnz(Settings& self, musparseDirection_t dirA, int m, int n,
                                     const musparseMatDescr* descrA, const int* offsets, const int* columns,
                                     const musparseMatDescr* descrC, int* offsetsC, int blockRows,
                                     int blockCols, int* total, void*) {
  MUSPARSE_TRY(checkConversion(dirA, m, n, descrA, descrC, blockRows, blockCols));
  return countBlocks(self, csrMatrix<void>(m, n, 0, *descrA, nullptr, offsets, columns), blockRows, blockCols,
                     descrC->base, offsetsC, total);
}
inline musparseStatus_t csr2bsrNnz(Settings& self, musparseDirection_t dirA, int m, int n,
                                   const musparseMatDescr* descrA, const int* offsets, const int* columns,
                                   int blockDim, const musparseMatDescr* descrC, int* offsetsC, int* total) {
  return csr2gebsrNnz(self, dirA, m, n, descrA, offsets, columns, descrC, offsetsC, blockDim, blockDim, total,
                      nullptr);
}

template <class T>
void fillBlocks(const musparseSpMatDescr& a, const musparseSpMatDescr& c) {
  using V = ValueOf<T>;
  auto* const values = static_cast<V*>(c.values);
  const Indices offsets(c.offsets, c.offsetType, c.base);
  const int64_t size = c.blockRows * c.blockCols;
  const Rows<V> rows = rowsOf<V>(a);
  eachBlock(rows, c.blockRows, c.blockCols, [&](int64_t line, const std::vector<int64_t>& found) {
    const int64_t first = offsets[line];
    for (size_t i = 0; i < found.size(); ++i)
      storeIndex(c.indices, c.indexType, c.base, first + static_cast<int64_t>(i), found[i]);
    std::fill_n(values + first * size, static_cast<int64_t>(found.size()) * size, V(0));
    for (int64_t row = line * c.blockRows; row < std::min(a.rows, (line + 1) * c.blockRows); ++row)
      for (int64_t k = rows.offsets[at(row)]; k < rows.offsets[at(row + 1)]; ++k) {
        const int64_t column = rows.columns[at(k)];
        const int64_t block =
            first + (std::lower_bound(found.begin(), found.end(), column / c.blockCols) - found.begin());
        const int64_t down = row % c.blockRows, along = column % c.blockCols;
        values[block * size +
               (c.order == MUSPARSE_ORDER_ROW ? down * c.blockCols + along : along * c.blockRows + down)] =
            rows.values[at(k)];
      }
  });
}

template <class T, class Size>
musparseStatus_t sizeOfBlocks(musparseDirection_t dirA, int m, int n, const musparseMatDescr* descrA,
                              int blockRows, int blockCols, Size* size) {
  MUSPARSE_TRY(checkConversion(dirA, m, n, descrA, descrA, blockRows, blockCols));
  return answerSize(size);
}
template <class T>
musparseStatus_t csr2gebsrBufferSize(Settings&, musparseDirection_t dirA, int m, int n,
                                     const musparseMatDescr* descrA, const T*, const int*, const int*,
                                     int blockRows, int blockCols, int* size) {
  return sizeOfBlocks<T>(dirA, m, n, descrA, blockRows, blockCols, size);
}
template <class T>
musparseStatus_t csr2gebsrBufferSizeExt(Settings&, musparseDirection_t dirA, int m, int n,
                                        const musparseMatDescr* descrA, const T*, const int*, const int*,
                                        int blockRows, int blockCols, size_t* size) {
  return sizeOfBlocks<T>(dirA, m, n, descrA, blockRows, blockCols, size);
}
template <class T>
musparseStatus_t csr2gebsr(Settings& self, musparseDirection_t dirA, int m, int n,
                           const musparseMatDescr* descrA, const T* values, const int* offsets,
                           const int* columns, const musparseMatDescr* descrC, T* valuesC, int* offsetsC,
                           int* columnsC, int blockRows, int blockCols, void*) {
  MUSPARSE_TRY(checkConversion(dirA, m, n, descrA, descrC, blockRows, blockCols));
  return enqueue(
      self, [a = csrMatrix(m, n, 0, *descrA, values, offsets, columns),
             c = bsrMatrix(dirA, (m + blockRows - 1) / blockRows, (n + blockCols - 1) / blockCols, 0, *descrC,
                           valuesC, offsetsC, columnsC, blockRows, blockCols)] { fillBlocks<T>(a, c); });
}
template <class T>
musparseStatus_t csr2bsr(Settings& self, musparseDirection_t dirA, int m, int n,
                         const musparseMatDescr* descrA, const T* values, const int* offsets,
                         const int* columns, int blockDim, const musparseMatDescr* descrC, T* valuesC,
                         int* offsetsC, int* columnsC) {
  return csr2gebsr(self, dirA, m, n, descrA, values, offsets, columns, descrC, valuesC, offsetsC, columnsC,
                   blockDim, blockDim, nullptr);
}

// Every element of a block becomes one of CSR, zeros too.
template <class T>
musparseStatus_t gebsr2csr(Settings& self, musparseDirection_t dirA, int mb, int nb,
                           const musparseMatDescr* descrA, const T* values, const int* offsets,
                           const int* columns, int blockRows, int blockCols, const musparseMatDescr* descrC,
                           T* valuesC, int* offsetsC, int* columnsC) {
  MUSPARSE_TRY(checkConversion(dirA, mb, nb, descrA, descrC, blockRows, blockCols));
  return enqueue(self,
                 [a = bsrMatrix(dirA, mb, nb, 0, *descrA, values, offsets, columns, blockRows, blockCols),
                  base = static_cast<int>(descrC->base), valuesC, offsetsC, columnsC] {
                   int next = 0;
                   int64_t open = 0;
                   offsetsC[0] = base;
                   eachEntry(a, [&](int64_t row, int64_t column, int64_t place) {
                     for (; open < row; ++open) offsetsC[open + 1] = next + base;
                     columnsC[next] = static_cast<int>(column) + base;
                     asValues(valuesC)[next++] = static_cast<const ValueOf<T>*>(a.values)[place];
                   });
                   for (; open < a.rows; ++open) offsetsC[open + 1] = next + base;
                 });
}
template <class T>
musparseStatus_t bsr2csr(Settings& self, musparseDirection_t dirA, int mb, int nb,
                         const musparseMatDescr* descrA, const T* values, const int* offsets,
                         const int* columns, int blockDim, const musparseMatDescr* descrC, T* valuesC,
                         int* offsetsC, int* columnsC) {
  return gebsr2csr(self, dirA, mb, nb, descrA, values, offsets, columns, blockDim, blockDim, descrC, valuesC,
                   offsetsC, columnsC);
}

}  // namespace musashim::musparse
