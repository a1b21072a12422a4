#pragma once
// Reached by a macro alone, and so is what it includes.
#include OWN_HEADER(more.cuh)
__device__ inline int own_value() {
#ifdef __CUDA_ARCH__
  return 3;
#else
  return 4;
#endif
}
