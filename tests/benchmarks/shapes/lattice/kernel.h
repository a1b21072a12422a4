#pragma once

__constant__ int latticeX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int latticeY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float latticeWeight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                       1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__global__ void latticeStep(int n, float omega, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= n) return;
  float f[9], density = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    const int fromX = (x - latticeX[k] + n) % n, fromY = (y - latticeY[k] + n) % n;
    f[k] = in[(k * n + fromY) * n + fromX];
    density += f[k];
    ux += latticeX[k] * f[k];
    uy += latticeY[k] * f[k];
  }
  ux /= density;
  uy /= density;
  for (int k = 0; k < 9; ++k) {
    const float along = 3.0f * (latticeX[k] * ux + latticeY[k] * uy);
    const float rest =
        density * latticeWeight[k] * (1.0f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
    out[(k * n + y) * n + x] = f[k] + omega * (rest - f[k]);
  }
}
