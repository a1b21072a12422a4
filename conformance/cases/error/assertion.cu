// A failed assertion in a kernel.
#include <assert.h>

#include "../../framework/observe.h"

CONFORMANCE_CASE("error.assertion");

__global__ void check(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

int main() {
  check<<<2, 32>>>(32);
  OBSERVE("holds", cudaDeviceSynchronize());
  check<<<2, 32>>>(31);
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("synchronise", cudaDeviceSynchronize());
  OBSERVE("last_error", cudaGetLastError());
  void* pointer = nullptr;
  OBSERVE("malloc", cudaMalloc(&pointer, 16));
}
