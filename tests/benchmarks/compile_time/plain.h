// Lets clang compile a kernel file as plain C++: what such a compilation costs, not a way to run it.
#pragma once

#include <math.h>

#define __global__
#define __device__
#define __shared__ static

struct dim3 {
  unsigned x, y, z;
};
struct float4 {
  float x, y, z, w;
};
extern thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;

void __syncthreads();
float __shfl_down_sync(unsigned mask, float value, unsigned delta);
float __shfl_xor_sync(unsigned mask, float value, int laneMask);
inline unsigned atomicAdd(unsigned* to, unsigned value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
