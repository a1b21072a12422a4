// How long the copies take that a recording needs: copies BYTES..., each to pageable memory, as the recorder
// makes them.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int count, char** arguments) {
  size_t most = 1;
  for (int i = 1; i < count; ++i) most = std::max<size_t>(most, std::strtoull(arguments[i], nullptr, 10));
  char* device = nullptr;
  if (cudaMalloc(&device, most) != cudaSuccess || cudaMemset(device, 1, most) != cudaSuccess) return 1;
  std::vector<char> host(most);
  cudaMemcpy(host.data(), device, most, cudaMemcpyDeviceToHost);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 1; i < count; ++i)
    if (cudaMemcpy(host.data(), device, std::strtoull(arguments[i], nullptr, 10), cudaMemcpyDeviceToHost) !=
        cudaSuccess)
      return 1;
  std::printf("%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}
