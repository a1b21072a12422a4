// alignas behind the qualifiers of variables, and shared addresses that are kept in 32 bits.
#include <cstdint>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.qualifier_order");

struct alignas(16) Vector {
  float values[4];
};
__device__ alignas(64) int inMemory[3] = {1, 2, 3};
__constant__ alignas(alignof(Vector)) float constants[4] = {1, 2, 3, 4};

__device__ int rest(const void* pointer, unsigned to) {
  return static_cast<int>(reinterpret_cast<uintptr_t>(pointer) % to);
}

template <class T>
__global__ void alignments(int* out) {
  __shared__ char first;
  __shared__ alignas(64) float a[4][5];
  __shared__ alignas(alignof(Vector)) T b[7];
  extern __shared__ __align__(16) float dynamic[];
  first = 1;
  a[0][0] = first;
  b[0] = static_cast<T>(a[0][0] + constants[1] + inMemory[0]);
  dynamic[0] = b[0];
  out[0] = rest(a, 64);
  out[1] = rest(b, 16);
  out[2] = rest(dynamic, 16);
  out[3] = rest(inMemory, 64);
  out[4] = rest(constants, 16);
  out[5] = static_cast<int>(dynamic[0]);
}

__global__ void shortAddresses(int* out) {
  __shared__ int values[64];
  extern __shared__ int more[];
  const unsigned i = threadIdx.x;
  values[i] = static_cast<int>(i);
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(&values[i]));
  const unsigned next = static_cast<unsigned>(__cvta_generic_to_shared(&values[i] + 1));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&more[63 - i]));
  *static_cast<int*>(__cvta_shared_to_generic(to)) = *static_cast<int*>(__cvta_shared_to_generic(from));
  __syncthreads();
  out[i] = more[i] * 10 + static_cast<int>(next - from);
}

int main() {
  DeviceArray<int> rests(6), copied(64);
  alignments<char><<<1, 1, 64>>>(rests.data());
  OBSERVE("alignments.char", joined(rests.read()));
  alignments<double><<<1, 1, 64>>>(rests.data());
  OBSERVE("alignments.double", joined(rests.read()));
  shortAddresses<<<1, 64, 256>>>(copied.data());
  OBSERVE("short_addresses", joined(copied.read()));
}
