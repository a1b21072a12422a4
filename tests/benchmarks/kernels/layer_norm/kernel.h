#pragma once

// The sum over the block, in every thread; `part` has room for a float per warp.
__device__ float blockSum(float value, float* part) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0.0f;
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  __syncthreads();
  return value;
}

__global__ void layerNorm(int columns, float epsilon, const float* in, const float* gain, const float* bias,
                          float* out) {
  __shared__ float part[32];
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  const float mean = blockSum(sum, part) / columns;
  sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += (row[i] - mean) * (row[i] - mean);
  const float scale = rsqrtf(blockSum(sum, part) / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    out[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
  }
}
