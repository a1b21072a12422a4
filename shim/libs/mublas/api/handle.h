// What a handle of muBLAS holds, and which handles there are.
#pragma once

#include <mublas.h>

#include <cstddef>

namespace musashim::mublas {

// A handle's settings. As with cuBLAS, whoever changes them makes sure that nobody uses the handle meanwhile.
struct Settings {
  musaStream_t stream = nullptr;
  mublasPointerMode_t pointerMode = MUBLAS_POINTER_MODE_HOST;
  mublasAtomicsMode_t atomicsMode = MUBLAS_ATOMICS_NOT_ALLOWED;
  mublasMath_t mathMode = MUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
};

// Null when there is no such handle (any more).
Settings* findSettings(mublasHandle_t handle);

mublasHandle_t makeHandle();
bool dropHandle(mublasHandle_t handle);

}  // namespace musashim::mublas
