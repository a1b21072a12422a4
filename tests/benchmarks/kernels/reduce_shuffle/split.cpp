#include "../reduce_shared/host.h"

constexpr int kLanes = 32, kWarps = Reduce::kThreads / kLanes;

// A shuffle is a barrier of the warp: all lanes give their value, then all take their neighbour's.
// Lanes whose neighbour is beyond the warp keep their own.
static float reduceWarp(float (&sum)[kLanes]) {
  for (int offset = kLanes / 2; offset > 0; offset /= 2) {
    alignas(64) float given[2 * kLanes];
    for (int lane = 0; lane < kLanes; ++lane) given[lane] = sum[lane];
    for (int lane = 0; lane < offset; ++lane) given[kLanes + lane] = sum[kLanes - offset + lane];
#pragma omp simd
    for (int lane = 0; lane < kLanes; ++lane) sum[lane] += given[lane + offset];
  }
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

static void reduce(int blocks, const float* in, float* out) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; ++block)
    out[block] = reduceBlock(in + size_t(block) * Reduce::kThreads);
}

using Split = HostReduce<reduce>;
BENCH_MAIN(Reduce, Split)
