// A trap in a kernel.
#include "../../framework/observe.h"

CONFORMANCE_CASE("error.trap");

__global__ void trapIf(int number) {
  if (static_cast<int>(threadIdx.x) == number) __trap();
}

int main() {
  trapIf<<<1, 64>>>(1000);
  OBSERVE("not_reached", cudaDeviceSynchronize());
  trapIf<<<1, 64>>>(33);
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("synchronise", cudaDeviceSynchronize());
  OBSERVE("last_error", cudaGetLastError());
  void* pointer = nullptr;
  OBSERVE("malloc", cudaMalloc(&pointer, 16));
}
