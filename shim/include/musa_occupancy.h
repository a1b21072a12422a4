/* Occupancy without a runtime: how many blocks fit a multiprocessor of a device that is described by its
 * properties. The rules are those of musaOccupancyMaxActiveBlocksPerMultiprocessor; what CUDA's header
 * derives from the number of an NVIDIA architecture is a field of the description here.
 *
 * All functions return MUSA_OCC_ERROR_INVALID_INPUT for null pointers, sizes that are not positive, and
 * descriptions without threads, warps or shared memory; results are not written then. */
#ifndef MUSASHIM_MUSA_OCCUPANCY_H
#define MUSASHIM_MUSA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

typedef enum musaOccError_enum {
  MUSA_OCC_SUCCESS = 0,
  MUSA_OCC_ERROR_INVALID_INPUT = 1,
  MUSA_OCC_ERROR_UNKNOWN_DEVICE = 2 /* never returned: all devices are known by their fields */
} musaOccError;

/* What keeps more blocks from fitting; several may do so at once. */
typedef enum musaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10
} musaOccLimitingFactor;

/* Hints and modes that change nothing on MUSA devices: shared memory and caches are apart. */
typedef enum musaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0x00,
  CACHE_PREFER_SHARED = 0x01,
  CACHE_PREFER_L1 = 0x02,
  CACHE_PREFER_EQUAL = 0x03
} musaOccCacheConfig;
typedef enum musaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100
} musaOccCarveoutConfig;
typedef enum musaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} musaOccPartitionedGCConfig;

/* How much shared memory a block may have: sharedMemPerBlock, or sharedMemPerBlockOptin. */
typedef enum musaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN
} musaOccFuncShmemConfig;

typedef struct musaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int regsPerBlock;          /* 0: registers limit nothing */
  int regsPerMultiprocessor; /* the same */
  int warpSize;
  size_t sharedMemPerBlock; /* bytes, as the others */
  size_t sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
  int maxBlocksPerMultiprocessor; /* 0: as many as there are warps */

#ifdef __cplusplus
  musaOccDeviceProp()
      : computeMajor(0),
        computeMinor(0),
        maxThreadsPerBlock(0),
        maxThreadsPerMultiprocessor(0),
        regsPerBlock(0),
        regsPerMultiprocessor(0),
        warpSize(0),
        sharedMemPerBlock(0),
        sharedMemPerMultiprocessor(0),
        numSms(0),
        sharedMemPerBlockOptin(0),
        reservedSharedMemPerBlock(0),
        maxBlocksPerMultiprocessor(0) {}
  /* From musaDeviceProp, or what has its fields. */
  template <class Properties>
  musaOccDeviceProp(const Properties& from)
      : computeMajor(from.major),
        computeMinor(from.minor),
        maxThreadsPerBlock(from.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(from.maxThreadsPerMultiProcessor),
        regsPerBlock(from.regsPerBlock),
        regsPerMultiprocessor(from.regsPerMultiprocessor),
        warpSize(from.warpSize),
        sharedMemPerBlock(from.sharedMemPerBlock),
        sharedMemPerMultiprocessor(from.sharedMemPerMultiprocessor),
        numSms(from.multiProcessorCount),
        sharedMemPerBlockOptin(from.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(from.reservedSharedMemPerBlock),
        maxBlocksPerMultiprocessor(from.maxBlocksPerMultiProcessor) {}
#endif
} musaOccDeviceProp;

typedef struct musaOccFuncAttributes {
  int maxThreadsPerBlock; /* by the kernel's launch bounds */
  int numRegs;            /* of a thread; 0: registers limit nothing */
  size_t sharedSizeBytes; /* static */
  musaOccPartitionedGCConfig partitionedGCConfig;
  musaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes; /* with FUNC_SHMEM_LIMIT_OPTIN */
  int numBlockBarriers;             /* limits nothing */

#ifdef __cplusplus
  musaOccFuncAttributes()
      : maxThreadsPerBlock(0),
        numRegs(0),
        sharedSizeBytes(0),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
        maxDynamicSharedSizeBytes(0),
        numBlockBarriers(1) {}
  /* From musaFuncAttributes, or what has its fields. Its number of registers is what a thread may have at
   * most, not what it has: it limits nothing. */
  template <class Attributes>
  musaOccFuncAttributes(const Attributes& from) : musaOccFuncAttributes() {
    maxThreadsPerBlock = from.maxThreadsPerBlock;
    sharedSizeBytes = from.sharedSizeBytes;
    shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    maxDynamicSharedSizeBytes = static_cast<size_t>(from.maxDynamicSharedSizeBytes);
  }
#endif
} musaOccFuncAttributes;

typedef struct musaOccDeviceState {
  musaOccCacheConfig cacheConfig;
  int carveoutConfig;

#ifdef __cplusplus
  musaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} musaOccDeviceState;

/* INT_MAX: no such limit. */
typedef struct musaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors; /* of musaOccLimitingFactor */
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  musaOccPartitionedGCConfig partitionedGCConfig;
} musaOccResult;

static inline int musashimOccRounded(int number, int unit) { return (number + unit - 1) / unit * unit; }

static inline size_t musashimOccShared(const musaOccDeviceProp* device, const musaOccFuncAttributes* kernel) {
  return kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && device->sharedMemPerBlockOptin != 0
             ? device->sharedMemPerBlockOptin
             : device->sharedMemPerBlock;
}

static inline int musashimOccIsValid(const musaOccDeviceProp* device, const musaOccFuncAttributes* kernel,
                                     const musaOccDeviceState* state) {
  return device && kernel && state && device->maxThreadsPerBlock > 0 &&
         device->maxThreadsPerMultiprocessor > 0 && device->warpSize > 0 &&
         device->sharedMemPerMultiprocessor > 0 && kernel->maxThreadsPerBlock > 0;
}

static inline musaOccError musaOccMaxActiveBlocksPerMultiprocessor(musaOccResult* result,
                                                                   const musaOccDeviceProp* properties,
                                                                   const musaOccFuncAttributes* attributes,
                                                                   const musaOccDeviceState* state,
                                                                   int blockSize, size_t dynamicSmemSize) {
  if (!result || blockSize <= 0 || !musashimOccIsValid(properties, attributes, state))
    return MUSA_OCC_ERROR_INVALID_INPUT;
  const int threads = musashimOccRounded(blockSize, properties->warpSize);
  const size_t shared = attributes->sharedSizeBytes + dynamicSmemSize + properties->reservedSharedMemPerBlock;
  const int registers = attributes->numRegs > 0 ? attributes->numRegs * threads : 0;
  const int isTooLarge =
      blockSize > properties->maxThreadsPerBlock || blockSize > attributes->maxThreadsPerBlock;
  result->blockLimitWarps = isTooLarge ? 0 : properties->maxThreadsPerMultiprocessor / threads;
  result->blockLimitBlocks = properties->maxBlocksPerMultiprocessor > 0
                                 ? properties->maxBlocksPerMultiprocessor
                                 : properties->maxThreadsPerMultiprocessor / properties->warpSize;
  result->blockLimitBarriers = INT_MAX;
  result->blockLimitSharedMem = INT_MAX;
  if (attributes->sharedSizeBytes + dynamicSmemSize > musashimOccShared(properties, attributes)) {
    result->blockLimitSharedMem = 0;
  } else if (shared > 0) {
    result->blockLimitSharedMem = (int)(properties->sharedMemPerMultiprocessor / shared);
  }
  result->blockLimitRegs = INT_MAX;
  if (registers > 0 && properties->regsPerMultiprocessor > 0) {
    result->blockLimitRegs = properties->regsPerBlock > 0 && registers > properties->regsPerBlock
                                 ? 0
                                 : properties->regsPerMultiprocessor / registers;
  }
  result->allocatedRegistersPerBlock = registers;
  result->allocatedSharedMemPerBlock = shared;
  result->partitionedGCConfig = PARTITIONED_GC_OFF;
  int blocks = result->blockLimitWarps;
  if (result->blockLimitBlocks < blocks) blocks = result->blockLimitBlocks;
  if (result->blockLimitSharedMem < blocks) blocks = result->blockLimitSharedMem;
  if (result->blockLimitRegs < blocks) blocks = result->blockLimitRegs;
  result->activeBlocksPerMultiprocessor = blocks;
  result->limitingFactors = (result->blockLimitWarps == blocks ? OCC_LIMIT_WARPS : 0u) |
                            (result->blockLimitRegs == blocks ? OCC_LIMIT_REGISTERS : 0u) |
                            (result->blockLimitSharedMem == blocks ? OCC_LIMIT_SHARED_MEMORY : 0u) |
                            (result->blockLimitBlocks == blocks ? OCC_LIMIT_BLOCKS : 0u);
  return MUSA_OCC_SUCCESS;
}

/* The block size with the most resident threads; ties go to the largest. `blockSizeToDynamicSMemSize` may be
 * null: `dynamicSMemSize` is that of all sizes then. */
static inline musaOccError musaOccMaxPotentialOccupancyBlockSize(int* minGridSize, int* blockSize,
                                                                 const musaOccDeviceProp* properties,
                                                                 const musaOccFuncAttributes* attributes,
                                                                 const musaOccDeviceState* state,
                                                                 size_t (*blockSizeToDynamicSMemSize)(int),
                                                                 size_t dynamicSMemSize) {
  if (!minGridSize || !blockSize || !musashimOccIsValid(properties, attributes, state))
    return MUSA_OCC_ERROR_INVALID_INPUT;
  const int limit = attributes->maxThreadsPerBlock < properties->maxThreadsPerBlock
                        ? attributes->maxThreadsPerBlock
                        : properties->maxThreadsPerBlock;
  int best = 0;
  *minGridSize = *blockSize = 0;
  for (int aligned = musashimOccRounded(limit, properties->warpSize); aligned > 0;
       aligned -= properties->warpSize) {
    const int size = aligned < limit ? aligned : limit;
    const size_t shared = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    musaOccResult result;
    const musaOccError error =
        musaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, size, shared);
    if (error != MUSA_OCC_SUCCESS) return error;
    if (result.activeBlocksPerMultiprocessor * size <= best) continue;
    best = result.activeBlocksPerMultiprocessor * size;
    *blockSize = size;
    *minGridSize = result.activeBlocksPerMultiprocessor * properties->numSms;
  }
  return MUSA_OCC_SUCCESS;
}

/* The dynamic shared memory that each of so many blocks may have on one multiprocessor. */
static inline musaOccError musaOccAvailableDynamicSMemPerBlock(size_t* bytesAvailable,
                                                               const musaOccDeviceProp* properties,
                                                               const musaOccFuncAttributes* attributes,
                                                               const musaOccDeviceState* state, int numBlocks,
                                                               int blockSize) {
  musaOccResult result;
  if (!bytesAvailable || numBlocks <= 0) return MUSA_OCC_ERROR_INVALID_INPUT;
  const musaOccError error =
      musaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
  if (error != MUSA_OCC_SUCCESS) return error;
  if (numBlocks > result.activeBlocksPerMultiprocessor) return MUSA_OCC_ERROR_INVALID_INPUT;
  const size_t fixed = attributes->sharedSizeBytes + properties->reservedSharedMemPerBlock;
  const size_t each = properties->sharedMemPerMultiprocessor / (size_t)numBlocks;
  const size_t most = musashimOccShared(properties, attributes);
  const size_t free = each > fixed ? each - fixed : 0;
  const size_t allowed = most > attributes->sharedSizeBytes ? most - attributes->sharedSizeBytes : 0;
  *bytesAvailable = free < allowed ? free : allowed;
  return MUSA_OCC_SUCCESS;
}

#ifdef __cplusplus
template <class SharedOfSize>
musaOccError musaOccMaxPotentialOccupancyBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                               const musaOccDeviceProp* properties,
                                                               const musaOccFuncAttributes* attributes,
                                                               const musaOccDeviceState* state,
                                                               SharedOfSize sharedOf) {
  static thread_local SharedOfSize* asked;
  asked = &sharedOf;
  return musaOccMaxPotentialOccupancyBlockSize(
      minGridSize, blockSize, properties, attributes, state,
      [](int size) { return static_cast<size_t>((*asked)(size)); }, 0);
}
#endif

#endif
