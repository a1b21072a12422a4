// Indices that are remainders, quotients, masked, exchanged or shifted, as rows in loops over threads: every
// thread gets what it asks for, wherever they wrap. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

#include <vector>

namespace {

constexpr int kThreads = 512, kAround = 2048;  // elements before the first and behind the last
unsigned wrong = 0;

template <class T>
T* memory(size_t count) {
  T* all;
  if (musaMallocManaged(&all, count * sizeof(T)) != musaSuccess) exit(2);
  return all;
}

template <class T>
void same(const char* what, T parameter, size_t at, unsigned got, unsigned want) {
  if (got == want) return;
  if (wrong++ < 20) printf("%s by %lld, %zu: %u instead of %u\n", what, (long long)parameter, at, got, want);
}

template <class T>
__host__ __device__ T quotient(T a, T b) {
  return b == 0 ? static_cast<T>(-1) : a / b;
}

template <class T>
__host__ __device__ T remainder(T a, T b) {
  return b == 0 ? a : a % b;
}

// --- Around a ring, and by rows ---------------------------------------------------------------------------

template <class T>
__global__ void around(int count, T n, T first, const unsigned* ring, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T before = first + T(i) - 1, behind = first + T(i) + 2;
  out[i] = ring[before % n] + 3 * ring[behind % n];
}

template <class T>
__global__ void byRows(int count, T width, T first, const unsigned* all, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T at = first + T(i), row = at / width, column = at % width;
  out[i] = all[column] + 5 * unsigned(row) + 7 * all[(row & 63) + column];
}

template <class T>
void testDivisions(const char* name, const unsigned* all, unsigned* out) {
  constexpr bool kSigned = T(-1) < T(0);
  const unsigned* middle = all + kAround;
  std::vector<T> starts{0, 1, 13, 16, 500};
  if (kSigned) starts.insert(starts.end(), {T(-1), T(-20), T(-600)});
  const T divisors[] = {1, 2, 16, 63, 64, 65, 79, 80, 96, 100, 128, 511, 512, 1000};
  for (const T divisor : divisors) {
    for (const T first : starts) {
      for (const int threads : {32, 48, 64, 100, 256}) {
        const int count = threads == 48 ? kThreads : kThreads - 7,
                  blocks = (kThreads + threads - 1) / threads;
        around<T><<<blocks, threads>>>(count, divisor, first, middle, out);
        if (musaDeviceSynchronize() != musaSuccess) exit(2);
        for (int i = 0; i < count; ++i) {
          if (!kSigned && first == 0 && i == 0) continue;  // before zero
          const T before = first + T(i) - 1, behind = first + T(i) + 2;
          same(name, divisor, i, out[i], middle[before % divisor] + 3 * middle[behind % divisor]);
        }
        byRows<T><<<blocks, threads>>>(count, divisor, first, middle, out);
        if (musaDeviceSynchronize() != musaSuccess) exit(2);
        for (int i = 0; i < count; ++i) {
          const T at = first + T(i), row = at / divisor, column = at % divisor;
          same(name, divisor, i, out[i],
               middle[column] + 5 * unsigned(row) + 7 * middle[(row & 63) + column]);
        }
      }
    }
  }
}

// A divisor of zero, and indices that wrap in their own type.
__global__ void remainders(unsigned n, unsigned first, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (first + i) % n + 3 * ((first + i) / n);
}

void testEdges(unsigned* out) {
  for (const unsigned n :
       {0u, 1u, 100u, 0x3fffffffu, 0x40000000u, 0x40000001u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    for (const unsigned first :
         {0u, 0x3fffff00u, 0x7fffff00u, 0x7ffffff0u, 0x7fffffffu, 0xfffffe00u, 0xfffffff1u}) {
      remainders<<<kThreads / 128, 128>>>(n, first, out);
      if (musaDeviceSynchronize() != musaSuccess) exit(2);
      for (unsigned i = 0; i < kThreads; ++i)
        same("edges", n, i, out[i], remainder(first + i, n) + 3 * quotient(first + i, n));
    }
  }
}

// --- Masks, exchanges, shifts -----------------------------------------------------------------------------

__global__ void masked(unsigned mask, unsigned first, const unsigned* all, unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = all[(t + first) & mask];
}

__global__ void exchanged(unsigned bits, unsigned first, const unsigned* all, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned partner = (t + first) ^ bits;
  out[t] = partner > t ? all[partner] : all[t] + 1;
}

__global__ void shifted(unsigned bits, unsigned first, const unsigned* all, unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = all[(t + first) >> bits] + all[t];
}

void testBits(const unsigned* all, unsigned* out) {
  const unsigned values[] = {0,  1,  3,  4,  5,   7,   8,      9,      10,          12,          15,
                             16, 31, 32, 48, 127, 128, 0x10fu, 0x1f0u, 0x80000000u, 0x8000001fu, 0xffffffffu};
  for (const unsigned value : values) {
    for (const unsigned first : {0u, 3u, 16u, 40u}) {
      masked<<<1, kThreads>>>(value & 0x7ff, first, all, out);
      if (musaDeviceSynchronize() != musaSuccess) exit(2);
      for (unsigned t = 0; t < kThreads; ++t)
        same("mask", value, t, out[t], all[(t + first) & value & 0x7ff]);
      masked<<<1, kThreads>>>(value, first, all, out);
      if (musaDeviceSynchronize() != musaSuccess) exit(2);
      for (unsigned t = 0; t < kThreads; ++t) same("mask", value, t, out[t], all[(t + first) & value]);
      const unsigned bits = value & 0x1ff;
      exchanged<<<1, kThreads>>>(bits, first, all, out);
      if (musaDeviceSynchronize() != musaSuccess) exit(2);
      for (unsigned t = 0; t < kThreads; ++t) {
        const unsigned partner = (t + first) ^ bits;
        same("exchange", bits, t, out[t], partner > t ? all[partner] : all[t] + 1);
      }
      shifted<<<1, kThreads>>>(value, first, all, out);
      if (musaDeviceSynchronize() != musaSuccess) exit(2);
      for (unsigned t = 0; t < kThreads; ++t)
        same("shift", value, t, out[t], all[value < 32 ? (t + first) >> value : 0] + all[t]);
    }
  }
}

// --- Butterflies, and remainders of products --------------------------------------------------------------

template <unsigned long long kDivisor>
__global__ void butterflies(const unsigned* in, const unsigned* factors, unsigned* out) {
  __shared__ unsigned a[2 * kThreads];
  const int t = threadIdx.x;
  a[t] = in[t];
  a[t + kThreads] = in[t + kThreads];
  __syncthreads();
  for (int half = 1; half < 2 * kThreads; half *= 2) {
    const int low = t & (half - 1), at = 2 * (t - low) + low;
    const unsigned long long product = (unsigned long long)a[at + half] * factors[low * (kThreads / half)];
    const unsigned x = a[at], y = unsigned(product % kDivisor) ^ unsigned(product / kDivisor);
    a[at] = x + y;
    a[at + half] = x - y;
    __syncthreads();
  }
  out[t] = a[t];
  out[t + kThreads] = a[t + kThreads];
}

template <unsigned long long kDivisor>
void testButterflies(const unsigned* all, unsigned* out) {
  butterflies<kDivisor><<<1, kThreads>>>(all, all + 100, out);
  if (musaDeviceSynchronize() != musaSuccess) exit(2);
  std::vector<unsigned> a(all, all + 2 * kThreads);
  for (int half = 1; half < 2 * kThreads; half *= 2) {
    for (int t = 0; t < kThreads; ++t) {
      const int low = t & (half - 1), at = 2 * (t - low) + low;
      const unsigned long long product =
          (unsigned long long)a[at + half] * all[100 + low * (kThreads / half)];
      const unsigned x = a[at], y = unsigned(product % kDivisor) ^ unsigned(product / kDivisor);
      a[at] = x + y;
      a[at + half] = x - y;
    }
  }
  for (int t = 0; t < 2 * kThreads; ++t) same("butterflies", kDivisor, t, out[t], a[t]);
}

}  // namespace

int main() {
  constexpr size_t count = 2 * kAround + 4 * kThreads;
  unsigned *all = memory<unsigned>(count), *out = memory<unsigned>(2 * kThreads);
  for (unsigned i = 0; i < count; ++i) all[i] = (i * 0x9e3779b9u) ^ (i << 7);
  testDivisions<int>("int", all, out);
  testDivisions<unsigned>("unsigned", all, out);
  testDivisions<long long>("long long", all, out);
  testDivisions<unsigned long long>("unsigned long long", all, out);
  testEdges(out);
  // Masks and exchanges reach no further than the threads and what they begin with; shifts neither.
  testBits(all, out);
  testButterflies<3>(all, out);
  testButterflies<7>(all, out);
  testButterflies<998244353>(all, out);
  testButterflies<4294967291u>(all, out);
  testButterflies<(1ull << 40) - 87>(all, out);
  testButterflies<(1ull << 32) * 6>(all, out);
  testButterflies<~0ull - 58>(all, out);
  printf(wrong == 0 ? "ok\n" : "%u wrong\n", wrong);
  return wrong != 0;
}
