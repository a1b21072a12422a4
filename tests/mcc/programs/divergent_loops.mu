// Loops of arithmetic that every thread leaves after rounds of its own, which the compiler runs for a vector of
// threads at a time: counts, roots, generators, of every type and with several ways out, in rows of all lengths.
#include <musa_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const musaError_t error = (call);                                         \
    if (error != musaSuccess) {                                               \
      std::printf("%s:%d: %s\n", #call, __LINE__, musaGetErrorString(error)); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

// The same code on both sides. No contraction: both round alike.
#pragma clang fp contract(off)

// Two ways out with values of their own.
struct Escape {
  using Result = unsigned;
  static __host__ __device__ unsigned of(unsigned i) {
    const float cx = -2.0f + static_cast<float>(i % 37) * 0.08f, cy = static_cast<float>(i % 11) * 0.1f;
    float x = 0, y = 0;
    unsigned count = 0;
    while (count < 200 && x * x + y * y <= 4.0f) {
      const float next = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next;
      ++count;
    }
    return count;
  }
};

// A branch inside.
struct Collatz {
  using Result = unsigned;
  static __host__ __device__ unsigned of(unsigned i) {
    unsigned steps = 0;
    for (unsigned n = i + 1; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return steps;
  }
};

// Doubles, and what is computed before the loop is needed behind it.
struct Root {
  using Result = double;
  static __host__ __device__ double of(unsigned i) {
    const double square = 1.0 + i * 0.75, tolerance = square * 1e-12;
    double root = square;
    while (fabs(root * root - square) > tolerance) root = 0.5 * (root + square / root);
    return root + square;
  }
};

// Integers of 64 bits beside a truth value and floats.
struct Generator {
  using Result = uint64_t;
  static __host__ __device__ uint64_t of(unsigned i) {
    uint64_t state = 0x9e3779b97f4a7c15u ^ (uint64_t{i} << 17);
    bool odd = false;
    float weight = 1;
    do {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      odd = !odd;
      weight *= 0.97f;
      if (weight < 0.05f) return state ^ 0xffu;
    } while (static_cast<uint32_t>(state >> 40) % 64 != 0 || odd);
    return state + static_cast<uint64_t>(weight * 1000);
  }
};

// No round at all for some, a break, and two results.
struct Scale {
  using Result = int;
  static __host__ __device__ int of(unsigned i) {
    float value = static_cast<float>(i) - 20.5f;
    int exponent = 0;
    while (value < -1.0f || value > 1.0f) {
      value *= 0.5f;
      if (++exponent == 5) break;
    }
    return exponent * 1000 + static_cast<int>(value * 100);
  }
};

template <class Loop>
__global__ void guarded(unsigned n, typename Loop::Result* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Loop::of(i);
}

// In a loop, with a barrier behind it.
template <class Loop>
__global__ void twice(unsigned n, typename Loop::Result* out) {
  __shared__ typename Loop::Result row[256];
  for (unsigned first = 0; first < n; first += blockDim.x) {
    row[threadIdx.x] = Loop::of(first + threadIdx.x);
    __syncthreads();
    const unsigned other = blockDim.x - 1 - threadIdx.x;
    if (first + other < n) out[first + other] = row[other];
    __syncthreads();
  }
}

template <class Loop>
int test(const char* name, unsigned n, unsigned threads) {
  using Result = typename Loop::Result;
  Result* data = nullptr;
  CHECK(musaMalloc(&data, n * sizeof(Result)));
  int failures = 0;
  for (int kernel = 0; kernel < 2; ++kernel) {
    CHECK(musaMemset(data, 0xee, n * sizeof(Result)));
    if (kernel == 0) {
      guarded<Loop><<<(n + threads - 1) / threads, threads>>>(n, data);
    } else {
      twice<Loop><<<1, threads>>>(n, data);
    }
    std::vector<Result> got(n);
    CHECK(musaMemcpy(got.data(), data, n * sizeof(Result), musaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; ++i) {
      const Result expected = Loop::of(i);
      if (std::memcmp(&got[i], &expected, sizeof expected) == 0) continue;
      std::printf("%s, kernel %d, %u threads: element %u of %u is wrong\n", name, kernel, threads, i, n);
      ++failures;
      break;
    }
  }
  CHECK(musaFree(data));
  return failures;
}

int main() {
  int failures = 0;
  for (unsigned threads : {1, 5, 8, 16, 37, 64, 100, 256}) {
    for (unsigned n : {1, 7, 64, 333}) {
      failures += test<Escape>("escape", n, threads) + test<Collatz>("collatz", n, threads) +
                  test<Root>("root", n, threads) + test<Generator>("generator", n, threads) +
                  test<Scale>("scale", n, threads);
    }
  }
  if (failures == 0) std::printf("ok\n");
  return failures != 0;
}
