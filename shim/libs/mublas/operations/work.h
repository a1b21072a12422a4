// What the operations share: their work on the stream, scalars and results by pointer mode, arguments in
// BLAS's words.
#pragma once

#include <musa_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "libs/core/blas_options.h"
#include "libs/core/stream_work.h"
#include "libs/mublas/api/entry.h"
#include "libs/mublas/operations/blas.h"

namespace musashim::mublas {

inline mublasStatus_t statusOf(musaError_t error) {
  if (error == musaSuccess) return MUBLAS_STATUS_SUCCESS;
  (void)musaGetLastError();
  return error == musaErrorMemoryAllocation ? MUBLAS_STATUS_ALLOC_FAILED : MUBLAS_STATUS_EXECUTION_FAILED;
}

// Queues `work` on the handle's stream.
template <class Work>
mublasStatus_t enqueue(Settings& settings, Work&& work) {
  MUBLAS_REQUIRE(!publicCall.lacksPointer, kBadPointer);
  return statusOf(libs::runOnStream(settings.stream, std::forward<Work>(work)));
}

// As above, for work with a result at `result`: in host memory it is there when the call returns.
template <class Work>
mublasStatus_t enqueueResult(Settings& settings, const void* result, Work&& work) {
  MUBLAS_REQUIRE(result, kBadPointer);
  MUBLAS_TRY(enqueue(settings, std::forward<Work>(work)));
  if (settings.pointerMode == MUBLAS_POINTER_MODE_DEVICE) return MUBLAS_STATUS_SUCCESS;
  const musaError_t error = musaStreamSynchronize(settings.stream);
  // As cuBLAS: what a stream captures has no result yet that the host could have.
  if (error == musaErrorStreamCaptureUnsupported) {
    (void)musaGetLastError();
    return MUBLAS_STATUS_INTERNAL_ERROR;
  }
  return statusOf(error);
}

// A factor that a call is given by a pointer: read at once from host memory, and from the device's when the
// work runs.
template <class T>
class Scalar {
 public:
  using Value = ValueOf<T>;

  Scalar(const Settings& settings, const T* pointer) : device_(asValues(pointer)) {
    if (pointer && settings.pointerMode == MUBLAS_POINTER_MODE_HOST) {
      value_ = *asValues(pointer);
      device_ = nullptr;
    }
  }
  Value get() const { return device_ ? *device_ : value_; }

 private:
  Value value_{};
  const Value* device_;
};

// A pointer whose type is known from other arguments.
template <class T>
using Known = std::type_identity_t<T>;

using libs::isDiagonal;
using libs::isFill;
using libs::isOperation;
using libs::isSide;
using libs::leads;
using libs::letter;

// Whether sizes of 64 bits are such as the processor's library takes.
template <class... Sizes>
bool fitInt(Sizes... sizes) {
  return (std::in_range<int>(sizes) && ...);
}

// The first element of a vector, as BLAS has it: negative increments begin at the end.
template <class T>
T* firstOf(T* x, int n, int increment) {
  return increment < 0 ? x - static_cast<ptrdiff_t>(n - 1) * increment : x;
}

}  // namespace musashim::mublas
