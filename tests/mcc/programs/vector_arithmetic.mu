// Division, conversions and loads that are vectors in loops over threads: every thread gets what a GPU gives,
// beside the host's arithmetic of single numbers. Checks itself.
#include <limits.h>
#include <math.h>
#include <musa_runtime.h>
#include <stdio.h>
#include <string.h>

#include <vector>

namespace {

unsigned wrong = 0;

template <class T>
T* memory(size_t count) {
  T* all;
  if (musaMallocManaged(&all, count * sizeof(T)) != musaSuccess) exit(2);
  return all;
}

template <class T>
void same(const char* what, size_t at, T got, T want) {
  if (memcmp(&got, &want, sizeof got) == 0) return;
  if (wrong++ < 20) printf("%s, %zu: %lld instead of %lld\n", what, at, (long long)got, (long long)want);
}

// --- Division ---------------------------------------------------------------------------------------------

template <class T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (T(-1) < T(0) && b == static_cast<T>(-1)) return static_cast<T>(0u - static_cast<unsigned>(a));
  return a / b;
}

template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if (T(-1) < T(0) && b == static_cast<T>(-1)) return 0;
  return a % b;
}

template <class T>
__global__ void divideByEach(int n, const T* a, const T* b, T* quotients, T* remainders) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotients[i] = a[i] / b[i];
  remainders[i] = a[i] % b[i];
}

template <class T>
__global__ void divideByOne(int n, const T* a, T b, T* quotients, T* remainders) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotients[i] = a[i] / b;
  remainders[i] = a[i] % b;
}

// The trip count differs between threads, and threads that are done divide by zero no more.
__global__ void greatestDivisor(int n, const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i], y = b[i];
  while (y != 0) {
    const unsigned next = x % y;
    x = y;
    y = next;
  }
  out[i] = x;
}

unsigned mixed(unsigned i) {
  i = (i ^ i >> 16) * 0x45d9f3bu;
  i = (i ^ i >> 16) * 0x45d9f3bu;
  return i ^ i >> 16;
}

template <class T>
void testDivision(const char* name) {
  const unsigned edges[] = {0,           1,           2,           3,           7,
                            10,          0xffffu,     0x10000u,    0x7ffffffeu, 0x7fffffffu,
                            0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};
  std::vector<T> numbers;
  for (const unsigned edge : edges) numbers.push_back(static_cast<T>(edge));
  for (unsigned i = 0; i < 40; ++i) numbers.push_back(static_cast<T>(mixed(i) >> (i % 31)));
  const size_t n = numbers.size() * numbers.size() + 3 * 4096;
  T *a = memory<T>(n), *b = memory<T>(n), *quotients = memory<T>(n), *remainders = memory<T>(n);
  size_t used = 0;
  for (const T x : numbers) {
    for (const T y : numbers) a[used] = x, b[used++] = y;
  }
  // Around whole quotients, where a rounded one would be the next.
  for (unsigned i = 0; used < n; ++i) {
    const T divisor = static_cast<T>(mixed(i) >> (i % 30) | 1);
    const T whole = static_cast<T>(mixed(i + 100000) / (static_cast<unsigned>(divisor) | 1) * divisor);
    for (int off = -1; off <= 1 && used < n; ++off)
      a[used] = static_cast<T>(whole + off), b[used++] = divisor;
  }
  const int count = static_cast<int>(n), blocks = (count + 127) / 128;
  divideByEach<<<blocks, 128>>>(count, a, b, quotients, remainders);
  if (musaDeviceSynchronize() != musaSuccess) exit(2);
  for (size_t i = 0; i < n; ++i) {
    same(name, i, quotients[i], quotient(a[i], b[i]));
    same(name, i, remainders[i], remainder(a[i], b[i]));
  }
  for (const T divisor : numbers) {
    divideByOne<<<blocks, 128>>>(count, a, divisor, quotients, remainders);
    if (musaDeviceSynchronize() != musaSuccess) exit(2);
    for (size_t i = 0; i < n; ++i) {
      same(name, i, quotients[i], quotient(a[i], divisor));
      same(name, i, remainders[i], remainder(a[i], divisor));
    }
  }
}

void testGreatestDivisor() {
  constexpr int n = 1000;
  unsigned *a = memory<unsigned>(n), *b = memory<unsigned>(n), *out = memory<unsigned>(n);
  for (unsigned i = 0; i < n; ++i)
    a[i] = mixed(i) >> i % 20, b[i] = i % 9 == 0 ? 0 : mixed(i + 5000) >> i % 25;
  greatestDivisor<<<(n + 255) / 256, 256>>>(n, a, b, out);
  if (musaDeviceSynchronize() != musaSuccess) exit(2);
  for (unsigned i = 0; i < n; ++i) {
    unsigned x = a[i], y = b[i];
    while (y != 0) x = remainder(x, y), std::swap(x, y);
    same("greatest divisor", i, out[i], x);
  }
}

// --- Conversions ------------------------------------------------------------------------------------------

template <class Float, class Int>
__global__ void convert(int n, const Float* from, Int* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<Int>(from[i]);
}

template <class Float, class Int>
Int converted(Float x) {
  const bool isSigned = Int(-1) < Int(0), isWide = sizeof(Float) == 8 && sizeof(Int) == 4;
  const unsigned bits = sizeof(Int) * 8;
  const double least = isSigned ? -ldexp(1, bits - 1) : 0, past = ldexp(1, bits - isSigned);
  if (isnan(x)) return isWide ? static_cast<Int>(1u << 31) : 0;
  if (static_cast<double>(x) <= least) return static_cast<Int>(static_cast<long long>(least));
  return static_cast<Int>(static_cast<double>(x) >= past ? static_cast<long long>(past) - 1
                                                         : static_cast<long long>(x));
}

template <class Float, class Int>
void testConversion(const char* name) {
  std::vector<Float> numbers{0,         Float(-0.0), Float(0.5), Float(-0.5), Float(0.999), INFINITY,
                             -INFINITY, NAN,         -NAN,       Float(1e30), Float(-1e30), Float(1e-40)};
  for (int power = 6; power <= 33; ++power) {
    const auto edge = static_cast<Float>(ldexp(1, power));
    for (const Float x : {edge, nextafter(edge, Float(0)), nextafter(edge, Float(INFINITY)), edge - 1,
                          edge - Float(0.5), edge + Float(0.5), edge + 1})
      numbers.push_back(x), numbers.push_back(-x);
  }
  const int n = static_cast<int>(numbers.size());
  Float* from = memory<Float>(numbers.size());
  Int* to = memory<Int>(numbers.size());
  memcpy(from, numbers.data(), numbers.size() * sizeof(Float));
  convert<<<(n + 63) / 64, 64>>>(n, from, to);
  if (musaDeviceSynchronize() != musaSuccess) exit(2);
  for (int i = 0; i < n; ++i) same(name, static_cast<size_t>(i), to[i], converted<Float, Int>(from[i]));
}

// --- Loads
// --------------------------------------------------------------------------------------------------

__constant__ int factors[4];

// Constant memory is what it was, whatever is stored in between.
__global__ void scale(int n, int* all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int part = 0; part < 4; ++part)
    all[part * n + i] = all[part * n + i] * factors[part] + factors[3 - part];
}

void testConstantMemory() {
  constexpr int n = 300;
  int* all = memory<int>(4 * n);
  for (int round = 0; round < 3; ++round) {
    const int now[4] = {round, 2 - round, 7 * round + 1, -round};
    musaMemcpyToSymbol(factors, now, sizeof now);
    for (int i = 0; i < 4 * n; ++i) all[i] = i;
    scale<<<(n + 63) / 64, 64>>>(n, all);
    if (musaDeviceSynchronize() != musaSuccess) exit(2);
    for (int i = 0; i < 4 * n; ++i) same("constants", i, all[i], i * now[i / n] + now[3 - i / n]);
  }
}

// Elements of shared memory that only some threads want.
__global__ void chosen(int n, const unsigned* from, unsigned* out) {
  __shared__ unsigned table[8];
  if (threadIdx.x < 8) table[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned sum = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if (i >> bit & 1) sum += table[bit];
    }
    out[i] = sum;
  }
}

// An index that grows in each round of a loop with barriers.
__global__ void planes(int n, const int* in, int* out) {
  __shared__ int row[64];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int plane = 0; plane < n; ++plane, at += gridDim.x * blockDim.x) {
    row[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = row[blockDim.x - 1 - threadIdx.x] + plane;
    __syncthreads();
  }
}

void testShared() {
  constexpr int n = 700, blocks = 3, threads = 64, count = 9;
  unsigned *from = memory<unsigned>(8), *out = memory<unsigned>(n);
  for (unsigned i = 0; i < 8; ++i) from[i] = mixed(i);
  chosen<<<blocks, threads>>>(n, from, out);
  int *in = memory<int>(count * blocks * threads), *turned = memory<int>(count * blocks * threads);
  for (int i = 0; i < count * blocks * threads; ++i) in[i] = static_cast<int>(mixed(i));
  planes<<<blocks, threads>>>(count, in, turned);
  if (musaDeviceSynchronize() != musaSuccess) exit(2);
  for (unsigned i = 0; i < n; ++i) {
    unsigned sum = 0;
    for (int bit = 0; bit < 8; ++bit) sum += i >> bit & 1 ? from[bit] : 0;
    same("chosen", i, out[i], sum);
  }
  for (int i = 0; i < count * blocks * threads; ++i) {
    const int first = i / threads * threads;
    same("planes", i, turned[i], in[first + threads - 1 - (i - first)] + i / (blocks * threads));
  }
}

}  // namespace

int main() {
  testDivision<int>("int");
  testDivision<unsigned>("unsigned");
  testGreatestDivisor();
  testConversion<float, signed char>("float to signed char");
  testConversion<float, unsigned char>("float to unsigned char");
  testConversion<float, short>("float to short");
  testConversion<float, unsigned short>("float to unsigned short");
  testConversion<float, int>("float to int");
  testConversion<float, unsigned>("float to unsigned");
  testConversion<double, short>("double to short");
  testConversion<double, int>("double to int");
  testConversion<double, unsigned>("double to unsigned");
  testConstantMemory();
  testShared();
  if (wrong > 0) printf("%u wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}
