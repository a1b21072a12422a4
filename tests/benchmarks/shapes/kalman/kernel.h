#pragma once

#include "problem.h"

__global__ void kalman(int n, const float* measured, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float dt = Kalman::kStep;
  float x[4], cov[4][4];
  for (int r = 0; r < 4; ++r) {
    x[r] = 0;
    for (int c = 0; c < 4; ++c) cov[r][c] = r == c ? 1.0f : 0.0f;
  }
  for (int step = 0; step < Kalman::kSteps; ++step) {
    float model[4][4], product[4][4], gain[4][2];
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) model[r][c] = r == c ? 1.0f : c == r + 2 ? dt : 0.0f;
    }
    for (int r = 0; r < 2; ++r) x[r] += dt * x[r + 2];
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += model[r][k] * cov[k][c];
        product[r][c] = sum;
      }
    }
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) {
        float sum = r == c ? Kalman::kDrift : 0.0f;
        for (int k = 0; k < 4; ++k) sum += product[r][k] * model[c][k];
        cov[r][c] = sum;
      }
    }
    const float s00 = cov[0][0] + Kalman::kNoise, s01 = cov[0][1], s10 = cov[1][0],
                s11 = cov[1][1] + Kalman::kNoise;
    const float scale = 1.0f / (s00 * s11 - s01 * s10);
    for (int r = 0; r < 4; ++r) {
      gain[r][0] = (cov[r][0] * s11 - cov[r][1] * s10) * scale;
      gain[r][1] = (cov[r][1] * s00 - cov[r][0] * s01) * scale;
    }
    const float off0 = measured[(step * 2) * n + i] - x[0], off1 = measured[(step * 2 + 1) * n + i] - x[1];
    for (int r = 0; r < 4; ++r) x[r] += gain[r][0] * off0 + gain[r][1] * off1;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) product[r][c] = cov[r][c] - gain[r][0] * cov[0][c] - gain[r][1] * cov[1][c];
    }
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) cov[r][c] = product[r][c];
    }
  }
  for (int r = 0; r < 4; ++r) out[r * n + i] = x[r];
}
