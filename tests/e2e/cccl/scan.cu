// CUB's DeviceScan of ten million ints, each sum checked. Prints "right".
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main() {
  constexpr int kCount = 10'000'000;
  std::vector<int> values(kCount), sums(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i % 7 - 2;
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  cudaMemcpy(in, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(room, bytes, in, out, kCount);
  cudaMalloc(&room, bytes);
  cub::DeviceScan::InclusiveSum(room, bytes, in, out, kCount);
  cudaMemcpy(sums.data(), out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  const cudaError_t status = cudaGetLastError();
  bool isRight = status == cudaSuccess;
  for (int i = 0, sum = 0; i < kCount && isRight; ++i) isRight = sums[i] == (sum += values[i]);
  std::printf("%s %s\n", isRight ? "right" : "WRONG", cudaGetErrorName(status));
  return isRight ? 0 : 1;
}
