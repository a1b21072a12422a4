// Static, dynamic and templated shared memory; each block has its own.
#include "check.h"

template <class T, int N>
__device__ T* scratch() {
  __shared__ T buffer[N];
  return buffer;
}

template <class T>
__global__ void reverse(T* data) {
  T* buffer = scratch<T, 256>();
  const unsigned i = threadIdx.x;
  buffer[i] = data[blockIdx.x * blockDim.x + i];
  __syncthreads();
  data[blockIdx.x * blockDim.x + i] = buffer[blockDim.x - 1 - i];
}

extern __shared__ int dynamicInts[];

__global__ void mixed(int* out) {
  __shared__ double first[3];
  __shared__ char second[5];
  extern __shared__ char dynamicBytes[];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) first[i] = i + 0.5;
    for (int i = 0; i < 5; ++i) second[i] = static_cast<char>('a' + i);
    for (unsigned i = 0; i < blockDim.x; ++i) dynamicInts[i] = static_cast<int>(i * i);
  }
  __syncthreads();
  const bool same = static_cast<void*>(dynamicBytes) == static_cast<void*>(dynamicInts);
  const bool kept = first[0] + first[1] + first[2] == 4.5 && second[4] == 'e';
  out[threadIdx.x] = same && kept ? dynamicInts[threadIdx.x] : -1;
}

__global__ void countsBlocks(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

template <class T>
void checkReverse() {
  constexpr int kBlocks = 7, kThreads = 256;
  T host[kBlocks * kThreads];
  for (int i = 0; i < kBlocks * kThreads; ++i) host[i] = static_cast<T>(i);
  DeviceArray<T> data(kBlocks * kThreads);
  CHECK_MUSA(musaMemcpy(data.get(), host, sizeof host, musaMemcpyHostToDevice));
  reverse<<<kBlocks, kThreads>>>(data.get());
  data.copyTo(host);
  for (int block = 0; block < kBlocks; ++block) {
    for (int i = 0; i < kThreads; ++i) CHECK(host[block * kThreads + i] == T(block * kThreads + kThreads - 1 - i));
  }
}

int main() {
  checkReverse<int>();
  checkReverse<double>();

  DeviceArray<int> out(100);
  mixed<<<1, 100, 100 * sizeof(int)>>>(out.get());
  int seen[100];
  out.copyTo(seen);
  for (int i = 0; i < 100; ++i) CHECK(seen[i] == i * i);

  DeviceArray<int> counts(50);
  countsBlocks<<<50, 96>>>(counts.get());
  int count[50];
  counts.copyTo(count);
  for (int value : count) CHECK(value == 96);

  musaFuncAttributes attributes;
  CHECK_MUSA(musaFuncGetAttributes(&attributes, mixed));
  CHECK(attributes.sharedSizeBytes >= 29 && attributes.sharedSizeBytes < 64);
  CHECK_MUSA(musaFuncGetAttributes(&attributes, reverse<double>));
  CHECK(attributes.sharedSizeBytes == 256 * sizeof(double));
  std::puts("PASSED");
}
