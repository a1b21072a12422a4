// What one thread defines before a barrier and uses behind it: the others never define it, and theirs must not
// take its place.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kBlocks = 16, kThreads = 128;

struct Counters {
  unsigned begin, end;
  int left;
};

// A partition as a quicksort makes it: thread 0 keeps pointers from one part to the other.
__global__ void partition(unsigned* out, const unsigned* in, const int* group, Counters* counters) {
  __shared__ unsigned counts[kThreads], at;
  const unsigned t = threadIdx.x, first = blockIdx.x * 256;
  Counters* mine = counters + group[blockIdx.x];
  unsigned *begin, *last;
  unsigned n = 0;
  for (unsigned i = first + t; i < first + 256; i += kThreads) n += in[i] & 1;
  counts[t] = n;
  __syncthreads();
  for (unsigned i = 1; i < kThreads; i <<= 1) {
    const unsigned m = 2 * i - 1;
    if ((t & m) == m) counts[t] += counts[t - i];
    __syncthreads();
  }
  if (t == 0) {
    begin = &mine->begin;
    last = &mine->end;
    at = atomicAdd(begin, counts[kThreads - 1]);
  }
  __syncthreads();
  unsigned to = at + t;
  for (unsigned i = first + t; i < first + 256; i += kThreads) {
    if (in[i] & 1) out[to++ % 4096] = in[i];
  }
  __syncthreads();
  if (t == 0 && atomicSub(&mine->left, 1) == 0) *last = *begin;
}

// Values of several types, by a condition that is no constant, behind warp operations and in a loop.
__global__ void types(double* out, const int* which, float* numbers) {
  const int t = threadIdx.x;
  float x;
  double y;
  long long z;
  float* place;
  short s;
  for (int i = 0; i < 3; ++i) {
    if (i == 1 && t == which[blockIdx.x]) {
      x = static_cast<float>(t) + 0.5f;
      y = numbers[t] * 2.0;
      z = 1ll << (t % 40);
      place = &numbers[kThreads + blockIdx.x];
      s = static_cast<short>(-t);
    }
    const unsigned all = __ballot_sync(0xffffffffu, t >= 0);
    __syncthreads();
    if (i >= 1 && t == which[blockIdx.x]) {
      *place += x;
      out[blockIdx.x] += y + static_cast<double>(z) + s + (all == 0xffffffffu ? 0 : 1000);
    }
    __syncthreads();
  }
}

int main() {
  unsigned *out, *in;
  int *group, *which;
  Counters* counters;
  float* numbers;
  double* sums;
  musaMallocManaged(&out, 4096 * sizeof(unsigned));
  musaMallocManaged(&in, 4096 * sizeof(unsigned));
  musaMallocManaged(&group, kBlocks * sizeof(int));
  musaMallocManaged(&which, kBlocks * sizeof(int));
  musaMallocManaged(&counters, sizeof(Counters));
  musaMallocManaged(&numbers, (kThreads + kBlocks) * sizeof(float));
  musaMallocManaged(&sums, kBlocks * sizeof(double));
  for (unsigned i = 0; i < 4096; ++i) in[i] = i;
  for (int i = 0; i < kThreads + kBlocks; ++i) numbers[i] = i < kThreads ? static_cast<float>(i) : 0.0f;
  for (int i = 0; i < kBlocks; ++i) group[i] = 0, which[i] = i * 37 % kThreads, sums[i] = 0;
  *counters = {0, 0, kBlocks - 1};
  partition<<<kBlocks, kThreads>>>(out, in, group, counters);
  types<<<kBlocks, kThreads>>>(sums, which, numbers);
  const musaError_t error = musaDeviceSynchronize();
  bool right = counters->begin == 2048 && counters->end == 2048 && counters->left == -1;
  for (int i = 0; i < kBlocks; ++i) {
    const int t = which[i];
    right &= numbers[kThreads + i] == 2 * (static_cast<float>(t) + 0.5f);
    right &= sums[i] == 2 * (2.0 * t + static_cast<double>(1ll << (t % 40)) - t);
  }
  printf("%s: %u %u %d\n", musaGetErrorName(error), counters->begin, counters->end, counters->left);
  return error == musaSuccess && right ? 0 : 1;
}
