// __syncwarp() of parts of a warp. On 128 lanes a mask stands for each group of 32 lanes; groups may have
// masks of their own, come in different numbers, or not at all. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

constexpr int kThreads = 128;

// What a thread has at last: the number of the one that it has read from, and 1.
__device__ int exchanged(int* shared, unsigned mask, int partner) {
  const int me = static_cast<int>(threadIdx.x);
  shared[me] = me + 1;
  __syncwarp(mask);
  const int seen = shared[me ^ partner];
  __syncwarp(mask);
  return seen;
}

struct SamePart {  // of all groups
  static constexpr int kPartner = 15;
  static __device__ int of(int* shared, int me) {
    return me % 32 < 16 ? exchanged(shared, 0xffff, kPartner) : (me ^ kPartner) + 1;
  }
};
struct OneGroup {
  static constexpr int kPartner = 31;
  static __device__ int of(int* shared, int me) {
    return me / 32 == 2 ? exchanged(shared, 0xffffffff, kPartner) : (me ^ kPartner) + 1;
  }
};
struct PartOfOneGroup {
  static constexpr int kPartner = 15;
  static __device__ int of(int* shared, int me) {
    return me / 16 == 4 ? exchanged(shared, 0xffff, kPartner) : (me ^ kPartner) + 1;
  }
};
struct PartsOfTheirOwn {
  static constexpr int kPartner = 7;
  static __device__ int of(int* shared, int me) {
    const int group = me / 32;
    return me % 32 / 8 == group ? exchanged(shared, 0xffu << (8 * group), kPartner) : (me ^ kPartner) + 1;
  }
};
struct Halves {  // in different places
  static constexpr int kPartner = 15;
  static __device__ int of(int* shared, int me) {
    if (me % 32 < 16) return exchanged(shared, 0x0000ffff, kPartner);
    return exchanged(shared, 0xffff0000, kPartner);
  }
};
struct Ballots {  // each group has another mask at one place
  static constexpr int kPartner = 0;
  static __device__ int of(int* shared, int me) {
    const int lane = me % 32, first = me - lane, every = me / 32 + 1;
    const bool isIn = lane % every == 0;
    const unsigned mask = __ballot_sync(0xffffffffu, isIn);
    if (!isIn) return me + 1;
    shared[me] = me + 1;
    __syncwarp(mask);
    int sum = 0, expected = 0;
    for (int i = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) sum += shared[first + i];
      if (i % every == 0) expected += first + i + 1;
    }
    return sum == expected ? me + 1 : -sum;
  }
};
struct Rounds {  // groups come in different numbers
  static constexpr int kPartner = 15;
  static __device__ int of(int* shared, int me) {
    int seen = 0;
    for (int round = 0; round <= 2 * (me / 32); ++round) {
      const int last = exchanged(shared, 0xffffffffu, kPartner);
      seen = __shfl_sync(0xffffffffu, last, me % 32, 32);
    }
    return seen;
  }
};
struct EarlyEnd {
  static constexpr int kPartner = 31;
  static __device__ int of(int* shared, int me) {
    return me >= 96 ? (me ^ kPartner) + 1 : exchanged(shared, 0xffffffffu, kPartner);
  }
};

template <class Kind>
__global__ void run(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  shared[me] = 0;
  __syncthreads();
  out[me] = Kind::of(shared, me);
}

template <class Kind>
static int wrong(const char* name) {
  int *out, seen[kThreads], count = 0;
  if (musaMalloc(&out, sizeof seen) != musaSuccess) return 1;
  run<Kind><<<1, kThreads>>>(out);
  const musaError_t error = musaMemcpy(seen, out, sizeof seen, musaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) count += seen[i] != (i ^ Kind::kPartner) + 1;
  if (error != musaSuccess || count > 0) printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  musaFree(out);
  return count + (error != musaSuccess);
}

int main() {
  const int all = wrong<SamePart>("same part") + wrong<OneGroup>("one group") +
                  wrong<PartOfOneGroup>("part of one group") + wrong<PartsOfTheirOwn>("parts") +
                  wrong<Halves>("halves") + wrong<Ballots>("ballots") + wrong<Rounds>("rounds") +
                  wrong<EarlyEnd>("early end");
  return all > 0 ? 1 : 0;
}
