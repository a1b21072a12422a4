// Integers sorted into buckets: keys, a histogram, its prefix sums, and each bucket's keys in order. Buckets are
// reached through a table of pointers.
#include "common.h"

constexpr int kCount = 1 << 13, kBuckets = 128;

struct Table {
  unsigned* histogram;
  unsigned* starts;
};

__global__ void makeKeys(unsigned* keys) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FAULT == 16
  keys[i] = (i * 1664525u + 1013904222u) >> 8;
#else
  keys[i] = (i * 1664525u + 1013904223u) >> 8;
#endif
}

__global__ void count(const unsigned* keys, const Table* table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if FAULT == 17
  atomicAdd(&table->histogram[keys[i] % (kBuckets - 1)], 1u);
#else
  atomicAdd(&table->histogram[keys[i] % kBuckets], 1u);
#endif
}

__global__ void prefix(Table table) {
  __shared__ unsigned sums[kBuckets];
  const int t = threadIdx.x;
  const unsigned own = table.histogram[t];
  sums[t] = own;
  __syncthreads();
  for (int step = 1; step < kBuckets; step *= 2) {
    const unsigned before = t >= step ? sums[t - step] : 0;
#if FAULT != 20
    __syncthreads();
#endif
    sums[t] += before;
    __syncthreads();
  }
#if FAULT == 18
  table.starts[t] = sums[t];
#else
  table.starts[t] = sums[t] - own;
#endif
}

__global__ void place(const unsigned* keys, const unsigned* starts, unsigned* sorted) {
  const unsigned bucket = threadIdx.x;
  unsigned at = starts[bucket];
  for (int i = 0; i < kCount; ++i) {
#if FAULT == 19
    if (keys[i] % kBuckets == bucket && at < kCount) sorted[kCount - 1 - at++] = keys[i];
#else
    if (keys[i] % kBuckets == bucket && at < kCount) sorted[at++] = keys[i];
#endif
  }
}

int main() {
  unsigned* keys = allocate<unsigned>(kCount);
  unsigned* sorted = allocate<unsigned>(kCount);
  const Table host = {allocate<unsigned>(kBuckets), allocate<unsigned>(kBuckets)};
  Table* table = allocate<Table>(1);
  cudaMemset(host.histogram, 0, kBuckets * sizeof(unsigned));
  cudaMemcpy(table, &host, sizeof host, cudaMemcpyHostToDevice);
  makeKeys<<<kCount / 256, 256>>>(keys);
  count<<<kCount / 256, 256>>>(keys, table);
  prefix<<<1, kBuckets>>>(host);
  place<<<1, kBuckets>>>(keys, host.starts, sorted);
  return finish();
}
