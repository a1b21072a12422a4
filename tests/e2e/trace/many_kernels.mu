// Launches small kernels and prints how long one of them took: many_kernels [COUNT [ROUNDS]]
#include <musa_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void small(int* values) { values[threadIdx.x] += 1; }

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  int* values = nullptr;
  if (musaMalloc(&values, 64 * sizeof(int)) != musaSuccess) return 1;
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) small<<<1, 64>>>(values);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / count);
  }
  std::printf("%.1f\n", best);
}
