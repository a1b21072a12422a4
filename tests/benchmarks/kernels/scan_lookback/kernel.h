#pragma once

// Of a tile: nothing is known, its own sum, or that of all numbers up to its end.
enum TileState : unsigned { kUnknown, kOwnSum, kWholeSum };

__device__ inline unsigned long long tileWord(TileState state, unsigned sum) {
  return static_cast<unsigned long long>(state) << 32 | sum;
}

__device__ inline unsigned warpInclusiveSum(unsigned value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += before;
  }
  return value;
}

__device__ inline unsigned warpSum(unsigned value) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// The sum of all tiles before this one; called by one warp.
__device__ inline unsigned lookBack(unsigned tile, const volatile unsigned long long* state) {
  unsigned sum = 0;
  for (int last = static_cast<int>(tile) - 1;; last -= 32) {
    const int mine = last - static_cast<int>(threadIdx.x % 32);
    unsigned long long word;
    do {
      word = mine >= 0 ? state[mine] : tileWord(kWholeSum, 0);
    } while (__any_sync(0xffffffffu, word >> 32 == kUnknown));
    const unsigned whole = __ballot_sync(0xffffffffu, word >> 32 == kWholeSum);
    const unsigned nearest = whole == 0 ? 31 : __ffs(whole) - 1;
    sum += warpSum(threadIdx.x % 32 <= nearest ? static_cast<unsigned>(word) : 0);
    if (whole != 0) return sum;
  }
}

template <int kItems, bool kIsWhole>
__device__ void scanTile(int n, const unsigned* in, unsigned* out, volatile unsigned long long* state) {
  __shared__ unsigned sumBefore, warpSums[8];
  const unsigned tile = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = (blockIdx.x * 256 + threadIdx.x) * kItems;
  unsigned item[kItems];
  if constexpr (kIsWhole) {
    for (int k = 0; k < kItems; k += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(in + first + k);
      item[k] = four.x, item[k + 1] = four.y, item[k + 2] = four.z, item[k + 3] = four.w;
    }
  } else {
    for (int k = 0; k < kItems; ++k) item[k] = first + k < n ? in[first + k] : 0;
  }
  for (int k = 1; k < kItems; ++k) item[k] += item[k - 1];
  unsigned before = warpInclusiveSum(item[kItems - 1]);
  if (lane == 31) warpSums[warp] = before;
  before -= item[kItems - 1];
  __syncthreads();
  unsigned own = 0;
  for (unsigned other = 0; other < 8; ++other) {
    if (other == warp) before += own;
    own += warpSums[other];
  }
  if (warp == 0) {
    if (lane == 0) state[tile] = tileWord(tile == 0 ? kWholeSum : kOwnSum, own);
    const unsigned sum = lookBack(tile, state);
    if (lane == 0) {
      state[tile] = tileWord(kWholeSum, sum + own);
      sumBefore = sum;
    }
  }
  __syncthreads();
  before += sumBefore;
  if constexpr (kIsWhole) {
    for (int k = 0; k < kItems; k += 4) {
      *reinterpret_cast<uint4*>(out + first + k) =
          make_uint4(item[k] + before, item[k + 1] + before, item[k + 2] + before, item[k + 3] + before);
    }
  } else {
    for (int k = 0; k < kItems && first + k < n; ++k) out[first + k] = item[k] + before;
  }
}

// `state` is 0 at first. Blocks begin in their order.
template <int kItems>
__global__ void scanLookback(int n, const unsigned* in, unsigned* out, volatile unsigned long long* state) {
  if (blockIdx.x < n / (256 * kItems)) {
    scanTile<kItems, true>(n, in, out, state);
  } else {
    scanTile<kItems, false>(n, in, out, state);
  }
}
