// Threads that end before a barrier, loops that threads go round apart, within others, and lanes that
// exchange: what is counted is the same in code of any optimisation, whichever way threads tell it.
#include <cuda_runtime.h>

#include <cstdio>
__global__ void early(int n, const float* in, float* out) {
  __shared__ float part[256];
  int t = threadIdx.x;
  if (blockIdx.x * 256 + t >= n) return;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < t % 7; ++k)
    for (int j = 0; j < k; ++j) sum += part[(t + j) % 200];
  for (int i = 0; i < 3; ++i) {
    __syncthreads();
    for (int j = t; j < 256; j += 100) sum += part[j % 128];
  }
  out[blockIdx.x * 256 + t] = sum + __shfl_down_sync(0xffffffff, sum, 1);
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  early<<<4, 256>>>(1000, a, b);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
