// Numbers that kernels draw, by checksums of their bits.
#pragma once

#include <curand.h>
#include <curand_kernel.h>

#include "device_values.h"

constexpr int kDrawn = 2048;

static int code(curandStatus_t status) { return static_cast<int>(status); }

template <typename T>
static void observeBits(const std::string& key, const DeviceValues<T>& values) {
  const std::vector<T> all = values.get();
  OBSERVE(key, checksum(all.data(), all.size() * sizeof(T)));
}

template <typename State>
__device__ void start(State* state, const unsigned*, const unsigned long long*) {
  curand_init(1234ull, 5ull, 7ull, state);
}
// Sobol's states, of vectors in device memory.
template <typename Word, int bits>
struct Vectors {
  Word at[bits];
  __device__ explicit Vectors(const Word* from) {
    for (int i = 0; i < bits; ++i) at[i] = from[i];
  }
};
__device__ inline void start(curandStateSobol32_t* state, const unsigned* narrow, const unsigned long long*) {
  Vectors<unsigned, 32> vectors(narrow);
  curand_init(vectors.at, 7u, state);
}
__device__ inline void start(curandStateScrambledSobol32_t* state, const unsigned* narrow,
                             const unsigned long long*) {
  Vectors<unsigned, 32> vectors(narrow);
  curand_init(vectors.at, 0x12345678u, 7u, state);
}
__device__ inline void start(curandStateSobol64_t* state, const unsigned*, const unsigned long long* wide) {
  Vectors<unsigned long long, 64> vectors(wide);
  curand_init(vectors.at, 7ull, state);
}
__device__ inline void start(curandStateScrambledSobol64_t* state, const unsigned*,
                             const unsigned long long* wide) {
  Vectors<unsigned long long, 64> vectors(wide);
  curand_init(vectors.at, 0x123456789abcdefull, 7ull, state);
}
