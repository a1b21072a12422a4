#pragma once

__global__ void background(int n, float keep, float far, const unsigned char* picture, unsigned char* model,
                           unsigned char* mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float distance = 0;
  for (int plane = 0; plane < 3; ++plane)
    distance += fabsf((float)picture[plane * n + i] - (float)model[plane * n + i]);
  mask[i] = distance > far ? 255 : 0;
  if (mask[i] == 0) {
    for (int plane = 0; plane < 3; ++plane) {
      model[plane * n + i] =
          (unsigned char)(keep * model[plane * n + i] + (1.0f - keep) * picture[plane * n + i]);
    }
  }
}
