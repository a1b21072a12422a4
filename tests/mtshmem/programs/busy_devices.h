// Work of a process on all its devices that has nothing to do with MTSHMEM's, in a thread for each.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

namespace busy {

constexpr int kCount = 2048;

static __global__ void fill(unsigned* to, unsigned seed) {
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) to[i] = seed + i;
}
// Sums of neighbours, by a barrier of the block between reading and writing.
static __global__ void smooth(unsigned* values) {
  __shared__ unsigned sums[kCount];
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) sums[i] = values[i] + values[(i + 1) % kCount];
  __syncthreads();
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) values[i] = sums[i];
}

inline bool work(int device, int devices, unsigned seed) {
  if (musaSetDevice(device) != musaSuccess) return false;
  unsigned *here = nullptr, *there = nullptr;
  const int other = (device + 1) % devices;
  bool holds = musaMalloc(reinterpret_cast<void**>(&here), kCount * sizeof *here) == musaSuccess;
  holds = holds && musaSetDevice(other) == musaSuccess &&
          musaMalloc(reinterpret_cast<void**>(&there), kCount * sizeof *there) == musaSuccess &&
          musaSetDevice(device) == musaSuccess;
  musaStream_t stream = nullptr;
  holds = holds && musaStreamCreate(&stream) == musaSuccess;
  if (holds) {
    fill<<<1, 64, 0, stream>>>(here, seed);
    smooth<<<1, 64, 0, stream>>>(here);
    unsigned got[kCount];
    holds = musaMemcpyPeerAsync(there, other, here, device, sizeof got, stream) == musaSuccess &&
            musaMemcpyAsync(got, there, sizeof got, musaMemcpyDefault, stream) == musaSuccess &&
            musaStreamSynchronize(stream) == musaSuccess && musaStreamDestroy(stream) == musaSuccess;
    for (unsigned i = 0; i < kCount; ++i) holds = holds && got[i] == 2 * seed + i + (i + 1) % kCount;
  }
  return musaFree(here) == musaSuccess && musaFree(there) == musaSuccess && holds;
}

}  // namespace busy

class BusyDevices {
 public:
  explicit BusyDevices(unsigned seed) {
    int devices = 0;
    MUSA(musaGetDeviceCount(&devices));
    for (int device = 0; device < devices; ++device) {
      threads_.emplace_back([this, device, devices, seed] {
        for (unsigned round = 0; !isOver_ || round < 2; ++round) {
          if (!busy::work(device, devices, seed + round)) ++wrong_;
        }
      });
    }
  }
  // Whether all of it was right.
  bool end() {
    isOver_ = true;
    for (std::thread& thread : threads_) thread.join();
    return wrong_ == 0;
  }

 private:
  std::atomic<bool> isOver_{false};
  std::atomic<int> wrong_{0};
  std::vector<std::thread> threads_;
};
