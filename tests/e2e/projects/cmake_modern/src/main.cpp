#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

cudaError_t sum(const float* values, int n, float* result);

int main() {
#ifndef NEW_TOOLKIT
  return 2;
#endif
  const std::vector<float> ones(1000, 1.0f);
  float *values = nullptr, *result = nullptr, total = 0;
  cudaMalloc(&values, 1000 * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaMemset(result, 0, sizeof(float));
  cudaMemcpy(values, ones.data(), 1000 * sizeof(float), cudaMemcpyHostToDevice);
  if (sum(values, 1000, result) != cudaSuccess) return 1;
  cudaMemcpy(&total, result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%d wrong\n", total != 3000.0f);
}
