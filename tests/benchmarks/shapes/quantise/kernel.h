#pragma once

__global__ void quantise(int n, float scale, float offset, const float* in, short* shorts,
                         signed char* bytes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float scaled = in[i] * scale + offset;
  shorts[i] = (short)(scaled * 100);
  bytes[i] = (signed char)max(-128, min(127, (int)rintf(scaled)));
}
