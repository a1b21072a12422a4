#pragma once

__global__ void cosine(const float* in, const float* matrix, float* out) {
  __shared__ float m[8][8], tile[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 64 + y * 8 + x;
  m[y][x] = matrix[y * 8 + x];
  tile[y][x] = in[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += tile[y][k] * m[x][k];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += m[y][k] * half[k][x];
  out[at] = sum;
}
