#include "../reduce_shared/problem.h"

constexpr int kLanes = 32, kWarps = Reduce::kThreads / kLanes;

// A shuffle is a barrier of the warp: all lanes give their value, then all take their neighbour's.
// Lanes whose neighbour is beyond the warp keep their own.
template <int kOffset>
static void addDown(float (&sum)[kLanes]) {
  alignas(64) float given[kLanes + kOffset];
  for (int lane = 0; lane < kLanes; ++lane) given[lane] = sum[lane];
  for (int lane = 0; lane < kOffset; ++lane) given[kLanes + lane] = sum[kLanes - kOffset + lane];
  for (int lane = 0; lane < kLanes; ++lane) sum[lane] += given[lane + kOffset];
}

static float reduceWarp(float (&sum)[kLanes]) {
  addDown<16>(sum);
  addDown<8>(sum);
  addDown<4>(sum);
  addDown<2>(sum);
  addDown<1>(sum);
  return sum[0];
}

static float reduceBlock(const float* in) {
  alignas(64) float warpSums[kLanes] = {};
  for (int warp = 0; warp < kWarps; ++warp) {
    alignas(64) float sum[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) sum[lane] = in[warp * kLanes + lane];
    warpSums[warp] = reduceWarp(sum);
  }
  return reduceWarp(warpSums);
}

static void reduce(const Reduce& p, Reduce::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    d.out.data()[block] = reduceBlock(d.in.data() + size_t(block) * Reduce::kThreads);
  }
}

BENCH_HOST(Reduce, reduce)
