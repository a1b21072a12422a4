#pragma once

__global__ void sobol(int n, const unsigned* directions, float* out) {
  __shared__ unsigned v[32];
  if (threadIdx.x < 32) v[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned gray = i ^ (i >> 1), bits = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if (gray >> bit & 1) bits ^= v[bit];
    }
    out[blockIdx.y * n + i] = bits * 0x1p-32f;
  }
}
