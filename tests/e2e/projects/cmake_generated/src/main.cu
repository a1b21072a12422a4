#include "config.cuh"

#include <cstdio>

cudaError_t fill_int(int* values);
cudaError_t fill_float(float* values);

int main() {
  int* ints;
  float* floats;
  cudaMallocManaged(&ints, BLOCK * sizeof(int));
  cudaMallocManaged(&floats, BLOCK * sizeof(float));
  int wrong = fill_int(ints) != cudaSuccess || fill_float(floats) != cudaSuccess;
  for (int i = 0; i < BLOCK; ++i) wrong += ints[i] != 7 || floats[i] != 7.0f;
  std::printf("%d wrong\n", wrong);
}
