#pragma once

// Every block's inclusive sums, and the sum of each block.
__global__ void scanBlocks(int n, const unsigned* in, unsigned* out, unsigned* sums) {
  __shared__ unsigned part[2][256];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  unsigned from = 0;
  part[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    part[1 - from][t] = t >= step ? part[from][t] + part[from][t - step] : part[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = part[from][t];
  if (t == 255) sums[blockIdx.x] = part[from][t];
}

// Adds to each block the inclusive sum of the blocks before.
__global__ void addSums(int n, const unsigned* scanned, unsigned* out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += scanned[blockIdx.x - 1];
}
