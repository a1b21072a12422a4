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

static size_t freeNow() {
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  SETUP(cudaMemGetInfo(&freeBytes, &totalBytes));
  return freeBytes;
}

int main() {
  const int nine = 9;
  SETUP(cudaMemcpyToSymbol(value, &nine, sizeof nine));
  OBSERVE("value_before", valueNow());
  const size_t bytes = size_t{512} << 20;
  const size_t before = freeNow();
  void* taken = nullptr;
  SETUP(cudaMalloc(&taken, bytes));
  OBSERVE("memory_is_taken", freeNow() <= before - bytes);
  SETUP(cudaDeviceEnablePeerAccess(1, 0));

  OBSERVE("reset", cudaDeviceReset());
  OBSERVE("memory_is_back", freeNow() > before - bytes);
  OBSERVE("value_is_initial", valueNow());
  OBSERVE("free_of_old_memory", cudaFree(taken));
  cudaGetLastError();
  int number = 0;
  OBSERVE("copy_from_old_memory", cudaMemcpy(&number, taken, sizeof number, cudaMemcpyDeviceToHost));
  cudaGetLastError();
  OBSERVE("peer_access_is_gone", cudaDeviceEnablePeerAccess(1, 0));
  OBSERVE("reset_twice", cudaDeviceReset());
  OBSERVE("reset_again", cudaDeviceReset());
  int device = -1;
  SETUP(cudaGetDevice(&device));
  OBSERVE("device_after_reset", device);
}
