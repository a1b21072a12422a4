#pragma once

__global__ void softmax(int columns, const float* in, float* out) {
  __shared__ float part[256];
  const unsigned t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float largest = row[t];
  for (int i = t + 256; i < columns; i += 256) largest = fmaxf(largest, row[i]);
  part[t] = largest;
  __syncthreads();
  for (unsigned step = 128; step > 0; step /= 2) {
    if (t < step) part[t] = fmaxf(part[t], part[t + step]);
    __syncthreads();
  }
  largest = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += 256) sum += expf(row[i] - largest);
  part[t] = sum;
  __syncthreads();
  for (unsigned step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  const float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += 256) out[blockIdx.x * columns + i] = expf(row[i] - largest) * scale;
}
