// Kernels of thousands of statements in a row, as of unrolled transforms: values, local arrays and barriers in blocks of
// instructions that are huge.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

constexpr unsigned kThreads = 64, kCount = 4096;

// A statement of its own each: a load, and arithmetic that waits for the one before.
#define STEP(k)                                          \
  v = v * 2654435761u + in[(first + (k) * 7u) % kCount]; \
  w ^= v >> ((k) % 13u);                                 \
  own[(k) % 8u] += w;
#define STEPS4(k) STEP(k) STEP(k + 1u) STEP(k + 2u) STEP(k + 3u)
#define STEPS16(k) STEPS4(k) STEPS4(k + 4u) STEPS4(k + 8u) STEPS4(k + 12u)
#define STEPS64(k) STEPS16(k) STEPS16(k + 16u) STEPS16(k + 32u) STEPS16(k + 48u)
#define STEPS256(k) STEPS64(k) STEPS64(k + 64u) STEPS64(k + 128u) STEPS64(k + 192u)

__device__ __host__ inline unsigned folded(const unsigned* own, unsigned v, unsigned w) {
  unsigned sum = v ^ w;
  for (int i = 0; i < 8; ++i) sum = sum * 31u + own[i];
  return sum;
}

__global__ void huge(const unsigned* in, unsigned* out) {
  __shared__ unsigned exchanged[kThreads];
  const unsigned first = threadIdx.x;
  unsigned v = first, w = 1, own[8] = {};
  STEPS256(0u)
  STEPS256(256u)
  exchanged[first] = v;
  __syncthreads();
  v ^= exchanged[(first + 1) % kThreads];
  STEPS256(512u)
  STEPS256(768u)
  out[first] = folded(own, v, w);
}

int main() {
  unsigned *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kCount * sizeof(unsigned));
  musaMallocManaged(&out, kThreads * sizeof(unsigned));
  for (unsigned i = 0; i < kCount; ++i) in[i] = i * 40503u + 7u;
  huge<<<1, kThreads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;

  const auto rounds = [&](unsigned first, unsigned begin, unsigned end, unsigned& v, unsigned& w,
                          unsigned* own) {
    for (unsigned k = begin; k < end; ++k) {
      STEP(k)
    }
  };
  std::vector<unsigned> v(kThreads), w(kThreads, 1), own(kThreads * 8);
  for (unsigned t = 0; t < kThreads; ++t) rounds(t, 0, 512, v[t] = t, w[t], &own[t * 8]);
  const std::vector<unsigned> half = v;
  int wrong = 0;
  for (unsigned t = 0; t < kThreads; ++t) {
    v[t] ^= half[(t + 1) % kThreads];
    rounds(t, 512, 1024, v[t], w[t], &own[t * 8]);
    wrong += out[t] != folded(&own[t * 8], v[t], w[t]);
  }
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
