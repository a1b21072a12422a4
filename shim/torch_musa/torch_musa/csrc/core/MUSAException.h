// The names under which ported extensions know it.
#pragma once
#include "torch_musa/csrc/core/Device.h"

/// For errors that the caller looks at himself.
#define C10_MUSA_ERROR_HANDLED(expression) (expression)
#define C10_MUSA_IGNORE_ERROR(expression)                                      \
  do {                                                                         \
    if (const musaError_t ignored = (expression); ignored != musaSuccess) {    \
      (void)musaGetLastError();                                                \
      TORCH_WARN("MUSA error that is ignored: ", musaGetErrorString(ignored)); \
    }                                                                          \
  } while (0)
