// Variables that other files use, from the device and from the host.
#include "shared.h"

__device__ int counter = 100;
__constant__ int factors[4] = {1, 2, 3, 4};
__managed__ int managedTotal = 7;
static __device__ int hidden = 5;  // main.mu has one, too

static __global__ void addHidden() { hidden += 10; }

__global__ void addToCounter(int by) { atomicAdd(&counter, by); }

void setFactors(const int* values) { CHECK(musaMemcpyToSymbol(factors, values, sizeof(factors))); }

int readCounter() {
  int value = 0;
  CHECK(musaMemcpyFromSymbol(&value, counter, sizeof(value)));
  return value;
}

int readHidden() {
  addHidden<<<1, 1>>>();
  int value = 0;
  CHECK(musaMemcpyFromSymbol(&value, hidden, sizeof(value)));
  return value;
}

int squaresOfState() {
  int values[3] = {1, 2, 3};
  int* device = nullptr;
  CHECK(musaMalloc(&device, sizeof(values)));
  CHECK(musaMemcpy(device, values, sizeof(values), musaMemcpyDefault));
  squareAll<<<1, 64>>>(device, 3);
  CHECK(musaMemcpy(values, device, sizeof(values), musaMemcpyDefault));
  CHECK(musaFree(device));
  return values[0] * 100 + values[1] * 10 + values[2];
}
