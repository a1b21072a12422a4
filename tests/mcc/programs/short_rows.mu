// Blocks of short rows, whose threads the compiler does at one go: products of tiles of every element size
// and row length, and updates of shared memory in loops with different numbers of rounds per thread.
#include <musa_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const musaError_t error = (call);                                         \
    if (error != musaSuccess) {                                               \
      std::printf("%s:%d: %s\n", #call, __LINE__, musaGetErrorString(error)); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

template <class T>
struct Array {
  explicit Array(const std::vector<T>& from) : count(from.size()) {
    CHECK(musaMalloc(&data, count * sizeof(T)));
    CHECK(musaMemcpy(data, from.data(), count * sizeof(T), musaMemcpyHostToDevice));
  }
  ~Array() { CHECK(musaFree(data)); }
  std::vector<T> get() const {
    std::vector<T> to(count);
    CHECK(musaMemcpy(to.data(), data, count * sizeof(T), musaMemcpyDeviceToHost));
    return to;
  }
  T* data = nullptr;
  size_t count;
};

constexpr int kRows = 4;

// Small whole numbers: every type has them exactly.
template <class T, int kLength>
__global__ void products(const T* a, const T* b, T* c) {
  __shared__ T as[kRows][kLength], bs[kLength][kLength];
  const int x = threadIdx.x, y = threadIdx.y;
  as[y][x] = a[y * kLength + x];
  for (int row = y; row < kLength; row += kRows) bs[row][x] = b[row * kLength + x];
  __syncthreads();
  T sum = 0;
  for (int k = 0; k < kLength; ++k) sum += as[y][k] * bs[k][x];
  c[y * kLength + x] = sum;
}

// These return how many of their checks failed.
template <class T, int kLength>
int testProducts(const char* type) {
  std::vector<T> a(kRows * kLength), b(kLength * kLength), c(kRows * kLength), expected(kRows * kLength);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i % 2);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(i / 3 % 3);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kLength; ++x) {
      for (int k = 0; k < kLength; ++k)
        expected[y * kLength + x] =
            static_cast<T>(expected[y * kLength + x] + a[y * kLength + k] * b[k * kLength + x]);
    }
  }
  const Array<T> onA(a), onB(b), onC(c);
  products<T, kLength><<<1, dim3(kLength, kRows)>>>(onA.data, onB.data, onC.data);
  CHECK(musaDeviceSynchronize());
  const bool good = onC.get() == expected;
  if (!good) std::printf("products of %s in rows of %d are wrong\n", type, kLength);
  return good ? 0 : 1;
}

template <int kLength>
int testLength() {
  return testProducts<int8_t, kLength>("int8_t") + testProducts<short, kLength>("short") +
         testProducts<int, kLength>("int") + testProducts<float, kLength>("float") +
         testProducts<double, kLength>("double");
}

// Threads have different numbers of rounds; several of a round often meet in one counter.
__global__ void count(int n, const unsigned* in, unsigned* counts, unsigned* last) {
  __shared__ unsigned part[16];
  if (threadIdx.x < 16) part[threadIdx.x] = 0;
  __syncthreads();
  unsigned before = 0;
#pragma unroll  // cannot be had, which is no warning
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    before = atomicAdd(&part[in[i] % 16], 1u);
    atomicMax(&part[15], 1u);
  }
  last[blockIdx.x * blockDim.x + threadIdx.x] = before;
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], part[threadIdx.x]);
}

int testCounts(int n) {
  constexpr int kBlocks = 3, kThreads = 64;
  std::vector<unsigned> in(n), expected(16);
  for (int i = 0; i < n; ++i) in[i] = static_cast<unsigned>(i * 7 / 5 % 15);  // none in the last counter
  for (const unsigned value : in) ++expected[value];
  const int blocks = std::min(kBlocks, (n + kThreads - 1) / kThreads);
  expected[15] = static_cast<unsigned>(blocks);  // each block that has a number raises it to one
  const Array<unsigned> onIn(in), counts(std::vector<unsigned>(16)),
      last(std::vector<unsigned>(kBlocks * kThreads));
  count<<<kBlocks, kThreads>>>(n, onIn.data, counts.data, last.data);
  CHECK(musaDeviceSynchronize());
  bool good = counts.get() == expected;
  for (const unsigned before : last.get()) good = good && before < static_cast<unsigned>(n);
  if (!good) std::printf("counts of %d numbers are wrong\n", n);
  return good ? 0 : 1;
}

int main() {
  int failed = testLength<8>() + testLength<16>() + testLength<24>() + testLength<32>() + testLength<64>();
  for (const int n : {1, 63, 64, 65, 192, 193, 1000, 4096}) failed += testCounts(n);
  std::printf("%s\n", failed == 0 ? "ok" : "FAILED");
  return failed == 0 ? 0 : 1;
}
