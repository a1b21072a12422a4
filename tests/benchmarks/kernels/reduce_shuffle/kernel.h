#pragma once

__global__ void reduceShuffle(const float* in, float* out) {
  __shared__ float warpSums[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  float sum = in[blockIdx.x * blockDim.x + t];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? warpSums[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}
