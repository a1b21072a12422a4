#include "problem.h"

constexpr int kThreads = LayerNorm::kThreads, kLanes = 32, kWarps = kThreads / kLanes;

// All lanes give their value, then each adds the one of the lane that differs in the bit.
template <int kMask>
static void addXor(float* value) {
  alignas(64) float given[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) given[lane] = value[lane];
  for (int lane = 0; lane < kLanes; ++lane) value[lane] += given[lane ^ kMask];
}

static void sumWarp(float* value) {
  addXor<16>(value);
  addXor<8>(value);
  addXor<4>(value);
  addXor<2>(value);
  addXor<1>(value);
}

// After the first half of the kernel's function every warp does the same: one stands for all.
static float blockSum(float (&value)[kThreads]) {
  alignas(64) float part[kLanes] = {};
  for (int warp = 0; warp < kWarps; ++warp) {
    sumWarp(value + warp * kLanes);
    part[warp] = value[warp * kLanes];
  }
  sumWarp(part);
  return part[0];
}

static void layerNormBlock(int columns, const float* __restrict row, const float* __restrict gain,
                           const float* __restrict bias, float* __restrict out) {
  alignas(64) float sum[kThreads] = {};
  for (int first = 0; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) sum[t] += row[first + t];
  }
  const float mean = blockSum(sum) / static_cast<float>(columns);
  for (int t = 0; t < kThreads; ++t) sum[t] = 0;
  for (int first = 0; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) sum[t] += (row[first + t] - mean) * (row[first + t] - mean);
  }
  const float scale = 1.0f / std::sqrt(blockSum(sum) / static_cast<float>(columns) + LayerNorm::kEpsilon);
  for (int first = 0; first < columns; first += kThreads) {
#pragma omp simd
    for (int t = 0; t < kThreads; ++t) {
      out[first + t] = (row[first + t] - mean) * scale * gain[first + t] + bias[first + t];
    }
  }
}

static void layerNorm(const LayerNorm& p, LayerNorm::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    const size_t first = size_t(row) * LayerNorm::kColumns;
    layerNormBlock(LayerNorm::kColumns, d.in.data() + first, d.gain.data(), d.bias.data(),
                   d.out.data() + first);
  }
}

BENCH_HOST(LayerNorm, layerNorm)
