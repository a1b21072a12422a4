// Static and dynamic shared memory of each block.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.shared_memory");

extern __shared__ __align__(16) unsigned char pool[];

__global__ void reverse(int* out) {
  __shared__ int values[64];
  __shared__ double offset;
  if (threadIdx.x == 0) offset = 0.5 + blockIdx.x;
  values[threadIdx.x] = static_cast<int>(threadIdx.x + 100 * blockIdx.x);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x] + static_cast<int>(offset * 2.0);
}

__global__ void carve(double* out, int count) {
  double* doubles = reinterpret_cast<double*>(pool);
  float* floats = reinterpret_cast<float*>(doubles + count);
  __shared__ int fixedPart[3];
  const int me = static_cast<int>(threadIdx.x);
  doubles[me] = me * 1.5;
  floats[me] = static_cast<float>(me) * 0.25f;
  if (me < 3) fixedPart[me] = me + 1;
  __syncthreads();
  out[me] = doubles[count - 1 - me] + floats[(me + 1) % count] + fixedPart[me % 3];
}

template <class T>
__global__ void dynamicOf(T* out) {
  T* mine = reinterpret_cast<T*>(pool);
  mine[threadIdx.x] = static_cast<T>(threadIdx.x * 3);
  __syncthreads();
  out[threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];
}

__device__ int inFunction(int value) {
  __shared__ int scratch[32];
  scratch[threadIdx.x] = value;
  __syncthreads();
  return scratch[(threadIdx.x + 1) % 32];
}

__global__ void viaFunction(int* out) {
  out[threadIdx.x] = inFunction(static_cast<int>(threadIdx.x * threadIdx.x));
}

int main() {
  DeviceArray<int> reversed(128);
  reverse<<<2, 64>>>(reversed.data());
  OBSERVE("reversed", joined(reversed.read()));
  DeviceArray<double> carved(32);
  carve<<<1, 32, 32 * (sizeof(double) + sizeof(float))>>>(carved.data(), 32);
  OBSERVE("carved", joined(carved.read()));
  DeviceArray<short> shorts(16);
  dynamicOf<short><<<1, 16, 16 * sizeof(short)>>>(shorts.data());
  const std::vector<short> read = shorts.read();
  OBSERVE("shorts", joined(std::vector<int>(read.begin(), read.end())));
  DeviceArray<int> passed(32);
  viaFunction<<<1, 32>>>(passed.data());
  OBSERVE("in_function", joined(passed.read()));
}
