// What a handle of muSPARSE holds, and which handles there are.
#pragma once

#include <musparse.h>

namespace musashim::musparse {

// As with cuSPARSE, whoever changes settings makes sure that nobody uses the handle meanwhile.
struct Settings {
  musaStream_t stream = nullptr;
  musparsePointerMode_t pointerMode = MUSPARSE_POINTER_MODE_HOST;
};

// Null when there is no such handle (any more).
Settings* findSettings(musparseHandle_t handle);

musparseHandle_t makeHandle();
bool dropHandle(musparseHandle_t handle);

}  // namespace musashim::musparse
