// Descriptors of sparse matrices.
#pragma once

#include <cstring>

#include "libs/musparse/operations/dense_descriptors.h"

namespace musashim::musparse {

// Whether so many elements have places; products may be larger than the type.
inline bool fits(int64_t nnz, int64_t rows, int64_t cols) {
  return nnz == 0 || (rows != 0 && cols != 0 && (nnz - 1) / rows < cols);
}

template <class Slot, class I, class V>
musparseStatus_t createSparse(Slot& self, musparseFormat_t format, int64_t rows, int64_t cols, int64_t nnz,
                              I* offsets, I* indices, V* values, musparseIndexType_t offsetType,
                              musparseIndexType_t indexType, musparseIndexBase_t base,
                              musaDataType valueType) {
  MUSPARSE_REQUIRE(rows >= 0 && cols >= 0 && nnz >= 0 && fits(nnz, rows, cols));
  MUSPARSE_REQUIRE(isIndex(offsetType) && isIndex(indexType) && isKnownBase(base));
  MUSPARSE_REQUIRE(isElement(valueType));
  MUSPARSE_SUPPORT(offsetType == indexType);
  self = new musparseSpMatDescr{
      format,     rows,      cols, nnz,      changeable(offsets), changeable(indices), changeable(values),
      offsetType, indexType, base, valueType};
  return MUSPARSE_STATUS_SUCCESS;
}
template <class Slot, class I, class V>
musparseStatus_t createCsr(Slot& self, int64_t rows, int64_t cols, int64_t nnz, I* offsets, I* indices,
                           V* values, musparseIndexType_t offsetType, musparseIndexType_t indexType,
                           musparseIndexBase_t base, musaDataType valueType) {
  return createSparse(self, MUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, indices, values, offsetType,
                      indexType, base, valueType);
}
template <class Slot, class I, class V>
musparseStatus_t createCsc(Slot& self, int64_t rows, int64_t cols, int64_t nnz, I* offsets, I* indices,
                           V* values, musparseIndexType_t offsetType, musparseIndexType_t indexType,
                           musparseIndexBase_t base, musaDataType valueType) {
  return createSparse(self, MUSPARSE_FORMAT_CSC, rows, cols, nnz, offsets, indices, values, offsetType,
                      indexType, base, valueType);
}
template <class Slot, class I, class V>
musparseStatus_t createCoo(Slot& self, int64_t rows, int64_t cols, int64_t nnz, I* rowIndices, I* columns,
                           V* values, musparseIndexType_t indexType, musparseIndexBase_t base,
                           musaDataType valueType) {
  return createSparse(self, MUSPARSE_FORMAT_COO, rows, cols, nnz, rowIndices, columns, values, indexType,
                      indexType, base, valueType);
}
template <class Slot, class I, class V>
musparseStatus_t createBsr(Slot& self, int64_t brows, int64_t bcols, int64_t bnnz, int64_t rowBlockSize,
                           int64_t colBlockSize, I* offsets, I* indices, V* values,
                           musparseIndexType_t offsetType, musparseIndexType_t indexType,
                           musparseIndexBase_t base, musaDataType valueType, musparseOrder_t order) {
  MUSPARSE_REQUIRE(rowBlockSize > 0 && colBlockSize > 0 && isOrder(order) && fits(bnnz, brows, bcols));
  musparseSpMatDescr* made = nullptr;
  MUSPARSE_TRY(createSparse(made, MUSPARSE_FORMAT_BSR, brows * rowBlockSize, bcols * colBlockSize, bnnz,
                            offsets, indices, values, offsetType, indexType, base, valueType));
  made->blockRows = rowBlockSize, made->blockCols = colBlockSize, made->order = order;
  self = made;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class Slot, class I, class V>
musparseStatus_t createBlockedEll(Slot& self, int64_t rows, int64_t cols, int64_t ellBlockSize,
                                  int64_t ellCols, I* columns, V* values, musparseIndexType_t indexType,
                                  musparseIndexBase_t base, musaDataType valueType) {
  MUSPARSE_REQUIRE(ellBlockSize > 0 && ellCols >= 0 && ellCols <= cols && ellCols % ellBlockSize == 0);
  MUSPARSE_REQUIRE(rows > 0 && rows % ellBlockSize == 0);
  musparseSpMatDescr* made = nullptr;
  MUSPARSE_TRY(createSparse(made, MUSPARSE_FORMAT_BLOCKED_ELL, rows, cols, rows * ellCols, columns, columns,
                            values, indexType, indexType, base, valueType));
  made->blockRows = made->blockCols = ellBlockSize, made->ellCols = ellCols;
  self = made;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class Slot, class I, class V>
musparseStatus_t createSlicedEll(Slot& self, int64_t rows, int64_t cols, int64_t nnz, int64_t sellValuesSize,
                                 int64_t sliceSize, I* offsets, I* columns, V* values,
                                 musparseIndexType_t offsetType, musparseIndexType_t indexType,
                                 musparseIndexBase_t base, musaDataType valueType) {
  MUSPARSE_REQUIRE(sliceSize >= 0 && sellValuesSize >= nnz);
  musparseSpMatDescr* made = nullptr;
  MUSPARSE_TRY(createSparse(made, MUSPARSE_FORMAT_SLICED_ELLPACK, rows, cols, nnz, offsets, columns, values,
                            offsetType, indexType, base, valueType));
  made->sliceSize = sliceSize, made->valuesSize = sellValuesSize;
  self = made;
  return MUSPARSE_STATUS_SUCCESS;
}
#define MUSPARSE_CONST_CREATE(Name)                                                   \
  template <class... Args>                                                            \
  musparseStatus_t createConst##Name(musparseConstSpMatDescr_t& self, Args... args) { \
    return create##Name(self, args...);                                               \
  }
MUSPARSE_CONST_CREATE(Csr)
MUSPARSE_CONST_CREATE(Csc)
MUSPARSE_CONST_CREATE(Coo)
MUSPARSE_CONST_CREATE(Bsr)
MUSPARSE_CONST_CREATE(BlockedEll)
MUSPARSE_CONST_CREATE(SlicedEll)
#undef MUSPARSE_CONST_CREATE

// -- What a matrix is --

template <class Data>
musparseStatus_t compressedGet(const musparseSpMatDescr& self, musparseFormat_t format, int64_t* rows,
                               int64_t* cols, int64_t* nnz, Data** offsets, Data** indices, Data** values,
                               musparseIndexType_t* offsetType, musparseIndexType_t* indexType,
                               musparseIndexBase_t* base, musaDataType* valueType) {
  MUSPARSE_REQUIRE(self.format == format && rows && cols && nnz && offsets && indices && values);
  MUSPARSE_REQUIRE(offsetType && indexType && base && valueType);
  *rows = self.rows, *cols = self.cols, *nnz = self.nnz;
  *offsets = self.offsets, *indices = self.indices, *values = self.values;
  *offsetType = self.offsetType, *indexType = self.indexType, *base = self.base, *valueType = self.valueType;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t csrGet(const musparseSpMatDescr& self, Args... args) {
  return compressedGet(self, MUSPARSE_FORMAT_CSR, args...);
}
template <class... Args>
musparseStatus_t cscGet(const musparseSpMatDescr& self, Args... args) {
  return compressedGet(self, MUSPARSE_FORMAT_CSC, args...);
}
template <class Data>
musparseStatus_t cooGet(const musparseSpMatDescr& self, int64_t* rows, int64_t* cols, int64_t* nnz,
                        Data** rowIndices, Data** columns, Data** values, musparseIndexType_t* indexType,
                        musparseIndexBase_t* base, musaDataType* valueType) {
  musparseIndexType_t ofRows;
  return compressedGet(self, MUSPARSE_FORMAT_COO, rows, cols, nnz, rowIndices, columns, values, &ofRows,
                       indexType, base, valueType);
}
template <class Data>
musparseStatus_t blockedEllGet(const musparseSpMatDescr& self, int64_t* rows, int64_t* cols,
                               int64_t* ellBlockSize, int64_t* ellCols, Data** columns, Data** values,
                               musparseIndexType_t* indexType, musparseIndexBase_t* base,
                               musaDataType* valueType) {
  MUSPARSE_REQUIRE(self.format == MUSPARSE_FORMAT_BLOCKED_ELL && rows && cols && ellBlockSize && ellCols);
  MUSPARSE_REQUIRE(columns && values && indexType && base && valueType);
  *rows = self.rows, *cols = self.cols, *ellBlockSize = self.blockRows, *ellCols = self.ellCols;
  *columns = self.indices, *values = self.values;
  *indexType = self.indexType, *base = self.base, *valueType = self.valueType;
  return MUSPARSE_STATUS_SUCCESS;
}
#define MUSPARSE_CONST_GET(Ours, Const)                                         \
  template <class... Args>                                                      \
  musparseStatus_t const##Const(const musparseSpMatDescr& self, Args... args) { \
    return Ours(self, args...);                                                 \
  }
MUSPARSE_CONST_GET(csrGet, CsrGet)
MUSPARSE_CONST_GET(cscGet, CscGet)
MUSPARSE_CONST_GET(cooGet, CooGet)
MUSPARSE_CONST_GET(blockedEllGet, BlockedEllGet)
#undef MUSPARSE_CONST_GET

inline musparseStatus_t setPointers(musparseSpMatDescr& self, musparseFormat_t format, void* offsets,
                                    void* indices, void* values) {
  MUSPARSE_REQUIRE(self.format == format);
  self.offsets = offsets, self.indices = indices, self.values = values;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t csrSetPointers(musparseSpMatDescr& self, void* offsets, void* indices, void* values) {
  return setPointers(self, MUSPARSE_FORMAT_CSR, offsets, indices, values);
}
inline musparseStatus_t cscSetPointers(musparseSpMatDescr& self, void* offsets, void* indices, void* values) {
  return setPointers(self, MUSPARSE_FORMAT_CSC, offsets, indices, values);
}
inline musparseStatus_t cooSetPointers(musparseSpMatDescr& self, void* rows, void* columns, void* values) {
  return setPointers(self, MUSPARSE_FORMAT_COO, rows, columns, values);
}

inline musparseStatus_t spMatGetFormat(const musparseSpMatDescr& self, musparseFormat_t* format) {
  MUSPARSE_REQUIRE(format);
  *format = self.format;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t spMatGetIndexBase(const musparseSpMatDescr& self, musparseIndexBase_t* idxBase) {
  MUSPARSE_REQUIRE(idxBase);
  *idxBase = self.base;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t spMatGetSize(const musparseSpMatDescr& self, int64_t* rows, int64_t* cols,
                                     int64_t* nnz) {
  MUSPARSE_REQUIRE(rows && cols && nnz);
  *rows = self.rows, *cols = self.cols, *nnz = self.nnz;
  return MUSPARSE_STATUS_SUCCESS;
}

// -- Batches and attributes --

inline musparseStatus_t spMatGetStridedBatch(const musparseSpMatDescr& self, int* batchCount) {
  MUSPARSE_REQUIRE(batchCount);
  *batchCount = self.batchCount;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t setBatch(musparseSpMatDescr& self, musparseFormat_t format, int batchCount,
                                 int64_t offsetsStride, int64_t indicesStride, int64_t valuesStride) {
  MUSPARSE_REQUIRE(self.format == format && batchCount > 0);
  MUSPARSE_REQUIRE(offsetsStride >= 0 && indicesStride >= 0 && valuesStride >= 0);
  self.batchCount = batchCount, self.offsetsStride = offsetsStride;
  self.indicesStride = indicesStride, self.valuesStride = valuesStride;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t cooSetStridedBatch(musparseSpMatDescr& self, int batchCount, int64_t stride) {
  return setBatch(self, MUSPARSE_FORMAT_COO, batchCount, stride, stride, stride);
}
inline musparseStatus_t csrSetStridedBatch(musparseSpMatDescr& self, int batchCount, int64_t offsetsStride,
                                           int64_t stride) {
  MUSPARSE_REQUIRE((offsetsStride == 0 || offsetsStride > self.rows) && (stride == 0 || stride >= self.nnz));
  return setBatch(self, MUSPARSE_FORMAT_CSR, batchCount, offsetsStride, stride, stride);
}
inline musparseStatus_t bsrSetStridedBatch(musparseSpMatDescr& self, int batchCount, int64_t offsetsStride,
                                           int64_t columnsStride, int64_t valuesStride) {
  return setBatch(self, MUSPARSE_FORMAT_BSR, batchCount, offsetsStride, columnsStride, valuesStride);
}

// Both attributes are enumerations.
inline musparseStatus_t spMatGetAttribute(const musparseSpMatDescr& self, musparseSpMatAttribute_t attribute,
                                          void* data, size_t dataSize) {
  MUSPARSE_REQUIRE(data && dataSize == sizeof(int));
  MUSPARSE_REQUIRE(attribute == MUSPARSE_SPMAT_FILL_MODE || attribute == MUSPARSE_SPMAT_DIAG_TYPE);
  const int value =
      attribute == MUSPARSE_SPMAT_FILL_MODE ? static_cast<int>(self.fill) : static_cast<int>(self.diagonal);
  std::memcpy(data, &value, sizeof value);
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t spMatSetAttribute(musparseSpMatDescr& self, musparseSpMatAttribute_t attribute,
                                          const void* data, size_t dataSize) {
  MUSPARSE_REQUIRE(data && dataSize == sizeof(int));
  int value;
  std::memcpy(&value, data, sizeof value);
  if (attribute == MUSPARSE_SPMAT_FILL_MODE)
    self.fill = static_cast<musparseFillMode_t>(value);
  else if (attribute == MUSPARSE_SPMAT_DIAG_TYPE)
    self.diagonal = static_cast<musparseDiagType_t>(value);
  else
    return MUSPARSE_STATUS_INVALID_VALUE;
  return MUSPARSE_STATUS_SUCCESS;
}

// -- What is kept between calls --

#define MUSPARSE_KEPT(Name, Type) \
  inline musparseStatus_t Name##CreateDescr(Type*& descr) { return makeObject(descr); }
MUSPARSE_KEPT(spsv, musparseSpSVDescr)
MUSPARSE_KEPT(spsm, musparseSpSMDescr)
MUSPARSE_KEPT(spgemm, musparseSpGEMMDescr)
#undef MUSPARSE_KEPT

}  // namespace musashim::musparse
