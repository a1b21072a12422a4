// Free memory shrinks by what is allocated and comes back.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.mem_info");

static size_t freeNow() {
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  SETUP(cudaMemGetInfo(&freeBytes, &totalBytes));
  return freeBytes;
}

int main() {
  const size_t bytes = size_t{64} << 20;
  SETUP(cudaFree(nullptr));
  const size_t before = freeNow();
  void* pointer = nullptr;
  SETUP(cudaMalloc(&pointer, bytes));
  OBSERVE("shrinks_by_at_least", before - freeNow() >= bytes);
  SETUP(cudaFree(pointer));
  OBSERVE("comes_back", freeNow() == before);
}
