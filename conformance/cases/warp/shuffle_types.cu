// Shuffles of every width of value, and reductions made of them.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.shuffle_types");

template <class T>
__global__ void sum(T* out, T unit) {
  T value = unit * static_cast<T>(threadIdx.x + 1);
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset, 32);
  if (threadIdx.x == 0) out[0] = value;
}

template <class T>
static T sumOf(T unit) {
  DeviceArray<T> out(1);
  sum<T><<<1, 32>>>(out.data(), unit);
  return out.read()[0];
}

__global__ void broadcastEachWarp(int* out) {
  const int value = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 0, 32);
}

int main() {
  OBSERVE("int", sumOf<int>(3));
  OBSERVE("unsigned", sumOf<unsigned>(4000000u));
  OBSERVE("long_long", sumOf<long long>(1ll << 35));
  OBSERVE("unsigned_long_long", sumOf<unsigned long long>(1ull << 50));
  OBSERVE("float", sumOf<float>(0.125f));
  OBSERVE("double", sumOf<double>(1e100));
  DeviceArray<int> out(128);
  broadcastEachWarp<<<1, 128>>>(out.data());
  OBSERVE("groups_of_32", joined(out.read()));
}
