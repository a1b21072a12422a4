#pragma once

__global__ void histogram(int n, const unsigned* in, unsigned* counts) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned word = in[i];
    atomicAdd(&part[word & 255], 1u);
    atomicAdd(&part[(word >> 8) & 255], 1u);
    atomicAdd(&part[(word >> 16) & 255], 1u);
    atomicAdd(&part[word >> 24], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], part[threadIdx.x]);
}
