#pragma once

__global__ void stencil(int n, const float* in, float* out) {
  __shared__ float tile[8 + 2][32 + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  tile[ty + 1][tx + 1] = in[y * n + x];
  if (ty == 0) tile[0][tx + 1] = y > 0 ? in[(y - 1) * n + x] : 0.0f;
  if (ty == 7) tile[9][tx + 1] = y + 1 < n ? in[(y + 1) * n + x] : 0.0f;
  if (tx == 0) tile[ty + 1][0] = x > 0 ? in[y * n + x - 1] : 0.0f;
  if (tx == 31) tile[ty + 1][33] = x + 1 < n ? in[y * n + x + 1] : 0.0f;
  __syncthreads();
  out[y * n + x] = 0.5f * tile[ty + 1][tx + 1] + 0.125f * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] +
                                                           tile[ty + 1][tx] + tile[ty + 1][tx + 2]);
}
