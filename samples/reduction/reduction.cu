// reduction: the sum of many integers, in three ways. All use the device's own
// warpSize: 32 lanes on some devices, 128 on others.
//   tree     a binary tree in shared memory, a barrier a level
//   shuffle  each warp by shuffles, then the warps' sums through shared memory
//   atomic   as shuffle, then one atomic addition a block: a single launch
#include <stdint.h>

#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"
#include "../common/timer.h"

__device__ static int sumOfThread(const int* values, size_t count) {
  int sum = 0;
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    sum += values[i];
  return sum;
}

// One int of shared memory a thread; blockDim.x must be a power of two.
__global__ void sumByTree(const int* values, size_t count, int* sums) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = sumOfThread(values, count);
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__device__ static int sumOfWarp(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// The block's sum, in its thread 0. One int of shared memory a warp; blockDim.x
// must be a multiple of warpSize.
__device__ static int sumOfBlock(int value, int* partial) {
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  const int warps = static_cast<int>(blockDim.x) / warpSize;
  value = sumOfWarp(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) value = sumOfWarp(lane < warps ? partial[lane] : 0);
  return value;
}

__global__ void sumByShuffle(const int* values, size_t count, int* sums) {
  extern __shared__ int partial[];
  const int sum = sumOfBlock(sumOfThread(values, count), partial);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void sumByAtomic(const int* values, size_t count, int* total) {
  extern __shared__ int partial[];
  const int sum = sumOfBlock(sumOfThread(values, count), partial);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

typedef void (*Kernel)(const int*, size_t, int*);

struct Input {
  const int* values;
  size_t count;
  unsigned blocks;
  unsigned threads;
  size_t sharedBytes;
};

// Sums blocks, then the blocks' sums.
static int sumInTwoSteps(Kernel kernel, const Input& in, int* sums, int* total) {
  kernel<<<in.blocks, in.threads, in.sharedBytes>>>(in.values, in.count, sums);
  CHECK_LAUNCH();
  kernel<<<1, in.threads, in.sharedBytes>>>(sums, in.blocks, total);
  CHECK_LAUNCH();
  int result = 0;
  CHECK(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

static int sumInOneStep(const Input& in, int* total) {
  CHECK(cudaMemset(total, 0, sizeof(int)));
  sumByAtomic<<<in.blocks, in.threads, in.sharedBytes>>>(in.values, in.count, total);
  CHECK_LAUNCH();
  int result = 0;
  CHECK(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

int main(int argc, char** argv) {
  Options options(argc, argv,
                  "Sums integers by a tree in shared memory, by shuffles, and with an atomic addition.");
  const size_t count = static_cast<size_t>(options.size("--count", 1 << 20, "integers"));
  const unsigned threads =
      static_cast<unsigned>(options.size("--block", 256, "threads in a block, a power of two"));
  options.finish();
  printDevice(0);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const unsigned warp = static_cast<unsigned>(properties.warpSize);
  if ((threads & (threads - 1)) != 0 || threads < warp || threads > 1024) {
    fprintf(stderr, "--block must be a power of two from %u to 1024\n", warp);
    return 2;
  }

  std::vector<int> values(count);
  uint32_t expected = 0;
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int>(i * 2654435761u >> 20) - 2000;
    expected += static_cast<uint32_t>(values[i]);
  }
  const unsigned blocks = 64;
  int *deviceValues, *sums, *total;
  CHECK(cudaMalloc(&deviceValues, count * sizeof(int)));
  CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMemcpy(deviceValues, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));

  const Input in = {deviceValues, count, blocks, threads, threads * sizeof(int)};
  bool passed = true;
  const char* const names[] = {"tree", "shuffle", "atomic"};
  for (int way = 0; way < 3; ++way) {
    EventTimer timer;
    timer.start();
    const int got = way == 2 ? sumInOneStep(in, total)
                             : sumInTwoSteps(way == 0 ? sumByTree : sumByShuffle, in, sums, total);
    const float milliseconds = timer.stop();
    const bool right = got == static_cast<int>(expected);
    printf("%-8s %12d  %8.3f ms  %8.2f GB/s  %s\n", names[way], got, milliseconds,
           static_cast<double>(count) * sizeof(int) / (milliseconds * 1e6), right ? "ok" : "WRONG");
    passed = passed && right;
  }
  CHECK(cudaFree(deviceValues));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(total));
  return verdict(passed);
}
