// A program that says what its kernel has computed.
#include <cstdio>

#include "value.h"

__global__ void fill(int* data) { data[threadIdx.x] = value() + blockDim.x; }

int main() {
  int* data = nullptr;
  musaMallocManaged(reinterpret_cast<void**>(&data), THREADS * sizeof(int));
  fill<<<1, THREADS>>>(data);
  musaDeviceSynchronize();
  std::printf("%s %d\n", "host", data[0]);
  return 0;
}
