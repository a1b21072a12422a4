// musa_occupancy.h, which needs no device, beside what the runtime says of one.
#include <musa_occupancy.h>
#include <musa_runtime.h>

#include <cstdio>

__global__ void plain(int* out) { *out = 1; }
__global__ void sharing(int* out) {
  __shared__ int values[3000];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(256) bounded(int* out) { *out = 2; }

namespace {

int mistakes = 0;

void expect(bool holds, const char* what, int size, size_t shared) {
  if (holds) return;
  std::printf("%s with %d threads and %zu bytes\n", what, size, shared);
  ++mistakes;
}

size_t perThread(int threads) { return static_cast<size_t>(threads) * 40; }

template <class Kernel>
void compare(const musaOccDeviceProp& device, Kernel kernel) {
  musaFuncAttributes asked;
  if (musaFuncGetAttributes(&asked, kernel) != musaSuccess) ++mistakes;
  musaOccFuncAttributes attributes = asked;
  const musaOccDeviceState state;
  for (const int size : {1, 31, 33, 100, 128, 256, 1000, 1024}) {
    for (const size_t shared : {size_t{0}, size_t{100}, size_t{5000}, size_t{20000}}) {
      musaOccResult result;
      int runtimes = -1;
      const bool fits =
          size <= asked.maxThreadsPerBlock && shared <= static_cast<size_t>(asked.maxDynamicSharedSizeBytes);
      if (!fits) continue;
      expect(musaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state, size, shared) ==
                 MUSA_OCC_SUCCESS,
             "an error", size, shared);
      expect(musaOccupancyMaxActiveBlocksPerMultiprocessor(&runtimes, kernel, size, shared) == musaSuccess,
             "the runtime fails", size, shared);
      expect(result.activeBlocksPerMultiprocessor == runtimes, "other blocks than the runtime's", size,
             shared);
      expect(result.limitingFactors != 0, "nothing limits", size, shared);
    }
  }
  int grid = 0, block = 0, runtimesGrid = 0, runtimesBlock = 0;
  musaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &attributes, &state, nullptr, 512);
  if (musaOccupancyMaxPotentialBlockSize(&runtimesGrid, &runtimesBlock, kernel, 512) != musaSuccess)
    ++mistakes;
  expect(grid == runtimesGrid && block == runtimesBlock, "another size than the runtime's", block, 512);
  musaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &block, &device, &attributes, &state, perThread);
  if (musaOccupancyMaxPotentialBlockSizeVariableSMem(&runtimesGrid, &runtimesBlock, kernel, perThread) !=
      musaSuccess)
    ++mistakes;
  expect(grid == runtimesGrid && block == runtimesBlock, "another size than the runtime's, by size", block,
         0);
  size_t free = 0, runtimesFree = 0;
  musaOccAvailableDynamicSMemPerBlock(&free, &device, &attributes, &state, 2, 64);
  if (musaOccupancyAvailableDynamicSMemPerBlock(&runtimesFree, kernel, 2, 64) != musaSuccess) ++mistakes;
  expect(free == runtimesFree, "other room than the runtime's", 64, free);
}

}  // namespace

int main() {
  musaDeviceProp properties;
  if (musaGetDeviceProperties(&properties, 0) != musaSuccess) return 1;
  const musaOccDeviceProp device = properties;
  compare(device, plain);
  compare(device, sharing);
  compare(device, bounded);
  // What limits, and how much there is of it.
  musaOccDeviceProp small = device;
  small.warpSize = 32;
  small.maxThreadsPerMultiprocessor = 512;
  small.maxBlocksPerMultiprocessor = 4;
  small.sharedMemPerMultiprocessor = 3000;
  small.reservedSharedMemPerBlock = 0;
  small.regsPerMultiprocessor = 8192;
  musaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = 512;
  kernel.sharedSizeBytes = 1000;
  kernel.numRegs = 64;
  const musaOccDeviceState state;
  musaOccResult result;
  musaOccMaxActiveBlocksPerMultiprocessor(&result, &small, &kernel, &state, 64, 500);
  expect(result.blockLimitWarps == 8 && result.blockLimitBlocks == 4 && result.blockLimitSharedMem == 2 &&
             result.blockLimitRegs == 2 && result.activeBlocksPerMultiprocessor == 2,
         "other limits", 64, 500);
  expect(result.limitingFactors == (OCC_LIMIT_SHARED_MEMORY | OCC_LIMIT_REGISTERS), "other factors", 64, 500);
  expect(result.allocatedRegistersPerBlock == 4096 && result.allocatedSharedMemPerBlock == 1500,
         "other sizes", 64, 500);
  musaOccMaxActiveBlocksPerMultiprocessor(&result, &small, &kernel, &state, 513, 0);
  expect(result.activeBlocksPerMultiprocessor == 0, "too large a block", 513, 0);
  expect(musaOccMaxActiveBlocksPerMultiprocessor(&result, &small, &kernel, &state, 0, 0) ==
                 MUSA_OCC_ERROR_INVALID_INPUT &&
             musaOccMaxActiveBlocksPerMultiprocessor(nullptr, &small, &kernel, &state, 1, 0) ==
                 MUSA_OCC_ERROR_INVALID_INPUT,
         "no mistake", 0, 0);
  return mistakes == 0 ? 0 : 1;
}
