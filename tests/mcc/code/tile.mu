// A tile's product: more vectors than there are registers.
#include <musa_runtime.h>

__global__ void tile(int n, const float* a, const float* b, float* c) {
  __shared__ float as[32][32];
  __shared__ float bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int from = 0; from < n; from += 32) {
    as[ty][tx] = a[(blockIdx.y * 32 + ty) * n + from + tx];
    bs[ty][tx] = b[(from + ty) * n + blockIdx.x * 32 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}

int main() {
  tile<<<dim3(2, 2), dim3(32, 32)>>>(0, nullptr, nullptr, nullptr);
  return 0;
}
