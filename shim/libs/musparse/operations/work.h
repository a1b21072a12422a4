// What the operations share: their work on the stream, scalars and results by pointer mode, checks of
// arguments.
#pragma once

#include <musa_runtime_api.h>

#include <algorithm>
#include <utility>

#include "libs/core/numbers.h"
#include "libs/core/share.h"
#include "libs/core/stream_work.h"
#include "libs/musparse/api/entry.h"
#include "libs/musparse/matrix/matrix.h"

namespace musashim::musparse {

inline musparseStatus_t statusOf(musaError_t error) {
  if (error == musaSuccess) return MUSPARSE_STATUS_SUCCESS;
  (void)musaGetLastError();
  return error == musaErrorMemoryAllocation ? MUSPARSE_STATUS_ALLOC_FAILED : MUSPARSE_STATUS_EXECUTION_FAILED;
}

// Queues `work` on the handle's stream.
template <class Work>
musparseStatus_t enqueue(Settings& settings, Work&& work) {
  return statusOf(libs::runOnStream(settings.stream, std::forward<Work>(work)));
}

// The same, and waits for it: for calls whose answer is in host memory.
template <class Work>
musparseStatus_t runNow(Settings& settings, Work&& work) {
  MUSPARSE_TRY(enqueue(settings, std::forward<Work>(work)));
  return statusOf(musaStreamSynchronize(settings.stream));
}

// As above, for work with a result at a place that the pointer mode tells of. While the stream captures there
// is nothing to wait for: each launch of the graph writes the result.
template <class Work>
musparseStatus_t enqueueResult(Settings& settings, Work&& work) {
  if (settings.pointerMode != MUSPARSE_POINTER_MODE_HOST) return enqueue(settings, std::forward<Work>(work));
  musaStreamCaptureStatus capture = musaStreamCaptureStatusNone;
  MUSPARSE_TRY(statusOf(musaStreamIsCapturing(settings.stream, &capture)));
  return capture == musaStreamCaptureStatusNone ? runNow(settings, std::forward<Work>(work))
                                                : enqueue(settings, std::forward<Work>(work));
}

// A factor that a call is given by a pointer: read at once from host memory, and from the device's when the
// work runs.
template <class V>
class Scalar {
 public:
  Scalar(const Settings& settings, const void* pointer) : device_(static_cast<const V*>(pointer)) {
    if (pointer && settings.pointerMode == MUSPARSE_POINTER_MODE_HOST) {
      value_ = *device_;
      device_ = nullptr;
    }
  }
  V get() const { return device_ ? *device_ : value_; }

 private:
  V value_{};
  const V* device_;
};

using libs::asValues;
using libs::ValueOf;
template <class T>
constexpr musaDataType kDataType = std::is_same_v<T, float>       ? MUSA_R_32F
                                   : std::is_same_v<T, double>    ? MUSA_R_64F
                                   : std::is_same_v<T, muComplex> ? MUSA_C_32F
                                                                  : MUSA_C_64F;
// A pointer whose type is known from other arguments.
template <class T>
using Known = std::type_identity_t<T>;

inline bool isOperation(musparseOperation_t op) { return op >= 0 && op <= 2; }
// Only complex numbers have conjugate ones.
inline bool isComplex(musaDataType type) {
  return type == MUSA_C_32F || type == MUSA_C_64F || type == MUSA_C_16F || type == MUSA_C_16BF;
}
inline bool isOperationOf(musparseOperation_t op, musaDataType type) {
  return isOperation(op) && (op != MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || isComplex(type));
}
inline bool isBase(musparseIndexBase_t base) { return base == 0 || base == 1; }
inline bool isDirection(musparseDirection_t direction) { return direction == 0 || direction == 1; }
inline bool isTurned(musparseOperation_t op) { return op != MUSPARSE_OPERATION_NON_TRANSPOSE; }

// Arguments of the older calls, as the matrix that they describe.
template <class T>
musparseSpMatDescr csrMatrix(int m, int n, int nnz, const musparseMatDescr& descr, const T* values,
                             const int* offsets, const int* columns) {
  musparseSpMatDescr a{};
  a.format = MUSPARSE_FORMAT_CSR;
  a.rows = m;
  a.cols = n;
  a.nnz = nnz;
  a.offsets = const_cast<int*>(offsets);
  a.indices = const_cast<int*>(columns);
  a.offsetType = a.indexType = MUSPARSE_INDEX_32I;
  a.base = descr.base;
  a.fill = descr.fill;
  a.diagonal = descr.diagonal;
  if constexpr (!std::is_void_v<T>) {
    a.values = const_cast<std::remove_const_t<T>*>(values);
    a.valueType = kDataType<std::remove_const_t<T>>;
  } else {
    a.valueType = MUSA_R_32F;
  }
  return a;
}
template <class T>
musparseSpMatDescr bsrMatrix(musparseDirection_t direction, int mb, int nb, int nnzb,
                             const musparseMatDescr& descr, const T* values, const int* offsets,
                             const int* columns, int blockRows, int blockCols) {
  musparseSpMatDescr a = csrMatrix(mb * blockRows, nb * blockCols, nnzb, descr, values, offsets, columns);
  a.format = MUSPARSE_FORMAT_BSR;
  a.blockRows = blockRows;
  a.blockCols = blockCols;
  a.order = direction == MUSPARSE_DIRECTION_ROW ? MUSPARSE_ORDER_ROW : MUSPARSE_ORDER_COL;
  return a;
}

// Nothing here needs a buffer, but programs allocate what they are told, and some take none for a failure.
constexpr size_t kBufferSize = 256;
template <class Size>
musparseStatus_t answerSize(Size* size) {
  MUSPARSE_REQUIRE(size);
  *size = static_cast<Size>(kBufferSize);
  return MUSPARSE_STATUS_SUCCESS;
}

// Runs part(begin, end) over about equal shares of 0 ... count - 1, on several threads when it is worth it.
template <class Part>
void shareRange(int64_t count, int64_t cost, Part&& part) {
  const int64_t most = static_cast<int64_t>(libs::sharingThreads());
  const int64_t parts = cost < 50000 || most < 2 ? 1 : std::min<int64_t>(count, 4 * most);
  if (parts <= 1) return part(int64_t{0}, count);
  libs::shareOut(static_cast<size_t>(parts), [&](size_t index) {
    const int64_t i = static_cast<int64_t>(index);
    part(count * i / parts, count * (i + 1) / parts);
  });
}

}  // namespace musashim::musparse
