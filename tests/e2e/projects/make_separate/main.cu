#include <cstdio>

extern __device__ int scale;
__device__ int scaled(int x);
__global__ void kernel(int* out) { out[threadIdx.x] = scaled(threadIdx.x) + scale; }

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 32; ++i) wrong += out[i] != 5 * i + 5;
  std::printf("%d wrong\n", wrong);
}
