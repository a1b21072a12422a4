// Kernels of which each counts on its lanes' moving together, or on its warps' going about in step, and that
// call the same functions. What is done to a function for one of them must not hide what the next one does.
// Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <functional>

constexpr int kThreads = 64, kRounds = 5;

using Kernel = void (*)(const int* in, int* out, int rounds);

__host__ __device__ __noinline__ int looked(const int* in, int place) { return in[place & 31] + 1; }

// Lanes that look something up first are behind the others, who must not write meanwhile.
template <int kNumber>
__global__ void inPlace(const int* in, int* out, int rounds) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = t * kNumber;
  __syncwarp();
  int v = t;
  for (int r = 0; r < rounds; ++r) {
    if ((t + r) % 3 == 0) v = looked(in, v);
    const int other = s[t ^ 1];
    const int more = looked(in, other);
    s[t] = other + more + v;
    __syncwarp();
  }
  out[t] = s[t];
}

int expectedInPlace(int number, const int* in, int thread) {
  int s[kThreads], v[kThreads];
  for (int t = 0; t < kThreads; ++t) s[t] = t * number, v[t] = t;
  for (int r = 0; r < kRounds; ++r) {
    int next[kThreads];
    for (int t = 0; t < kThreads; ++t) {
      if ((t + r) % 3 == 0) v[t] = looked(in, v[t]);
      next[t] = s[t ^ 1] + looked(in, s[t ^ 1]) + v[t];
    }
    for (int t = 0; t < kThreads; ++t) s[t] = next[t];
  }
  return s[thread];
}

__device__ __noinline__ void put(int* place, int value) { *place = value; }

// Sums of warps, then of the block, in an array that is used again; each warp puts something elsewhere as
// well.
template <int kNumber>
__global__ void reused(const int* in, int* out, int rounds) {
  __shared__ int parts[2], own[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  int v = t * kNumber;
  for (int r = 0; r < rounds; ++r) {
    if (t % 32 == 0) parts[t / 32] = v;
    __syncthreads();
    const int sum = parts[0] + parts[1];
    if (t < 32) put(&own[t], sum);
    v += looked(in, sum) + (t < 32 ? own[t] - sum : 0);
  }
  out[t] = v;
}

int expectedReused(int number, const int* in, int thread) {
  int v[kThreads];
  for (int t = 0; t < kThreads; ++t) v[t] = t * number;
  for (int r = 0; r < kRounds; ++r) {
    const int sum = v[0] + v[32];
    for (int& value : v) value += looked(in, sum);
  }
  return v[thread];
}

bool check(const char* name, Kernel kernel, const int* in, int* out,
           const std::function<int(int)>& expected) {
  kernel<<<1, kThreads>>>(in, out, kRounds);
  if (musaDeviceSynchronize() != musaSuccess) return std::printf("%s: failed\n", name), false;
  for (int t = 0; t < kThreads; ++t) {
    if (out[t] == expected(t)) continue;
    std::printf("%s: thread %d has %d, not %d\n", name, t, out[t], expected(t));
    return false;
  }
  return true;
}

int main() {
  int *in, *out;
  musaMallocManaged(&in, 32 * sizeof(int));
  musaMallocManaged(&out, kThreads * sizeof(int));
  for (int i = 0; i < 32; ++i) in[i] = (i * 5 + 2) % 7;
  bool good = true;
  good &= check("inPlace<1>", inPlace<1>, in, out, [&](int t) { return expectedInPlace(1, in, t); });
  good &= check("inPlace<2>", inPlace<2>, in, out, [&](int t) { return expectedInPlace(2, in, t); });
  good &= check("reused<1>", reused<1>, in, out, [&](int t) { return expectedReused(1, in, t); });
  good &= check("reused<2>", reused<2>, in, out, [&](int t) { return expectedReused(2, in, t); });
  std::puts(good ? "all as expected" : "wrong");
  return good ? 0 : 1;
}
