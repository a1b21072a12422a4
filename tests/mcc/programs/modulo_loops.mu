// Loops of strides within others, whose first block runs into them: what is in front of them runs once, and
// indices by modulo are right in every round. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

#include <vector>

constexpr unsigned kLongest = 1000, kThreads = 64, kBlocks = 3;

__global__ void repeat(unsigned* to, const unsigned* from, size_t length, size_t period, size_t rounds) {
  const size_t first = blockDim.x * blockIdx.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = first; i < length; i += stride) to[i] = to[i] * 3 + from[i % period];
  }
}

// What a round begins with is not done again for the rounds that all threads go.
__global__ void count(unsigned* to, unsigned* counts, size_t length, size_t rounds) {
  const size_t first = blockDim.x * blockIdx.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (size_t round = 0; round < rounds; ++round) {
    const unsigned before = atomicAdd(&counts[first], static_cast<unsigned>(round) + 1);
    for (size_t i = first; i < length; i += stride) to[i] += before + static_cast<unsigned>(i % (round + 2));
  }
}

int main() {
  unsigned *to, *from, *counts, wrong = 0;
  musaMallocManaged(&to, kLongest * sizeof *to);
  musaMallocManaged(&from, kLongest * sizeof *from);
  musaMallocManaged(&counts, kThreads * kBlocks * sizeof *counts);
  for (unsigned i = 0; i < kLongest; ++i) from[i] = i * i + 1;
  for (const unsigned length : {1u, 63u, 64u, 192u, 500u, kLongest}) {
    for (const unsigned period : {1u, 7u, 64u, kLongest}) {
      for (const unsigned rounds : {0u, 1u, 5u}) {
        std::vector<unsigned> expected(kLongest, 0);
        for (unsigned i = 0; i < kLongest; ++i) to[i] = 0;
        repeat<<<kBlocks, kThreads>>>(to, from, length, period, rounds);
        for (unsigned round = 0; round < rounds; ++round) {
          for (unsigned i = 0; i < length; ++i) expected[i] = expected[i] * 3 + from[i % period];
        }
        if (musaDeviceSynchronize() != musaSuccess) return 2;
        for (unsigned i = 0; i < kLongest; ++i) wrong += to[i] != expected[i];
      }
    }
    std::vector<unsigned> expected(kLongest, 0);
    for (unsigned i = 0; i < kLongest; ++i) to[i] = 0;
    for (unsigned i = 0; i < kThreads * kBlocks; ++i) counts[i] = 0;
    count<<<kBlocks, kThreads>>>(to, counts, length, 4);
    for (unsigned round = 0, before = 0; round < 4; before += ++round) {
      for (unsigned i = 0; i < length; ++i) expected[i] += before + i % (round + 2);
    }
    if (musaDeviceSynchronize() != musaSuccess) return 2;
    for (unsigned i = 0; i < kLongest; ++i) wrong += to[i] != expected[i];
    for (unsigned i = 0; i < kThreads * kBlocks; ++i) wrong += counts[i] != 10;
  }
  if (wrong > 0) printf("%u wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}
