#pragma once

__global__ void laplace(int n, const float* in, float* out) {
  __shared__ float tile[10][34];
  const int side = n + 2, plane = side * side;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
  int at = plane + y * side + x;
  float below = in[at - plane], here = in[at];
  for (int z = 1; z <= n; ++z, at += plane) {
    const float above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = here;
    if (threadIdx.x == 0) tile[ty][0] = in[at - 1];
    if (threadIdx.x == blockDim.x - 1) tile[ty][tx + 1] = in[at + 1];
    if (threadIdx.y == 0) tile[0][tx] = in[at - side];
    if (threadIdx.y == blockDim.y - 1) tile[ty + 1][tx] = in[at + side];
    __syncthreads();
    out[at] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above -
              6.0f * here;
    below = here;
    here = above;
  }
}
