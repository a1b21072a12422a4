#include <atomic>

#include "problem.h"

constexpr int kThreads = ScanLookback::kThreads, kItems = ScanLookback::kItems, kTile = ScanLookback::kTile;
constexpr int kLanes = 32, kWarps = kThreads / kLanes;

enum TileState : unsigned { kUnknown, kOwnSum, kWholeSum };
using Word = unsigned long long;

static Word tileWord(TileState state, unsigned sum) { return static_cast<Word>(state) << 32 | sum; }

static void inclusiveSums(unsigned* lanes) {
  for (int step = 1; step < kLanes; step *= 2) {
    alignas(64) unsigned given[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) given[lane] = lanes[lane];
    for (int lane = step; lane < kLanes; ++lane) lanes[lane] += given[lane - step];
  }
}

// One tile after another: what a warp's lanes look at together is the same.
static unsigned lookBack(int tile, Word* state) {
  unsigned sum = 0;
  for (int at = tile - 1; at >= 0; --at) {
    Word word;
    while ((word = std::atomic_ref(state[at]).load(std::memory_order_acquire)) >> 32 == kUnknown) {
    }
    sum += static_cast<unsigned>(word);
    if (word >> 32 == kWholeSum) break;
  }
  return sum;
}

static void scanTile(int tile, int n, const unsigned* __restrict in, unsigned* __restrict out, Word* state) {
  alignas(64) unsigned item[kItems][kThreads], before[kThreads];
  unsigned warpSums[kWarps];
  const int first = tile * kTile, count = std::min(kTile, n - first);
  if (count == kTile) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) {
      for (int k = 0; k < kItems; ++k) item[k][t] = in[first + t * kItems + k];
    }
  } else {
    for (int i = 0; i < kTile; ++i) item[i % kItems][i / kItems] = i < count ? in[first + i] : 0;
  }
  for (int k = 1; k < kItems; ++k) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) item[k][t] += item[k - 1][t];
  }
  for (int t = 0; t < kThreads; ++t) before[t] = item[kItems - 1][t];
  for (int warp = 0; warp < kWarps; ++warp) {
    inclusiveSums(before + warp * kLanes);
    warpSums[warp] = before[warp * kLanes + kLanes - 1];
  }
  for (int t = 0; t < kThreads; ++t) before[t] -= item[kItems - 1][t];
  unsigned own = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    for (int lane = 0; lane < kLanes; ++lane) before[warp * kLanes + lane] += own;
    own += warpSums[warp];
  }
  std::atomic_ref(state[tile])
      .store(tileWord(tile == 0 ? kWholeSum : kOwnSum, own), std::memory_order_release);
  const unsigned sum = lookBack(tile, state);
  std::atomic_ref(state[tile]).store(tileWord(kWholeSum, sum + own), std::memory_order_release);
  for (int t = 0; t < kThreads; ++t) before[t] += sum;
  if (count == kTile) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) {
      for (int k = 0; k < kItems; ++k) out[first + t * kItems + k] = item[k][t] + before[t];
    }
  } else {
    for (int i = 0; i < count; ++i) out[first + i] = item[i % kItems][i / kItems] + before[i / kItems];
  }
}

static void scanAll(const ScanLookback& p, ScanLookback::Data<bench::Buffer>& d) {
  d.state.clear();
#pragma omp parallel for schedule(monotonic : dynamic, 1)
  for (int tile = 0; tile < p.tiles(); ++tile) scanTile(tile, p.n, d.in.data(), d.out.data(), d.state.data());
}

BENCH_HOST(ScanLookback, scanAll)
