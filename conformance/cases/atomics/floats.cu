// Atomic addition of floats, where the sum is exact in any order.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.floats");

template <class T>
__global__ void add(T* sum, T unit) {
  atomicAdd(sum, unit * static_cast<T>(threadIdx.x));
}

__global__ void exchange(float* cells) {
  const float old = atomicExch(&cells[0], 2.5f);
  cells[1] = old;
}

int main() {
  DeviceArray<float> single(1);
  add<float><<<16, 128>>>(single.data(), 0.25f);
  OBSERVE("float", single.read()[0]);
  DeviceArray<double> precise(1);
  add<double><<<16, 128>>>(precise.data(), 0.0009765625);
  OBSERVE("double", precise.read()[0]);
  DeviceArray<float> cells(std::vector<float>{1.5f, 0.0f});
  exchange<<<1, 1>>>(cells.data());
  OBSERVE("exchange", joined(cells.read()));
}
