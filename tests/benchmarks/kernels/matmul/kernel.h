#pragma once

template <int kTile>
__global__ void matmul(int n, const float* a, const float* b, float* c) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    as[ty][tx] = a[row * n + tile * kTile + tx];
    bs[ty][tx] = b[(tile * kTile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
