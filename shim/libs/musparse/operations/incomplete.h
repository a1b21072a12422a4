// Incomplete factorisations in place: LU and Cholesky without new elements, of CSR and of BSR. A block's
// elements are factored like any others: what is left out are whole blocks.
#pragma once

#include "libs/musparse/matrix/factor.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

using Sparse = musparseSpMatDescr;

// What the calls ask of sizes.
inline bool isSystem(int m, int nnz, const void* info) { return m >= 0 && nnz >= 0 && info; }

// Where pivots are none, by block rows.
inline musparseStatus_t answerPivot(Settings& self, PivotInfo* info, int* position) {
  MUSPARSE_REQUIRE(info && position);
  MUSPARSE_TRY(statusOf(musaStreamSynchronize(self.stream)));
  const int structural = info->pivot->structural, numerical = info->pivot->numerical;
  const int row = structural < 0 ? numerical : numerical < 0 ? structural : std::min(structural, numerical);
  const int answer = row < 0 ? -1 : row + info->base;
  if (self.pointerMode == MUSPARSE_POINTER_MODE_HOST)
    *position = answer;
  else
    MUSPARSE_TRY(enqueue(self, [=] { *position = answer; }));
  return row < 0 ? MUSPARSE_STATUS_SUCCESS : MUSPARSE_STATUS_ZERO_PIVOT;
}

inline musparseStatus_t analysePivots(Settings& self, const Sparse& a, PivotInfo& info) {
  info.base = a.base;
  info.pivot = std::make_shared<Pivot>();
  return enqueue(self, [a = a, pivot = info.pivot]() mutable {
    a.values = nullptr;
    a.diagonal = MUSPARSE_DIAG_TYPE_NON_UNIT;
    const int64_t row = triangleOf<float>(a, MUSPARSE_OPERATION_NON_TRANSPOSE).firstZero(false);
    pivot->structural = row < 0 ? -1 : static_cast<int>(row / a.blockRows);
  });
}

template <class T>
Boost<ValueOf<T>> boostOf(const Settings& self, const PivotInfo& info) {
  Boost<ValueOf<T>> boost;
  if (!info.boosts) return boost;
  boost.on = true;
  boost.onDevice = self.pointerMode == MUSPARSE_POINTER_MODE_DEVICE;
  boost.tolerancePlace = info.tolerance;
  boost.valuePlace = static_cast<const ValueOf<T>*>(info.boost);
  if (!boost.onDevice) boost.read();
  return boost;
}

template <class T>
musparseStatus_t factorLu(Settings& self, const Sparse& a, PivotInfo& info) {
  return enqueue(self, [a, pivot = info.pivot, boost = boostOf<T>(self, info)]() mutable {
    if (boost.onDevice) boost.read();
    pivot->numerical = static_cast<int>(incompleteLu<ValueOf<T>>(a, boost));
  });
}
template <class T>
musparseStatus_t factorCholesky(Settings& self, const Sparse& a, PivotInfo& info) {
  return enqueue(self, [a, pivot = info.pivot] {
    pivot->numerical = static_cast<int>(incompleteCholesky<ValueOf<T>>(a));
  });
}

template <class T>
musparseStatus_t setBoost(PivotInfo* info, int enable, const double* tolerance, const T* value) {
  MUSPARSE_REQUIRE(info && (!enable || (tolerance && value)));
  info->boosts = enable != 0;
  info->tolerance = tolerance;
  info->boost = value;
  return MUSPARSE_STATUS_SUCCESS;
}

#define MUSPARSE_INCOMPLETE_CSR(name, Info, factor)                                                         \
  inline musparseStatus_t name##ZeroPivot(Settings& self, Info* info, int* position) {                      \
    return answerPivot(self, info, position);                                                               \
  }                                                                                                         \
  template <class T, class Size>                                                                            \
  musparseStatus_t name##Size(int m, int nnz, const musparseMatDescr* descr, Info* info, Size* size) {      \
    MUSPARSE_REQUIRE(isSystem(m, nnz, info) && descr);                                                      \
    return answerSize(size);                                                                                \
  }                                                                                                         \
  template <class T>                                                                                        \
  musparseStatus_t name##BufferSize(Settings&, int m, int nnz, const musparseMatDescr* descr, T*,           \
                                    const int*, const int*, Info* info, int* size) {                        \
    return name##Size<T>(m, nnz, descr, info, size);                                                        \
  }                                                                                                         \
  template <class T>                                                                                        \
  musparseStatus_t name##BufferSizeExt(Settings&, int m, int nnz, const musparseMatDescr* descr, T*,        \
                                       const int*, const int*, Info* info, size_t* size) {                  \
    return name##Size<T>(m, nnz, descr, info, size);                                                        \
  }                                                                                                         \
  template <class T>                                                                                        \
  musparseStatus_t name##Analysis(Settings& self, int m, int nnz, const musparseMatDescr* descr,            \
                                  const T* values, const int* offsets, const int* columns, Info* info,      \
                                  musparseSolvePolicy_t, void*) {                                           \
    MUSPARSE_REQUIRE(isSystem(m, nnz, info) && descr);                                                      \
    return analysePivots(self, csrMatrix(m, m, nnz, *descr, values, offsets, columns), *info);              \
  }                                                                                                         \
  template <class T>                                                                                        \
  musparseStatus_t name(Settings& self, int m, int nnz, const musparseMatDescr* descr, T* values,           \
                        const int* offsets, const int* columns, Info* info, musparseSolvePolicy_t, void*) { \
    MUSPARSE_REQUIRE(isSystem(m, nnz, info) && descr);                                                      \
    return factor<T>(self, csrMatrix(m, m, nnz, *descr, values, offsets, columns), *info);                  \
  }
MUSPARSE_INCOMPLETE_CSR(csrilu02, csrilu02Info, factorLu)
MUSPARSE_INCOMPLETE_CSR(csric02, csric02Info, factorCholesky)
#undef MUSPARSE_INCOMPLETE_CSR

#define MUSPARSE_INCOMPLETE_BSR(name, Info, factor)                                                          \
  inline musparseStatus_t name##ZeroPivot(Settings& self, Info* info, int* position) {                       \
    return answerPivot(self, info, position);                                                                \
  }                                                                                                          \
  template <class T>                                                                                         \
  musparseStatus_t name##BufferSize(Settings&, musparseDirection_t direction, int mb, int nnzb,              \
                                    const musparseMatDescr* descr, T*, const int*, const int*, int block,    \
                                    Info* info, int* size) {                                                 \
    MUSPARSE_REQUIRE(isSystem(mb, nnzb, info) && descr && block > 0 && isDirection(direction));              \
    return answerSize(size);                                                                                 \
  }                                                                                                          \
  template <class T>                                                                                         \
  musparseStatus_t name##BufferSizeExt(Settings&, musparseDirection_t direction, int mb, int nnzb,           \
                                       const musparseMatDescr* descr, T*, const int*, const int*, int block, \
                                       Info* info, size_t* size) {                                           \
    MUSPARSE_REQUIRE(isSystem(mb, nnzb, info) && descr && block > 0 && isDirection(direction));              \
    return answerSize(size);                                                                                 \
  }                                                                                                          \
  template <class T>                                                                                         \
  musparseStatus_t name##Analysis(Settings& self, musparseDirection_t direction, int mb, int nnzb,           \
                                  const musparseMatDescr* descr, const T* values, const int* offsets,        \
                                  const int* columns, int block, Info* info, musparseSolvePolicy_t, void*) { \
    MUSPARSE_REQUIRE(isSystem(mb, nnzb, info) && descr && block > 0 && isDirection(direction));              \
    return analysePivots(                                                                                    \
        self, bsrMatrix(direction, mb, mb, nnzb, *descr, values, offsets, columns, block, block), *info);    \
  }                                                                                                          \
  template <class T>                                                                                         \
  musparseStatus_t name(Settings& self, musparseDirection_t direction, int mb, int nnzb,                     \
                        const musparseMatDescr* descr, T* values, const int* offsets, const int* columns,    \
                        int block, Info* info, musparseSolvePolicy_t, void*) {                               \
    MUSPARSE_REQUIRE(isSystem(mb, nnzb, info) && descr && block > 0 && isDirection(direction));              \
    return factor<T>(                                                                                        \
        self, bsrMatrix(direction, mb, mb, nnzb, *descr, values, offsets, columns, block, block), *info);    \
  }
MUSPARSE_INCOMPLETE_BSR(bsrilu02, bsrilu02Info, factorLu)
MUSPARSE_INCOMPLETE_BSR(bsric02, bsric02Info, factorCholesky)
#undef MUSPARSE_INCOMPLETE_BSR

template <class T>
musparseStatus_t csrilu02NumericBoost(Settings&, csrilu02Info* info, int enable, double* tolerance,
                                      T* value) {
  return setBoost(info, enable, tolerance, value);
}
template <class T>
musparseStatus_t bsrilu02NumericBoost(Settings&, bsrilu02Info* info, int enable, double* tolerance,
                                      T* value) {
  return setBoost(info, enable, tolerance, value);
}

}  // namespace musashim::musparse
