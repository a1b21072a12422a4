// Many threads take memory of the device's heap and give it back: no two have the same, none is lost, and
// what is freed can be had in other sizes. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kBlocks = 64, kThreads = 32, kTimes = 20, kAll = kBlocks * kThreads;

__managed__ unsigned failures;
__managed__ unsigned granted;
__device__ void* kept[kAll];

__device__ unsigned sizeOf(unsigned i) { return 1 + i * 37 % 300; }

// Small pieces and some that are not, several at a time, each full of what its thread writes.
__global__ void churn() {
  const unsigned self = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char* pieces[4] = {};
  for (unsigned time = 0; time < kTimes; ++time) {
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned size = sizeOf(self + time * 4 + k);
      pieces[k] = static_cast<unsigned char*>(malloc(size));
      if (pieces[k] == nullptr || reinterpret_cast<size_t>(pieces[k]) % 16 != 0) {
        atomicAdd(&failures, 1u);
        return;
      }
      for (unsigned i = 0; i < size; ++i) pieces[k][i] = static_cast<unsigned char>(self + k);
    }
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned size = sizeOf(self + time * 4 + k);
      for (unsigned i = 0; i < size; ++i) {
        if (pieces[k][i] != static_cast<unsigned char>(self + k)) atomicAdd(&failures, 1u);
      }
      free(pieces[k]);
    }
  }
}

// What one kernel takes, threads of another free.
__global__ void take() {
  const unsigned self = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* const piece = static_cast<unsigned*>(malloc(64));
  if (piece == nullptr) {
    atomicAdd(&failures, 1u);
    return;
  }
  *piece = self;
  kept[self] = piece;
}
__global__ void giveBack() {
  const unsigned other = kAll - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  if (*static_cast<unsigned*>(kept[other]) != other) atomicAdd(&failures, 1u);
  free(kept[other]);
}

// All of the heap, in one size, until nothing is left; and back.
__global__ void exhaust(size_t bytes) {
  if (threadIdx.x != 0) return;
  void** first = nullptr;
  while (void** const piece = static_cast<void**>(malloc(bytes))) {
    *piece = first;
    first = piece;
    atomicAdd(&granted, 1u);
  }
  while (first != nullptr) {
    void** const next = static_cast<void**>(*first);
    free(first);
    first = next;
  }
}

int main() {
  size_t heap = 0;
  musaDeviceGetLimit(&heap, musaLimitMallocHeapSize);
  for (int round = 0; round < 3; ++round) {
    churn<<<kBlocks, kThreads>>>();
    take<<<kBlocks, kThreads>>>();
    giveBack<<<kBlocks, kThreads>>>();
    for (const size_t bytes : {size_t{256}, heap, size_t{4096}}) {
      granted = 0;
      exhaust<<<1, 32>>>(bytes);
      // Of memory that was used before and memory that was not, a rest of each may be left.
      const size_t most = heap / bytes, least = bytes <= 4096 ? most - 1 : most;
      if (musaDeviceSynchronize() != musaSuccess || granted < least || granted > most) {
        std::printf("FAILED: %u pieces of %zu bytes\n", granted, bytes);
        return 1;
      }
    }
  }
  if (failures != 0) {
    std::printf("FAILED: %u\n", failures);
    return 1;
  }
  std::printf("PASSED\n");
  return 0;
}
