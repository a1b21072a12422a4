// Arrays of a thread's own whose size is no multiple of their alignment, which outlive barriers: each
// thread's is aligned, and its own.
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int kThreads = 96, kRounds = 12;

template <typename Element, int kSize, int kAlignment>
__global__ void turns(const int* in, long long* out, int* misaligned) {
  __shared__ int part[kThreads];
  alignas(kAlignment) Element own[kSize] = {};
  const int t = threadIdx.x;
  if (reinterpret_cast<uintptr_t>(&own[in[0] % kSize]) % alignof(Element) != 0) atomicAdd(misaligned, 1);
  if (reinterpret_cast<uintptr_t>(&own[0]) % kAlignment != 0) atomicAdd(misaligned, 1);
  for (int round = 0; round < kRounds; ++round) {
    part[t] = in[t] + round;
    __syncthreads();
    own[(t + round) % kSize] += static_cast<Element>(part[(t + 1) % kThreads]);
    __syncthreads();
  }
  long long hash = 0;
  for (int i = 0; i < kSize; ++i) hash = hash * 3 + static_cast<long long>(own[i]);
  out[t] = hash;
}

template <typename Element, int kSize>
long long expected(const int* in, int t) {
  Element own[kSize] = {};
  for (int round = 0; round < kRounds; ++round)
    own[(t + round) % kSize] += static_cast<Element>(in[(t + 1) % kThreads] + round);
  long long hash = 0;
  for (int i = 0; i < kSize; ++i) hash = hash * 3 + static_cast<long long>(own[i]);
  return hash;
}

template <typename Element, int kSize, int kAlignment = alignof(Element)>
bool isRight(const char* name, const int* in, long long* out, int* misaligned) {
  *misaligned = 0;
  turns<Element, kSize, kAlignment><<<1, kThreads>>>(in, out, misaligned);
  const musaError_t error = musaDeviceSynchronize();
  if (error != musaSuccess || *misaligned != 0)
    return std::printf("%s[%d]: %s, %d misaligned\n", name, kSize, musaGetErrorString(error), *misaligned),
           false;
  for (int t = 0; t < kThreads; ++t) {
    const long long wanted = expected<Element, kSize>(in, t);
    if (out[t] != wanted)
      return std::printf("%s[%d]: thread %d: %lld, not %lld\n", name, kSize, t, out[t], wanted), false;
  }
  return true;
}

int main() {
  int *in = nullptr, *misaligned = nullptr;
  long long* out = nullptr;
  musaMallocManaged(&in, kThreads * sizeof *in);
  musaMallocManaged(&out, kThreads * sizeof *out);
  musaMallocManaged(&misaligned, sizeof *misaligned);
  for (int i = 0; i < kThreads; ++i) in[i] = i * 37 % 11;
  bool right =
      isRight<float, 5>("float", in, out, misaligned) && isRight<float, 6>("float", in, out, misaligned);
  right &= isRight<float, 7>("float", in, out, misaligned) && isRight<short, 9>("short", in, out, misaligned);
  right &= isRight<short, 13>("short", in, out, misaligned) &&
           isRight<signed char, 17>("char", in, out, misaligned);
  right &= isRight<double, 3>("double", in, out, misaligned);
  right &= isRight<int, 9, 32>("aligned int", in, out, misaligned);
  right &= isRight<int, 20, 64>("aligned int", in, out, misaligned);
  return right ? 0 : 1;
}
