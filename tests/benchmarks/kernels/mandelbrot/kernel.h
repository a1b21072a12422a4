#pragma once

__global__ void mandelbrot(int n, float left, float top, float step, unsigned* out) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = left + px * step, cy = top + py * step;
  float x = 0, y = 0;
  unsigned count = 0;
  while (count < 256 && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++count;
  }
  out[py * n + px] = count;
}
