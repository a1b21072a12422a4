#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void onDevice(char* bytes) {
  void* memory = std::malloc(4);
  std::memset(memory, 1, 4);
  std::printf("%g %d\n", std::sqrt(2.0), std::abs(-1));
  std::free(memory);
  *bytes = 0;
}

int main() {
  void* memory = std::malloc(4);
  std::memset(memory, 1, 4);
  std::printf("%g %d\n", std::sqrt(2.0), std::abs(-1));
  std::free(memory);
  onDevice<<<1, 1>>>(nullptr);
  std::exit(0);
}
