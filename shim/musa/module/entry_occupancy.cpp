// How many blocks of a kernel fit, and how large the best ones are.
#include <fmt/format.h>

#include <algorithm>

#include "musa/api/api_call.h"
#include "musa/module/launch.h"
#include "musa/module/library.h"

using namespace musashim::musa;

namespace {

Result occupancy(int* numBlocks, MUfunction func, int blockSize, size_t dynamicSMemSize, unsigned flags) {
  MUSA_REQUIRE(numBlocks && blockSize > 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or an empty block");
  MUSA_REQUIRE(flags <= MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, MUSA_ERROR_INVALID_VALUE, "unknown flags");
  Function* function = nullptr;
  MUSA_TRY(findLaunchable(func, nullptr, function));
  *numBlocks = static_cast<int>(activeBlocks(*function, static_cast<unsigned>(blockSize), dynamicSMemSize));
  return {};
}

// The block size with the most resident threads; ties go to the largest.
Result potentialBlock(int* minGridSize, int* blockSize, MUfunction func, MUoccupancyB2DSize sharedOf,
                      size_t dynamicSMemSize, int blockSizeLimit, unsigned flags) {
  MUSA_REQUIRE(minGridSize && blockSize, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_REQUIRE(flags <= MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, MUSA_ERROR_INVALID_VALUE, "unknown flags");
  Function* function = nullptr;
  MUSA_TRY(findLaunchable(func, nullptr, function));
  const auto& profile = function->context().device().profile();
  int warp = static_cast<int>(profile.warpSize), limit = static_cast<int>(function->maxThreads());
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  unsigned best = 0;
  *minGridSize = *blockSize = 0;
  for (int aligned = (limit + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
    int size = std::min(aligned, limit);
    size_t shared = sharedOf ? sharedOf(size) : dynamicSMemSize;
    unsigned blocks = activeBlocks(*function, static_cast<unsigned>(size), shared);
    if (blocks * static_cast<unsigned>(size) <= best) continue;
    best = blocks * static_cast<unsigned>(size);
    *blockSize = size;
    *minGridSize = static_cast<int>(blocks * profile.multiprocessors);
  }
  return {};
}

}  // namespace

extern "C" {

MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, MUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return apiCall(
      "muOccupancyMaxActiveBlocksPerMultiprocessor",
      [&] { return occupancy(numBlocks, func, blockSize, dynamicSMemSize, MU_OCCUPANCY_DEFAULT); }, numBlocks,
      func, blockSize, dynamicSMemSize);
}

MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, MUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags) {
  return apiCall(
      "muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
      [&] { return occupancy(numBlocks, func, blockSize, dynamicSMemSize, flags); }, numBlocks, func,
      blockSize, dynamicSMemSize, flags);
}

MUresult muOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, MUfunction func,
                                          MUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
  return apiCall(
      "muOccupancyMaxPotentialBlockSize",
      [&] {
        return potentialBlock(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                              blockSizeLimit, MU_OCCUPANCY_DEFAULT);
      },
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit);
}

MUresult muOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, MUfunction func,
                                                   MUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags) {
  return apiCall(
      "muOccupancyMaxPotentialBlockSizeWithFlags",
      [&] {
        return potentialBlock(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                              blockSizeLimit, flags);
      },
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, flags);
}

MUresult muOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, MUfunction func, int numBlocks,
                                                 int blockSize) {
  return apiCall(
      "muOccupancyAvailableDynamicSMemPerBlock",
      [&]() -> Result {
        MUSA_REQUIRE(dynamicSmemSize && numBlocks > 0 && blockSize > 0, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, or a count of 0");
        Function* function = nullptr;
        MUSA_TRY(findLaunchable(func, nullptr, function));
        const auto& profile = function->context().device().profile();
        MUSA_REQUIRE(static_cast<unsigned>(blockSize) <= profile.maxThreadsPerBlock &&
                         static_cast<unsigned>(numBlocks) <=
                             activeBlocks(*function, static_cast<unsigned>(blockSize), 0),
                     MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{} blocks of {} threads do not fit", numBlocks, blockSize));
        const size_t perBlock = profile.sharedBytesPerMultiprocessor / static_cast<unsigned>(numBlocks);
        size_t fixed = function->info().static_shared_bytes;
        *dynamicSmemSize =
            std::min<size_t>(perBlock > fixed ? perBlock - fixed : 0, function->maxDynamicShared());
        return {};
      },
      dynamicSmemSize, func, numBlocks, blockSize);
}

}  // extern "C"
