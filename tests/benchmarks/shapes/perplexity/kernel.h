#pragma once

__global__ void perplexity(int columns, int mostSteps, float wanted, float tolerance, const float* distances,
                           float* out) {
  __shared__ float sums[128], weightedSums[128];
  const float* row = distances + blockIdx.x * columns;
  float low = 0, high = 1e30f, beta = 1;
  for (int step = 0; step < mostSteps; ++step) {
    float sum = 0, weighted = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
      const float weight = expf(-beta * row[i]);
      sum += weight;
      weighted += row[i] * weight;
    }
    sums[threadIdx.x] = sum;
    weightedSums[threadIdx.x] = weighted;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        sums[threadIdx.x] += sums[threadIdx.x + half];
        weightedSums[threadIdx.x] += weightedSums[threadIdx.x + half];
      }
      __syncthreads();
    }
    const float off = logf(sums[0]) + beta * weightedSums[0] / sums[0] - wanted;
    __syncthreads();
    if (fabsf(off) < tolerance) break;
    if (off > 0) {
      low = beta;
      beta = high > 1e29f ? beta * 2 : (beta + high) / 2;
    } else {
      high = beta;
      beta = (beta + low) / 2;
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = beta;
}
