#pragma once

// A block per token and head, a thread per pair.
__global__ void rotary(int heads, const float* in, const float* cosine, const float* sine, float* out) {
  const int token = blockIdx.x / heads, pairs = blockDim.x, pair = threadIdx.x;
  const float c = cosine[token * pairs + pair], s = sine[token * pairs + pair];
  const float* row = in + blockIdx.x * pairs * 2;
  const float x = row[2 * pair], y = row[2 * pair + 1];
  out[blockIdx.x * pairs * 2 + 2 * pair] = x * c - y * s;
  out[blockIdx.x * pairs * 2 + 2 * pair + 1] = x * s + y * c;
}
