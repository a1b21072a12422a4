// Threads on both sides of a bound that the source says, in blocks that end before it, at it and behind it.
#include <musa_runtime.h>

#include <cstdio>
#include <utility>

constexpr int kMost = 320;
constexpr int kKnown = 256;  // of which the source says that it is launched
constexpr int kSizes[] = {1, 7, 16, 40, 100, kKnown, kMost};

enum class Test { kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kEqual, kNotEqual };

template <Test kTest>
__host__ __device__ bool holds(unsigned t, unsigned bound) {
  switch (kTest) {
    case Test::kLess:
      return t < bound;
    case Test::kLessOrEqual:
      return t <= bound;
    case Test::kGreater:
      return t > bound;
    case Test::kGreaterOrEqual:
      return t >= bound;
    case Test::kEqual:
      return t == bound;
    default:
      return t != bound;
  }
}

template <Test kTest, unsigned kBound>
__global__ void sides(const int* in, int* out) {
  __shared__ int row[kMost + 1];
  const unsigned t = threadIdx.x;
  row[t] = in[t];
  __syncthreads();
  const int own = holds<kTest>(t, kBound) ? 3 * row[t] - row[(t + 1) % blockDim.x] : row[t] + 1000;
  __syncthreads();
  row[t] = own;
  __syncthreads();
  out[t] = row[blockDim.x - 1 - t];
}

template <Test kTest, unsigned kBound>
int wrongOf(const int* in, int* out) {
  int wrong = 0;
  for (const int size : kSizes) {
    size == kKnown ? sides<kTest, kBound><<<1, kKnown>>>(in, out)
                   : sides<kTest, kBound><<<1, size>>>(in, out);
    if (musaDeviceSynchronize() != musaSuccess) return 1000;
    for (int i = 0; i < size; ++i) {
      const int t = size - 1 - i;
      const int want = holds<kTest>(t, kBound) ? 3 * in[t] - in[(t + 1) % size] : in[t] + 1000;
      wrong += out[i] != want;
    }
  }
  if (wrong != 0) std::printf("test %d, bound %u: %d wrong\n", static_cast<int>(kTest), kBound, wrong);
  return wrong;
}

template <unsigned kBound>
int wrongAt(const int* in, int* out) {
  return wrongOf<Test::kLess, kBound>(in, out) + wrongOf<Test::kLessOrEqual, kBound>(in, out) +
         wrongOf<Test::kGreater, kBound>(in, out) + wrongOf<Test::kGreaterOrEqual, kBound>(in, out) +
         wrongOf<Test::kEqual, kBound>(in, out) + wrongOf<Test::kNotEqual, kBound>(in, out);
}

template <unsigned... kBounds>
int wrongAtAll(const int* in, int* out, std::integer_sequence<unsigned, kBounds...>) {
  return (wrongAt<kBounds>(in, out) + ...);
}

int main() {
  int *in = nullptr, *out = nullptr;
  if (musaMallocManaged(&in, kMost * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kMost * sizeof *out) != musaSuccess) return 2;
  for (int i = 0; i < kMost; ++i) in[i] = i * 7919 % 997;
  const int wrong = wrongAtAll(in, out, std::integer_sequence<unsigned, 0, 1, 15, 17, 100>());
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
