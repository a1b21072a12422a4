// Managed memory passes from device to device.
// requires: devices>=2
#include "../../framework/observe.h"

CONFORMANCE_CASE("managed.devices");

__managed__ int shared = 1;

__global__ void addTo(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void doubleShared() { shared *= 2; }

int main() {
  int* values = nullptr;
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&values), 16 * sizeof(int)));
  for (int i = 0; i < 16; ++i) values[i] = i;
  for (int device = 0; device < 2; ++device) {
    SETUP(cudaSetDevice(device));
    addTo<<<1, 16>>>(values, 10 * (device + 1));
    doubleShared<<<1, 1>>>();
    OBSERVE("synchronise_" + std::to_string(device), cudaDeviceSynchronize());
  }
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += values[i];
  OBSERVE("sum", sum);
  OBSERVE("variable", shared);
  SETUP(cudaFree(values));
}
