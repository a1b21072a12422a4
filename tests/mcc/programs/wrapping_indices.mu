// Narrow indices that wrap, in steps of several sizes, in device code and in the host's: what the vectoriser
// of LLVM 19 gets wrong.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int kMost = 700, kElements = 65536;

// noinline: the number of rounds is not known.
template <class Index, int kStep, int kFirst>
__host__ __device__ __attribute__((noinline)) void pick(const int* in, int* out, int count) {
  for (int i = 0; i < count; ++i) out[i] = in[static_cast<Index>(i * kStep + kFirst)];
}

template <class Index, int kStep, int kFirst>
__global__ void picks(const int* in, int* out, int count) {
  pick<Index, kStep, kFirst>(in, out + threadIdx.x * kMost, count);
}

// One after the other, as no vectoriser sees it.
template <class Index, int kStep, int kFirst>
static int differences(const char* where, const int* in, const int* out, int count) {
  for (volatile int i = 0; i < count; i = i + 1) {
    const volatile int step = i * kStep + kFirst;
    const int want = in[static_cast<Index>(step)];
    if (out[i] == want) continue;
    std::printf("%s, step %d, %zu bytes, %d rounds: [%d] is %d, not %d\n", where, kStep, sizeof(Index), count,
                i, out[i], want);
    return 1;
  }
  return 0;
}

template <class Index, int kStep, int kFirst = 0>
static int check(const int* in, int* out) {
  int wrong = 0;
  for (const int count : {1, 31, 86, 97, 256, kMost}) {
    pick<Index, kStep, kFirst>(in, out, count);
    wrong += differences<Index, kStep, kFirst>("host", in, out, count);
    picks<Index, kStep, kFirst><<<1, 2>>>(in, out, count);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    for (int thread = 0; thread < 2; ++thread)
      wrong += differences<Index, kStep, kFirst>("device", in, out + thread * kMost, count);
  }
  return wrong;
}

int main() {
  int *in = nullptr, *out = nullptr;
  if (musaMallocManaged(&in, 2 * kElements * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, 2 * kMost * sizeof *out) != musaSuccess) return 2;
  for (int i = 0; i < 2 * kElements; ++i) in[i] = i * 37 + 11;
  using Byte = unsigned char;
  using Short = unsigned short;
  int wrong = check<Byte, 1>(in, out) + check<Byte, 2>(in, out) + check<Byte, 3>(in, out) +
              check<Byte, 3, 7>(in, out);
  wrong +=
      check<Byte, 4>(in, out) + check<Byte, 5>(in, out) + check<Byte, -3>(in, out) + check<Byte, 6>(in, out);
  wrong +=
      check<Short, 3, 64000>(in, out) + check<Short, 2, 65000>(in, out) + check<Short, 7, 65535>(in, out);
  return wrong != 0;
}
