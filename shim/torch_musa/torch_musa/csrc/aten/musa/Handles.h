// Handles of the mathematical libraries for ported extensions.
#pragma once

#include <mublas.h>
#include <musparse.h>

namespace at::musa {

// This thread's handle of the current device, on the current stream.
mublasHandle_t getCurrentMUSABlasHandle();
musparseHandle_t getCurrentMUSASparseHandle();

}  // namespace at::musa
