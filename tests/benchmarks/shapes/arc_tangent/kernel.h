#pragma once

// Coefficients of the minimax polynomial over [0, 1].
__global__ void arcTangent(int n, const float* x, const float* y, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float ax = fabsf(x[i]), ay = fabsf(y[i]);
  const float t = fminf(ax, ay) / fmaxf(ax, ay), s = t * t;
  float angle = -0.01172120f;
  angle = angle * s + 0.05265332f;
  angle = angle * s - 0.11643287f;
  angle = angle * s + 0.19354346f;
  angle = angle * s - 0.33262347f;
  angle = (angle * s + 0.99997726f) * t;
  if (ay > ax) angle = 1.57079637f - angle;
  if (x[i] < 0) angle = 3.14159274f - angle;
  if (y[i] < 0) angle = -angle;
  out[i] = angle;
}
