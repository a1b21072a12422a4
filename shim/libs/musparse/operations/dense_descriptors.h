// Descriptors of vectors and dense matrices: made, asked, changed. Constant ones differ by their type alone.
// Where data is does not matter before it is used. The entries of destroying calls are by hand
// (api/destroy.cpp).
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"
#include "libs/musparse/matrix/elements.h"
#include "libs/musparse/operations/infos.h"

namespace musashim::musparse {

inline bool isIndex(musparseIndexType_t type) {
  return type >= MUSPARSE_INDEX_16U && type <= MUSPARSE_INDEX_64I;
}
inline bool isOrder(musparseOrder_t order) {
  return order == MUSPARSE_ORDER_COL || order == MUSPARSE_ORDER_ROW;
}
inline bool isKnownBase(musparseIndexBase_t base) { return base == 0 || base == 1; }

template <class Place, class T>
void tell(Place* where, T value) {
  if (where) *where = value;
}
template <class T>
T* changeable(const T* data) {
  return const_cast<T*>(data);
}

// -- Vectors --

template <class Slot, class I, class V>
musparseStatus_t createSpVec(Slot& self, int64_t size, int64_t nnz, I* indices, V* values,
                             musparseIndexType_t idxType, musparseIndexBase_t idxBase,
                             musaDataType valueType) {
  MUSPARSE_REQUIRE(size >= 0 && nnz >= 0 && nnz <= size);
  MUSPARSE_REQUIRE(isIndex(idxType) && isKnownBase(idxBase));
  MUSPARSE_REQUIRE(isElement(valueType));
  self =
      new musparseSpVecDescr{size, nnz, changeable(indices), changeable(values), idxType, idxBase, valueType};
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t createConstSpVec(musparseConstSpVecDescr_t& self, Args... args) {
  return createSpVec(self, args...);
}

template <class Data>
musparseStatus_t spVecGet(const musparseSpVecDescr& self, int64_t* size, int64_t* nnz, Data** indices,
                          Data** values, musparseIndexType_t* idxType, musparseIndexBase_t* idxBase,
                          musaDataType* valueType) {
  MUSPARSE_REQUIRE(size && nnz && indices && values && idxType && idxBase && valueType);
  *size = self.size, *nnz = self.nnz, *indices = self.indices, *values = self.values;
  *idxType = self.indexType, *idxBase = self.base, *valueType = self.valueType;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t constSpVecGet(const musparseSpVecDescr& self, Args... args) {
  return spVecGet(self, args...);
}
inline musparseStatus_t spVecGetIndexBase(const musparseSpVecDescr& self, musparseIndexBase_t* idxBase) {
  MUSPARSE_REQUIRE(idxBase);
  *idxBase = self.base;
  return MUSPARSE_STATUS_SUCCESS;
}

template <class Slot, class V>
musparseStatus_t createDnVec(Slot& self, int64_t size, V* values, musaDataType valueType) {
  MUSPARSE_REQUIRE(size >= 0);
  MUSPARSE_REQUIRE(isElement(valueType));
  self = new musparseDnVecDescr{size, changeable(values), valueType};
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t createConstDnVec(musparseConstDnVecDescr_t& self, Args... args) {
  return createDnVec(self, args...);
}

template <class Data>
musparseStatus_t dnVecGet(const musparseDnVecDescr& self, int64_t* size, Data** values,
                          musaDataType* valueType) {
  MUSPARSE_REQUIRE(size && values && valueType);
  *size = self.size, *values = self.values, *valueType = self.valueType;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t constDnVecGet(const musparseDnVecDescr& self, Args... args) {
  return dnVecGet(self, args...);
}

// Where values are.
template <class Self, class Data>
musparseStatus_t valuesOf(const Self& self, Data** values) {
  MUSPARSE_REQUIRE(values);
  *values = self.values;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class Self>
musparseStatus_t setValues(Self& self, void* values) {
  self.values = values;
  return MUSPARSE_STATUS_SUCCESS;
}
#define MUSPARSE_VALUES(Name, Type)                                          \
  inline musparseStatus_t Name##GetValues(const Type& self, void** values) { \
    return valuesOf(self, values);                                           \
  }                                                                          \
  inline musparseStatus_t Name##SetValues(Type& self, void* values) { return setValues(self, values); }
MUSPARSE_VALUES(spVec, musparseSpVecDescr)
MUSPARSE_VALUES(dnVec, musparseDnVecDescr)
MUSPARSE_VALUES(dnMat, musparseDnMatDescr)
MUSPARSE_VALUES(spMat, musparseSpMatDescr)
#undef MUSPARSE_VALUES
#define MUSPARSE_CONST_VALUES(Name, Type)                                                 \
  inline musparseStatus_t const##Name##GetValues(const Type& self, const void** values) { \
    return valuesOf(self, values);                                                        \
  }
MUSPARSE_CONST_VALUES(SpVec, musparseSpVecDescr)
MUSPARSE_CONST_VALUES(DnVec, musparseDnVecDescr)
MUSPARSE_CONST_VALUES(DnMat, musparseDnMatDescr)
MUSPARSE_CONST_VALUES(SpMat, musparseSpMatDescr)
#undef MUSPARSE_CONST_VALUES

// -- Dense matrices --

template <class Slot, class V>
musparseStatus_t createDnMat(Slot& self, int64_t rows, int64_t cols, int64_t ld, V* values,
                             musaDataType valueType, musparseOrder_t order) {
  MUSPARSE_REQUIRE(rows >= 0 && cols >= 0 && isOrder(order));
  MUSPARSE_REQUIRE(ld >= (order == MUSPARSE_ORDER_COL ? rows : cols));
  MUSPARSE_REQUIRE(isElement(valueType));
  self = new musparseDnMatDescr{rows, cols, ld, changeable(values), valueType, order};
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t createConstDnMat(musparseConstDnMatDescr_t& self, Args... args) {
  return createDnMat(self, args...);
}

template <class Data>
musparseStatus_t dnMatGet(const musparseDnMatDescr& self, int64_t* rows, int64_t* cols, int64_t* ld,
                          Data** values, musaDataType* type, musparseOrder_t* order) {
  MUSPARSE_REQUIRE(rows && cols && ld && values && type && order);
  *rows = self.rows, *cols = self.cols, *ld = self.ld, *values = self.values;
  *type = self.valueType, *order = self.order;
  return MUSPARSE_STATUS_SUCCESS;
}
template <class... Args>
musparseStatus_t constDnMatGet(const musparseDnMatDescr& self, Args... args) {
  return dnMatGet(self, args...);
}
inline musparseStatus_t dnMatSetStridedBatch(musparseDnMatDescr& self, int batchCount, int64_t batchStride) {
  const int64_t lines = self.order == MUSPARSE_ORDER_COL ? self.cols : self.rows;
  MUSPARSE_REQUIRE(batchCount > 0 && (batchStride == 0 || batchStride >= self.ld * lines));
  self.batchCount = batchCount, self.batchStride = batchStride;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t dnMatGetStridedBatch(const musparseDnMatDescr& self, int* batchCount,
                                             int64_t* batchStride) {
  MUSPARSE_REQUIRE(batchCount && batchStride);
  *batchCount = self.batchCount, *batchStride = self.batchStride;
  return MUSPARSE_STATUS_SUCCESS;
}

}  // namespace musashim::musparse
