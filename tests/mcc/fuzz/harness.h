// What all generated kernels and their program share. Compiled by mcc, by a host compiler with FUZZ_REFERENCE
// for what the kernels must give, or by nvcc with FUZZ_CUDA for what a GPU gives.
#pragma once

#ifdef FUZZ_REFERENCE
#include "reference.h"
#define FUZZ_DYNAMIC(type, name) type* name = reinterpret_cast<type*>(reference::dynamicShared.data())
// Between steps of lanes that move together on hardware, though the source has no barrier there.
#define FUZZ_STEP(mask) __syncwarp(mask)
#define FUZZ_FENCE(mask) __syncwarp(mask)
// The same within `if (holds) {`.
#define FUZZ_SPLIT(mask, holds) \
  }                             \
  __syncwarp(mask);             \
  if (holds) {
// All living threads of the block come here before one goes on, as on hardware by its order.
#define FUZZ_BLOCK_STEP() __syncthreads()
// In loops that poll.
#define FUZZ_POLL() reference::block->wait()
#else
#define FUZZ_POLL() static_cast<void>(0)
#ifdef FUZZ_CUDA
#include "cuda_names.h"
// A store that does not depend on the loads before it stays behind them, whatever nvcc makes of the code.
#define FUZZ_STEP(mask) __threadfence_block()
#else
#include <musa_runtime.h>
#define FUZZ_STEP(mask) static_cast<void>(0)
#endif
#define FUZZ_DYNAMIC(type, name) extern __shared__ type name[]
#define FUZZ_FENCE(mask) __threadfence_block()
#define FUZZ_SPLIT(mask, holds)
#define FUZZ_BLOCK_STEP()
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

constexpr unsigned kInputs = 1024, kUniforms = 16, kResults = 12;

using Kernel = void (*)(const unsigned* in, const unsigned* uni, unsigned param, unsigned* out);

// What a kernel gets.
struct Arguments {
  const unsigned *in, *uni;
  unsigned param;
  unsigned* out;
};

struct Launch {
  const char* name;
  void (*start)(const Launch& launch, const Arguments& with);
  unsigned blocks;
  dim3 size;
  unsigned sharedBytes;
  unsigned param;
};

// --- In kernels ---------------------------------------------------------------------------------

// The lane that a shuffle reads, among 32: 0 up, 1 down, 2 xor, 3 index.
__device__ inline unsigned shuffledFrom(int form, unsigned lane, unsigned by, unsigned width) {
  const unsigned first = lane & ~(width - 1), last = first + width - 1;
  if (form == 0) return by <= lane - first ? lane - by : lane;
  if (form == 1) return by <= last - lane ? lane + by : lane;
  if (form == 2) return (lane ^ by) <= last ? lane ^ by : lane;
  return first + (by & (width - 1));
}

// Bytes as values of bool.
#ifdef FUZZ_REFERENCE
struct Bools {
  const unsigned char* bytes;
  bool operator[](unsigned i) const { return bytes[i] != 0; }
};
inline Bools boolOf(const void* memory) { return {static_cast<const unsigned char*>(memory)}; }
inline bool boolAt(const void* memory, unsigned i) { return boolOf(memory)[i]; }
#else
__device__ inline const bool* boolOf(const void* memory) { return static_cast<const bool*>(memory); }
__device__ inline bool boolAt(const void* memory, unsigned i) {
  bool value;
  memcpy(&value, static_cast<const char*>(memory) + i, sizeof value);
  return value;
}
#endif

struct Private {
  unsigned a;
  unsigned long long b;
  float c;
  unsigned char d[5];
};

struct Results {
  unsigned v[4];
  unsigned long long q;
  float f;
  double g;
};

__device__ inline void finish(unsigned* out, unsigned thread, const Results& results, const unsigned* p,
                              const Private& s) {
  out += size_t{thread} * kResults;
  for (int i = 0; i < 4; ++i) out[i] = results.v[i];
  out[4] = static_cast<unsigned>(results.q);
  out[5] = static_cast<unsigned>(results.q >> 32);
  out[6] = static_cast<unsigned>(static_cast<long long>(results.f));
  out[7] = static_cast<unsigned>(static_cast<long long>(results.g));
  unsigned sum = 0;
  for (int i = 0; i < 8; ++i) sum = sum * 31 + p[i];
  out[8] = sum;
  out[9] = s.a ^ static_cast<unsigned>(s.b >> 7);
  out[10] = static_cast<unsigned>(s.c) + s.d[0] + s.d[4] * 256u;
  out[11] = 0x600dd00d;
}

// --- Launches -------------------------------------------------------------------------------------

// clang-format off
#ifdef FUZZ_REFERENCE
#define FUZZ_START(kernel, grid, block, shared, ...) \
  reference::launch(dim3(grid), dim3(block), shared, [&] { kernel(__VA_ARGS__); })
#else
#define FUZZ_START(kernel, grid, block, shared, ...) kernel<<<grid, block, shared>>>(__VA_ARGS__)
#endif
// clang-format on

// --- The program ----------------------------------------------------------------------------------

inline void runKernel(const Launch& launch, const std::vector<unsigned>& in, const std::vector<unsigned>& uni,
                      std::vector<unsigned>& out) {
#ifdef FUZZ_REFERENCE
  launch.start(launch, {in.data(), uni.data(), launch.param, out.data()});
#else
  unsigned *deviceIn, *deviceUni, *deviceOut;
  const size_t outBytes = out.size() * sizeof(unsigned);
  musaMalloc(&deviceIn, in.size() * sizeof(unsigned));
  musaMalloc(&deviceUni, uni.size() * sizeof(unsigned));
  musaMalloc(&deviceOut, outBytes);
  musaMemcpy(deviceIn, in.data(), in.size() * sizeof(unsigned), musaMemcpyHostToDevice);
  musaMemcpy(deviceUni, uni.data(), uni.size() * sizeof(unsigned), musaMemcpyHostToDevice);
  musaMemcpy(deviceOut, out.data(), outBytes, musaMemcpyHostToDevice);
  launch.start(launch, {deviceIn, deviceUni, launch.param, deviceOut});
  const musaError_t error = musaMemcpy(out.data(), deviceOut, outBytes, musaMemcpyDeviceToHost);
  if (error != musaSuccess) {
    printf("%s error %s\n", launch.name, musaGetErrorName(error));
    fflush(stdout);
    _Exit(3);
  }
  musaFree(deviceIn);
  musaFree(deviceUni);
  musaFree(deviceOut);
#endif
}

// FUZZ_FIRST=N skips the first N launches, FUZZ_COUNT=N makes so many, each FUZZ_TIMES=N times; FUZZ_DUMP=1
// prints every thread's results.
inline int runAll(const std::vector<Launch>& launches) {
  const char* const first = getenv("FUZZ_FIRST");
  const char* const count = getenv("FUZZ_COUNT");
  const char* const times = getenv("FUZZ_TIMES");
#ifdef FUZZ_REFERENCE
  if (const char* lanes = getenv("FUZZ_LANES")) reference::lanes = atoi(lanes);
#endif
#ifdef FUZZ_CUDA
  cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10);  // for recursion
#endif
  std::vector<unsigned> in(kInputs), uni(kUniforms);
  for (unsigned i = 0; i < kInputs; ++i) in[i] = (i + 1) * 2654435761u ^ (i << 7);
  for (unsigned i = 0; i < kUniforms; ++i) uni[i] = (i * 40503u + 11u) >> (i % 5);
  const size_t begin = first == nullptr ? 0 : strtoul(first, nullptr, 10);
  const size_t most = count == nullptr ? launches.size() : strtoul(count, nullptr, 10);
  const size_t end = std::min(launches.size(), begin + most);
  const size_t often = times == nullptr ? 1 : strtoul(times, nullptr, 10);
  for (size_t i = begin * often; i < end * often; ++i) {
    const Launch& launch = launches[i / often];
    const unsigned threads = launch.blocks * launch.size.x * launch.size.y * launch.size.z;
    std::vector<unsigned> out(size_t{threads} * kResults, 0xdeadbeef);
    runKernel(launch, in, uni, out);
    uint64_t hash = 14695981039346656037ull;
    for (const unsigned word : out) hash = (hash ^ word) * 1099511628211ull;
    printf("%s %016llx\n", launch.name, static_cast<unsigned long long>(hash));
    fflush(stdout);
    if (getenv("FUZZ_DUMP") == nullptr) continue;
    for (unsigned i = 0; i < out.size(); ++i) {
      if (i % kResults == 0) printf("  thread %u:", i / kResults);
      printf(" %x%s", out[i], i % kResults == kResults - 1 ? "\n" : "");
    }
  }
  fflush(stdout);
  return 0;
}
