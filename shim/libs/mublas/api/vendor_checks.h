// What the vendor's library looks at before anything else, as rocBLAS documents it: options, then sizes, then
// pointers.
#pragma once

#include <musa_bf16.h>
#include <musa_fp16.h>

#include "libs/core/blas_options.h"
#include "libs/mublas/api/handle.h"
#include "libs/mublas/api/status.h"

namespace musashim::mublas {

inline bool isOption(mublasOperation_t value) { return libs::isOperation(value); }
inline bool isOption(mublasFillMode_t value) { return libs::isFill(value); }
inline bool isOption(mublasSideMode_t value) { return libs::isSide(value); }
inline bool isOption(mublasDiagType_t value) { return libs::isDiagonal(value); }

template <class... Options>
bool areOptions(Options... options) {
  return (isOption(options) && ...);
}

// Whether a factor is known to be 0: of the device's memory, or of a type that other arguments tell, it is
// not.
template <class Self, class T>
bool isZeroFactor(const Self& self, const T* factor) {
  if constexpr (requires { self.pointerMode; }) {
    if (self.pointerMode != MUBLAS_POINTER_MODE_HOST) return false;
  }
  if (!factor) return false;
  if constexpr (requires { factor->x; }) {
    return factor->x == 0 && factor->y == 0;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return *factor == 0;
  } else {
    return false;
  }
}

// `all`: that no pointer is null; `needed`: that no pointer to what the work reads or writes is. Work without
// elements needs none, so enqueue() asks.
inline mublasStatus_t checkAsVendor(bool options, bool sizes, bool needed, bool all) {
  publicCall.isOperation = true;
  publicCall.hasNull = !all;
  publicCall.lacksPointer = !needed;
  if (!options) return kBadOption;
  return sizes ? MUBLAS_STATUS_SUCCESS : kBadSize;
}

}  // namespace musashim::mublas
