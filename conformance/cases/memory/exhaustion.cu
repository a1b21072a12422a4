// Memory runs out with an error, and freeing brings it back.
#include <vector>

#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.exhaustion");

int main() {
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  OBSERVE("info", cudaMemGetInfo(&freeBytes, &totalBytes));
  OBSERVE("free_within_total", freeBytes > 0 && freeBytes <= totalBytes);
  void* pointer = nullptr;
  OBSERVE("more_than_total", cudaMalloc(&pointer, totalBytes + (size_t{1} << 30)));
  cudaGetLastError();

  // A tenth of the device at a time: untouched, so that nothing is committed.
  std::vector<void*> pieces;
  cudaError_t error = cudaSuccess;
  while (pieces.size() < 16) {
    error = cudaMalloc(&pointer, totalBytes / 10);
    if (error != cudaSuccess) break;
    pieces.push_back(pointer);
  }
  OBSERVE("ends_with", error);
  OBSERVE("got_some", !pieces.empty());
  OBSERVE("not_more_than_there_is", pieces.size() <= 10);
  cudaGetLastError();
  for (void* piece : pieces) SETUP(cudaFree(piece));
  OBSERVE("again_after_free", cudaMalloc(&pointer, totalBytes / 10));
  SETUP(cudaFree(pointer));

  OBSERVE("info_null_free", cudaMemGetInfo(nullptr, &totalBytes));
  OBSERVE("info_null_total", cudaMemGetInfo(&freeBytes, nullptr));
}
