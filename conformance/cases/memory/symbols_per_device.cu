// Each device has its own copy of every variable.
// requires: devices>=2
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.symbols_per_device");

__device__ int value = 7;
__constant__ int fixedValue = 70;
__device__ int product;

__global__ void multiply() { product = value * fixedValue; }

int main() {
  int number = 0;
  for (int device = 0; device < 2; ++device) {
    SETUP(cudaSetDevice(device));
    SETUP(cudaMemcpyFromSymbol(&number, value, sizeof number));
    OBSERVE("initial_on_" + std::to_string(device), number);
    number = 100 + device;
    SETUP(cudaMemcpyToSymbol(value, &number, sizeof number));
  }
  for (int device = 0; device < 2; ++device) {
    SETUP(cudaSetDevice(device));
    multiply<<<1, 1>>>();
    SETUP(cudaDeviceSynchronize());
    SETUP(cudaMemcpyFromSymbol(&number, product, sizeof number));
    OBSERVE("product_on_" + std::to_string(device), number);
  }
  void* addresses[2] = {};
  for (int device = 0; device < 2; ++device) {
    SETUP(cudaSetDevice(device));
    SETUP(cudaGetSymbolAddress(&addresses[device], value));
  }
  OBSERVE("addresses_differ", addresses[0] != addresses[1]);
}
