/* What belongs to other APIs and to hardware that is not emulated: names for prototypes and arguments of
 * entries that answer "not supported" (part of musa.h). Numbers are CUDA 12's. */
#ifndef MUSASHIM_CRT_DRIVER_FOREIGN_TYPES_H
#define MUSASHIM_CRT_DRIVER_FOREIGN_TYPES_H

typedef struct MUexternalMemory_st* MUexternalMemory;
typedef struct MUexternalSemaphore_st* MUexternalSemaphore;
typedef struct MUgraphicsResource_st* MUgraphicsResource;
typedef struct MUgreenCtx_st* MUgreenCtx;
typedef struct MUdevResourceDesc_st* MUdevResourceDesc;
typedef struct MUasyncCallbackEntry_st* MUasyncCallbackHandle;

typedef enum MUgraphicsRegisterFlags_enum {
  MU_GRAPHICS_REGISTER_FLAGS_NONE = 0,
  MU_GRAPHICS_REGISTER_FLAGS_READ_ONLY = 1,
  MU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 2,
  MU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST = 4,
  MU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER = 8
} MUgraphicsRegisterFlags;
typedef enum MUgraphicsMapResourceFlags_enum {
  MU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE = 0,
  MU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
  MU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} MUgraphicsMapResourceFlags;

typedef enum MUexecAffinityType_enum {
  MU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
  MU_EXEC_AFFINITY_TYPE_MAX = 1
} MUexecAffinityType;

typedef enum MUdevResourceType_enum {
  MU_DEV_RESOURCE_TYPE_INVALID = 0,
  MU_DEV_RESOURCE_TYPE_SM = 1
} MUdevResourceType;

typedef struct MUmemFabricHandle_st {
  unsigned char data[64];
} MUmemFabricHandle;

typedef enum MUasyncNotificationType_enum {
  MU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET = 1
} MUasyncNotificationType;

typedef struct MUasyncNotificationInfo_st {
  MUasyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} MUasyncNotificationInfo;

typedef struct MUexecAffinitySmCount_st {
  unsigned int val;
} MUexecAffinitySmCount;

typedef struct MUexecAffinityParam_st {
  MUexecAffinityType type;
  union {
    MUexecAffinitySmCount smCount;
  } param;
} MUexecAffinityParam;

typedef struct MUtensorMap_st {
#if defined(__cplusplus) && __cplusplus >= 201103L
  alignas(64)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
  _Alignas(64)
#endif
      muuint64_t opaque[16];
} MUtensorMap;

typedef struct MUmulticastObjectProp_st {
  unsigned int numDevices;
  size_t size;
  unsigned long long handleTypes;
  unsigned long long flags;
} MUmulticastObjectProp;

typedef enum MUgreenCtxCreate_flags_enum { MU_GREEN_CTX_DEFAULT_STREAM = 1 } MUgreenCtxCreate_flags;

typedef struct MUdevSmResource_st {
  unsigned int smCount;
} MUdevSmResource;

typedef struct MUdevResource_st {
  MUdevResourceType type;
  unsigned char _internal_padding[92];
  union {
    MUdevSmResource sm;
    unsigned char _oversize[48];
  };
} MUdevResource;

/* A share of the multiprocessors, or of what graphics do: devices here have neither, so both must be empty.
 */
typedef struct MUctxCigParam_st {
  unsigned int sharedDataType;
  void* sharedData;
} MUctxCigParam;
typedef struct MUctxCreateParams_st {
  MUexecAffinityParam* execAffinityParams;
  int numExecAffinityParams;
  MUctxCigParam* cigParams;
} MUctxCreateParams;

typedef void(MUSA_CB* MUasyncCallback)(MUasyncNotificationInfo* info, void* userData,
                                       MUasyncCallbackHandle callback);

typedef enum MUcoredumpSettings_enum {
  MU_COREDUMP_ENABLE_ON_EXCEPTION = 1,
  MU_COREDUMP_TRIGGER_HOST,
  MU_COREDUMP_LIGHTWEIGHT,
  MU_COREDUMP_ENABLE_USER_TRIGGER,
  MU_COREDUMP_FILE,
  MU_COREDUMP_PIPE,
  MU_COREDUMP_GENERATION_FLAGS,
  MU_COREDUMP_MAX
} MUcoredumpSettings;

typedef enum MUmemRangeHandleType_enum {
  MU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 1,
  MU_MEM_RANGE_HANDLE_TYPE_MAX = 0x7fffffff
} MUmemRangeHandleType;

typedef enum MUmulticastGranularity_flags_enum {
  MU_MULTICAST_GRANULARITY_MINIMUM = 0,
  MU_MULTICAST_GRANULARITY_RECOMMENDED = 1
} MUmulticastGranularity_flags;

typedef enum MUtensorMapDataType_enum {
  MU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  MU_TENSOR_MAP_DATA_TYPE_UINT16,
  MU_TENSOR_MAP_DATA_TYPE_UINT32,
  MU_TENSOR_MAP_DATA_TYPE_INT32,
  MU_TENSOR_MAP_DATA_TYPE_UINT64,
  MU_TENSOR_MAP_DATA_TYPE_INT64,
  MU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  MU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  MU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  MU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  MU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  MU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  MU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} MUtensorMapDataType;
typedef enum MUtensorMapInterleave_enum {
  MU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  MU_TENSOR_MAP_INTERLEAVE_16B,
  MU_TENSOR_MAP_INTERLEAVE_32B
} MUtensorMapInterleave;
typedef enum MUtensorMapSwizzle_enum {
  MU_TENSOR_MAP_SWIZZLE_NONE = 0,
  MU_TENSOR_MAP_SWIZZLE_32B,
  MU_TENSOR_MAP_SWIZZLE_64B,
  MU_TENSOR_MAP_SWIZZLE_128B
} MUtensorMapSwizzle;
typedef enum MUtensorMapL2promotion_enum {
  MU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  MU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  MU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  MU_TENSOR_MAP_L2_PROMOTION_L2_256B
} MUtensorMapL2promotion;
typedef enum MUtensorMapFloatOOBfill_enum {
  MU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  MU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} MUtensorMapFloatOOBfill;

/* Of muDeviceGetProperties. */
typedef struct MUdevprop_st {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int sharedMemPerBlock;
  int totalConstantMemory;
  int SIMDWidth;
  int memPitch;
  int regsPerBlock;
  int clockRate;
  int textureAlign;
} MUdevprop;

/* Checkpoints of processes (CUDA 12.8). */
typedef enum MUprocessState_enum {
  MU_PROCESS_STATE_RUNNING = 0,
  MU_PROCESS_STATE_LOCKED,
  MU_PROCESS_STATE_CHECKPOINTED,
  MU_PROCESS_STATE_FAILED
} MUprocessState;
typedef struct MUcheckpointLockArgs_st {
  unsigned int timeoutMs;
  unsigned int reserved0;
  muuint64_t reserved1[7];
} MUcheckpointLockArgs;
typedef struct MUcheckpointCheckpointArgs_st {
  muuint64_t reserved[8];
} MUcheckpointCheckpointArgs;
typedef struct MUcheckpointGpuPair_st {
  MUuuid oldUuid;
  MUuuid newUuid;
} MUcheckpointGpuPair;
typedef struct MUcheckpointRestoreArgs_st {
  MUcheckpointGpuPair* gpuPairs;
  unsigned int gpuPairsCount;
  char reserved[52 - sizeof(MUcheckpointGpuPair*)];
  muuint64_t reserved1;
} MUcheckpointRestoreArgs;
typedef struct MUcheckpointUnlockArgs_st {
  muuint64_t reserved[8];
} MUcheckpointUnlockArgs;

/* The driver's log (CUDA 12.9). */
typedef enum MUlogLevel_enum { MU_LOG_LEVEL_ERROR = 0, MU_LOG_LEVEL_WARNING = 1 } MUlogLevel;
typedef struct MUlogsCallbackEntry_st* MUlogsCallbackHandle;
typedef void(MUSA_CB* MUlogsCallback)(void* data, MUlogLevel logLevel, char* message, size_t length);
typedef unsigned int MUlogIterator;

/* Decompression by the device (CUDA 12.6). */
typedef enum MUmemDecompressAlgorithm_enum {
  MU_MEM_DECOMPRESS_UNSUPPORTED = 0,
  MU_MEM_DECOMPRESS_ALGORITHM_DEFLATE = 1 << 0,
  MU_MEM_DECOMPRESS_ALGORITHM_SNAPPY = 1 << 1,
  MU_MEM_DECOMPRESS_ALGORITHM_LZ4 = 1 << 2
} MUmemDecompressAlgorithm;
typedef struct MUmemDecompressParams_st {
  size_t srcNumBytes;
  size_t dstNumBytes;
  muuint32_t* dstActBytes;
  const void* src;
  void* dst;
  MUmemDecompressAlgorithm algo;
  unsigned char padding[20];
} MUmemDecompressParams;
typedef enum MUtensorMapIm2ColWideMode_enum {
  MU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0,
  MU_TENSOR_MAP_IM2COL_WIDE_MODE_W128
} MUtensorMapIm2ColWideMode;

#endif /* MUSASHIM_CRT_DRIVER_FOREIGN_TYPES_H */
