// Indices whose sums pass through negative numbers, and such that wrap where C++ lets them.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kRows = 8, kMargin = 1000;

// Sums of ints: in any order, some part of them is negative.
__global__ void ints(const float* in, float* out, int from, int row) {
  const int t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < kRows; ++i) sum += in[from - row * i + t] - in[t - (row - i) - 3];
  out[t] = sum;
}

// Sums of unsigned ints, which wrap before they are indices.
__global__ void wrapping(const float* in, float* out, unsigned from) {
  const unsigned t = threadIdx.x;
  const int back = static_cast<int>(t - from), round = static_cast<int>(t + (0u - from) + from);
  out[t] = in[back] + in[round] + in[static_cast<int>(from + t * 0x40000000u * 4u)];
}

// Indices from memory, with a thread's number added, and of small types.
__global__ void loaded(const float* in, float* out, const int* where, short offset) {
  const int t = static_cast<int>(threadIdx.x);
  const short near = static_cast<short>(offset - t);
  out[t] = in[where[t] + t] + in[near + where[0]] + in[where[t] - near];
}

// Counters of rounds, and sums of them, that wrap between two threads: in the first round, or in a later one.
struct Rounds {
  int from, end;
  unsigned step, offset;
};

// `first`: whether it is asked before the first round, too.
template <class Counter, class Index>
__host__ __device__ long long sumOfRounds(const Rounds& rounds, const int* in, unsigned t, bool first) {
  long long sum = 0;
  const Counter end = rounds.end;
  Counter i = rounds.from + t;
  int round = 0;
  if (first && i >= end) return 0;
  do {
    const long long counter = static_cast<Index>(i), index = size_t{rounds.offset + i};
    sum += in[round] * (counter + 3 * index);
    i = static_cast<Counter>(i + rounds.step);
    ++round;
  } while (i < end);
  return sum;
}

template <class Counter, class Index, bool kFirst>
__global__ void sums(const int* in, long long* out, Rounds rounds) {
  out[threadIdx.x] = sumOfRounds<Counter, Index>(rounds, in, threadIdx.x, kFirst);
}

template <class Counter, class Index>
int wrongSums(const int* in, long long* out) {
  constexpr int kLast = 0x7fffffff, kLeast = -kLast - 1, kHalf = 0x40000000;
  constexpr unsigned kStep = 0x50000000;  // from negative numbers to positive ones in a few rounds
  constexpr Rounds kCases[] = {
      {0, 500, kThreads, 0},                       // never
      {kLast - 20, 0, kStep, 5},                   // counters, at once
      {kLast - 20 - int{kStep}, kHalf, kStep, 5},  // in the second round
      {0, 500, kThreads, 0u - 10},                 // the sum, at once
      {0, 500, kThreads, 0u - 3 * kThreads - 10},  // in the fourth
      {0, 20, kThreads, 0},                        // there are fewer rounds than threads
      {kLeast, kLeast + 20, kThreads, 0},          // the same where no int is a block less
      {kLast - 500, kLeast + 20, 400, 0},          // in the second round, which ends there
      {-300, 500, kThreads, 0},                    // between -1 and 0, where sums are unsigned
      {-300, 500, kThreads, 1000},                 // the counter alone
      {kLast - 20 - int{kStep}, kHalf, kStep, 0u - 10 - (0x7fffffffu - 20)},
  };
  int wrong = 0;
  for (const Rounds& rounds : kCases) {
    for (const bool first : {false, true}) {
      const auto kernel = first ? sums<Counter, Index, true> : sums<Counter, Index, false>;
      kernel<<<1, kThreads>>>(in, out, rounds);
      if (musaDeviceSynchronize() != musaSuccess) return 1000;
      int here = 0;
      for (unsigned t = 0; t < kThreads; ++t)
        here += out[t] != sumOfRounds<Counter, Index>(rounds, in, t, first);
      if (here != 0) std::printf("sums, case %td, %d: %d wrong\n", &rounds - kCases, int{first}, here);
      wrong += here;
    }
  }
  return wrong;
}

// The same in warps that also do something together; `offset` has indices of some block wrap.
constexpr int kBlocks = 3;

__global__ void warps(const int* in, long long* out, unsigned offset, int middle) {
  __shared__ long long shared[kThreads];
  const unsigned t = threadIdx.x, place = blockIdx.x * blockDim.x + t;
  const long long far = static_cast<long long>(size_t{offset + place}) + static_cast<int>(middle + place);
  const long long sum = far + __shfl_xor_sync(0xffffffffu, far, 1);
  shared[t] = sum;
  __syncthreads();
  long long all = in[t % 32] * shared[kThreads - 1 - t];
  for (int mask = 16; mask > 0; mask /= 2) all += __shfl_xor_sync(0xffffffffu, all, mask);
  const bool isOdd = in[t] % 2 != 0;
  const unsigned odd = __ballot_sync(0xffffffffu, isOdd);
  if (isOdd) all += __shfl_sync(odd, place, __ffs(odd) - 1, 32);
  __syncthreads();
  out[place] = all + static_cast<long long>(size_t{offset + place});
}

int wrongWarps(const int* in, long long* out) {
  int wrong = 0;
  for (const unsigned offset : {0u, 0u - 10, 0u - 40, 0u - kThreads, 0u - kThreads - 33}) {
    for (const int middle : {0, 0x7fffffff, 0x7fffffff - kThreads - 5}) {
      warps<<<kBlocks, kThreads>>>(in, out, offset, middle);
      if (musaDeviceSynchronize() != musaSuccess) return 1000;
      int here = 0;
      for (unsigned place = 0; place < kBlocks * kThreads; ++place) {
        const auto farOf = [&](unsigned i) { return size_t{offset + i} + static_cast<int>(middle + i); };
        const unsigned block = place / kThreads * kThreads, warp = place % kThreads / 32 * 32;
        long long want = static_cast<long long>(size_t{offset + place});
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned other = block + kThreads - 1 - (warp + lane);
          want += in[lane] * static_cast<long long>(farOf(other) + farOf(other ^ 1));
        }
        unsigned firstOdd = warp;
        while (in[firstOdd] % 2 == 0) ++firstOdd;
        if (in[place % kThreads] % 2 != 0) want += block + firstOdd;
        here += out[place] != want;
      }
      if (here != 0) std::printf("warps, %u, %d: %d wrong\n", offset, middle, here);
      wrong += here;
    }
  }
  return wrong;
}

int main() {
  float *in = nullptr, *out = nullptr;
  int* where = nullptr;
  if (musaMallocManaged(&in, 3 * kMargin * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kThreads * sizeof *out) != musaSuccess) return 2;
  if (musaMallocManaged(&where, kThreads * sizeof *where) != musaSuccess) return 2;
  for (int i = 0; i < 3 * kMargin; ++i) in[i] = static_cast<float>(i * 7 % 1013);
  for (int i = 0; i < kThreads; ++i) where[i] = (i * 37) % 50 - 25;
  const float* middle = in + kMargin;
  int wrong = 0;
  const auto compare = [&](const char* kernel, auto expected) {
    if (musaDeviceSynchronize() != musaSuccess) wrong += 1000;
    int here = 0;
    for (int t = 0; t < kThreads; ++t) here += out[t] != expected(t);
    if (here != 0) std::printf("%s: %d wrong\n", kernel, here);
    wrong += here;
  };

  ints<<<1, kThreads>>>(middle, out, 100, 50);
  compare("ints", [&](int t) {
    float sum = 0;
    for (int i = 0; i < kRows; ++i) sum += middle[100 - 50 * i + t] - middle[t - (50 - i) - 3];
    return sum;
  });
  wrapping<<<1, kThreads>>>(middle, out, 40);
  compare("wrapping", [&](int t) { return middle[t - 40] + middle[t] + middle[40]; });
  loaded<<<1, kThreads>>>(middle, out, where, 30);
  compare("loaded", [&](int t) {
    return middle[where[t] + t] + middle[30 - t + where[0]] + middle[where[t] - (30 - t)];
  });
  long long* sums = nullptr;
  if (musaMallocManaged(&sums, kBlocks * kThreads * sizeof *sums) != musaSuccess) return 2;
  wrong += wrongSums<int, int>(where, sums) + wrongSums<int, unsigned>(where, sums) +
           wrongSums<unsigned, unsigned>(where, sums) + wrongWarps(where, sums);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
