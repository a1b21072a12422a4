#pragma once

__device__ inline unsigned turn(unsigned x, int by) { return x << by | x >> (32 - by); }

__global__ void hashing(int n, const unsigned* keys, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned hash = 42;
  for (int k = 0; k < 4; ++k) {
    hash ^= turn(keys[i * 4 + k] * 0xcc9e2d51u, 15) * 0x1b873593u;
    hash = turn(hash, 13) * 5 + 0xe6546b64u;
  }
  hash ^= 16;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  out[i] = hash ^ hash >> 16;
}
