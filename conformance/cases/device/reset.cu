// A reset of the device gives everything back and starts anew.
// requires: devices>=2
#include "../../framework/observe.h"

CONFORMANCE_CASE("device.reset");

__device__ int value = 3;

static int valueNow() {
  int now = 0;
  SETUP(cudaMemcpyFromSymbol(&now, value, sizeof now));
  return now;
}

static bool freeNowAbove(size_t limit) {
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  SETUP(cudaMemGetInfo(&freeBytes, &totalBytes));
  return freeBytes > limit;
}

int main() {
  const int nine = 9;
  SETUP(cudaMemcpyToSymbol(value, &nine, sizeof nine));
  OBSERVE("value_before", valueNow());
  size_t totalBytes = 0;
  size_t freeBytes = 0;
  SETUP(cudaMemGetInfo(&freeBytes, &totalBytes));
  void* half = nullptr;
  SETUP(cudaMalloc(&half, totalBytes / 2));
  OBSERVE("half_is_taken", !freeNowAbove(totalBytes / 2));
  SETUP(cudaDeviceEnablePeerAccess(1, 0));

  OBSERVE("reset", cudaDeviceReset());
  OBSERVE("memory_is_back", freeNowAbove(totalBytes / 2));
  OBSERVE("value_is_initial", valueNow());
  OBSERVE("free_of_old_memory", cudaFree(half));
  cudaGetLastError();
  OBSERVE("copy_from_old_memory", cudaMemcpy(&freeBytes, half, sizeof freeBytes, cudaMemcpyDeviceToHost));
  cudaGetLastError();
  OBSERVE("peer_access_is_gone", cudaDeviceEnablePeerAccess(1, 0));
  OBSERVE("reset_twice", cudaDeviceReset());
  OBSERVE("reset_again", cudaDeviceReset());
  int device = -1;
  SETUP(cudaGetDevice(&device));
  OBSERVE("device_after_reset", device);
}
