// Functions that generated kernels call: inlined, not inlined, recursive, through pointers
// and virtual ones; the second half waits for the block's other threads.
#pragma once

#include "harness.h"

__device__ inline unsigned mix(unsigned a, unsigned b) {
  if (b == 0) return a + 1;
  return a * 31 + (b >> 3);
}

__device__ __noinline__ unsigned mixApart(unsigned a, unsigned b) {
  for (unsigned i = 0; i < (b & 3); ++i) {
    if (a % 5 == 0) return a ^ i;
    a = a * 3 + threadIdx.x;
  }
  return a;
}

__device__ __noinline__ unsigned mixOften(unsigned a, unsigned b) {
  return (b & 7) == 0 ? a : mixOften(a * 5 + b, (b & 7) - 1) + b;
}

// Takes a while: each access waits for the one before.
__device__ inline unsigned dwell(const unsigned* in, unsigned value) {
  for (unsigned i = 0; i < 8; ++i) value = in[(value + i) % kInputs];
  return value;
}

using Mix = unsigned (*)(unsigned, unsigned);
__device__ Mix mixBy[3] = {mixApart, mixOften, mix};

struct Mixer {
  __device__ virtual unsigned operator()(unsigned a) const { return a + seed; }
  __device__ explicit Mixer(unsigned seed) : seed(seed) {}
  unsigned seed;
};
struct OtherMixer : Mixer {
  using Mixer::Mixer;
  __device__ unsigned operator()(unsigned a) const override { return a * seed; }
};

__device__ inline unsigned virtually(unsigned a, unsigned b) {
  const Mixer first(b);
  const OtherMixer second(b);
  const Mixer& mixer = (a & 1) != 0 ? first : second;
  return mixer(a);
}

// --- With barriers: all threads of the block call them together --------------------------------

__device__ __forceinline__ unsigned rotate(unsigned* array, unsigned tid, unsigned n, unsigned value,
                                           unsigned steps) {
  unsigned mine[2] = {value, tid};
  for (unsigned i = 0; i <= steps; ++i) {
    array[(tid + i) % n] = mine[0];
    __syncthreads();
    mine[i & 1] += array[(tid * 3 + i) % n];
    __syncthreads();
  }
  return mine[0] ^ mine[1];
}

__device__ __noinline__ unsigned rotateApart(unsigned* array, unsigned tid, unsigned n, unsigned value,
                                             unsigned steps) {
  return rotate(array, tid, n, value + 1, steps);
}

__device__ __noinline__ unsigned rotateOften(unsigned* array, unsigned tid, unsigned n, unsigned value,
                                             unsigned steps) {
  array[tid] = value;
  __syncthreads();
  value = array[n - 1 - tid] * 3;
  __syncthreads();
  return steps == 0 ? value : rotateOften(array, tid, n, value, steps - 1) + value;
}

using Rotate = unsigned (*)(unsigned*, unsigned, unsigned, unsigned, unsigned);
__device__ Rotate rotateBy[2] = {rotateOften, rotateApart};
