/* The driver API (libmusa), for C and C++.
 *
 * Function names, types and numbers are the vendor's (SDK 3.1's musa.h, which shows CUDA 12's
 * numbers). Functions are declared from the records in shim/api/driver.yml.
 */
#ifndef MUSASHIM_MUSA_H
#define MUSASHIM_MUSA_H
#define __musa_musa_h__ /* what ported code asks for: __cuda_cuda_h__ with the words exchanged */

#include <stddef.h>
#include <stdint.h>

#include "musa_detail/driver_enums.h" /* MUresult, MUdevice_attribute */

#define MUSA_VERSION 40300 /* 10000 * major + 100 * minor + patch */

#define MUSAAPI
#define MUSA_CB

typedef uint32_t muuint32_t;
typedef uint64_t muuint64_t;

typedef int MUdevice;
typedef unsigned long long MUdeviceptr_v2;
typedef MUdeviceptr_v2 MUdeviceptr;
typedef struct MUctx_st* MUcontext;
typedef struct MUmod_st* MUmodule;
typedef struct MUfunc_st* MUfunction;
typedef struct MUarray_st* MUarray;
typedef struct MUstream_st* MUstream;
typedef struct MUevent_st* MUevent;
typedef struct MUgraph_st* MUgraph;
typedef struct MUgraphNode_st* MUgraphNode;
typedef struct MUgraphExec_st* MUgraphExec;
typedef struct MUmemPoolHandle_st* MUmemoryPool;

#ifndef MUSASHIM_UUID_DEFINED /* driver_types.h has it too */
#define MUSASHIM_UUID_DEFINED
struct MUuuid_st {
  char bytes[16];
};
typedef struct MUuuid_st MUuuid;
#endif

typedef struct MUipcEventHandle_st {
  char reserved[64];
} MUipcEventHandle;

typedef struct MUipcMemHandle_st {
  char reserved[64];
} MUipcMemHandle;

#define MU_STREAM_LEGACY ((MUstream)0x1)
#define MU_STREAM_PER_THREAD ((MUstream)0x2)

typedef enum MUctx_flags_enum {
  MU_CTX_SCHED_AUTO = 0x00,
  MU_CTX_SCHED_SPIN = 0x01,
  MU_CTX_SCHED_YIELD = 0x02,
  MU_CTX_SCHED_BLOCKING_SYNC = 0x04,
  MU_CTX_BLOCKING_SYNC = 0x04,
  MU_CTX_SCHED_MASK = 0x07,
  MU_CTX_MAP_HOST = 0x08,
  MU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
  MU_CTX_SYNC_MEMOPS = 0x80,
  MU_CTX_FLAGS_MASK = 0xff
} MUctx_flags;

typedef enum MUstream_flags_enum { MU_STREAM_DEFAULT = 0x0, MU_STREAM_NON_BLOCKING = 0x1 } MUstream_flags;

typedef enum MUevent_flags_enum {
  MU_EVENT_DEFAULT = 0x0,
  MU_EVENT_BLOCKING_SYNC = 0x1,
  MU_EVENT_DISABLE_TIMING = 0x2,
  MU_EVENT_INTERPROCESS = 0x4
} MUevent_flags;

typedef enum MUevent_record_flags_enum {
  MU_EVENT_RECORD_DEFAULT = 0x0,
  MU_EVENT_RECORD_EXTERNAL = 0x1
} MUevent_record_flags;

typedef enum MUevent_wait_flags_enum {
  MU_EVENT_WAIT_DEFAULT = 0x0,
  MU_EVENT_WAIT_EXTERNAL = 0x1
} MUevent_wait_flags;

typedef enum MUoccupancy_flags_enum {
  MU_OCCUPANCY_DEFAULT = 0x0,
  MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 0x1
} MUoccupancy_flags;

typedef enum MUmemAttach_flags_enum {
  MU_MEM_ATTACH_GLOBAL = 0x1,
  MU_MEM_ATTACH_HOST = 0x2,
  MU_MEM_ATTACH_SINGLE = 0x4
} MUmemAttach_flags;

#define MU_MEMHOSTALLOC_PORTABLE 0x01
#define MU_MEMHOSTALLOC_DEVICEMAP 0x02
#define MU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define MU_MEMHOSTREGISTER_PORTABLE 0x01
#define MU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define MU_MEMHOSTREGISTER_IOMEMORY 0x04
#define MU_MEMHOSTREGISTER_READ_ONLY 0x08
#define MU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS 0x01

#define MU_DEVICE_CPU ((MUdevice) - 1)
#define MU_DEVICE_INVALID ((MUdevice) - 2)

#define MU_LAUNCH_PARAM_END ((void*)0x00)
#define MU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define MU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)

typedef enum MUlimit_enum {
  MU_LIMIT_STACK_SIZE = 0x00,
  MU_LIMIT_PRINTF_FIFO_SIZE = 0x01,
  MU_LIMIT_MALLOC_HEAP_SIZE = 0x02,
  MU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 0x03,
  MU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 0x04,
  MU_LIMIT_MAX_L2_FETCH_GRANULARITY = 0x05,
  MU_LIMIT_PERSISTING_L2_CACHE_SIZE = 0x06,
  MU_LIMIT_MAX
} MUlimit;

typedef enum MUfunc_cache_enum {
  MU_FUNC_CACHE_PREFER_NONE = 0x00,
  MU_FUNC_CACHE_PREFER_SHARED = 0x01,
  MU_FUNC_CACHE_PREFER_L1 = 0x02,
  MU_FUNC_CACHE_PREFER_EQUAL = 0x03
} MUfunc_cache;

typedef enum MUsharedconfig_enum {
  MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0x00,
  MU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 0x01,
  MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 0x02
} MUsharedconfig;

typedef enum MUcomputemode_enum {
  MU_COMPUTEMODE_DEFAULT = 0,
  MU_COMPUTEMODE_PROHIBITED = 2,
  MU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} MUcomputemode;

typedef enum MUmemorytype_enum {
  MU_MEMORYTYPE_HOST = 0x01,
  MU_MEMORYTYPE_DEVICE = 0x02,
  MU_MEMORYTYPE_ARRAY = 0x03,
  MU_MEMORYTYPE_UNIFIED = 0x04
} MUmemorytype;

typedef enum MUpointer_attribute_enum {
  MU_POINTER_ATTRIBUTE_CONTEXT = 1,
  MU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  MU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  MU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  MU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
  MU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
  MU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
  MU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE = 10,
  MU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  MU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
  MU_POINTER_ATTRIBUTE_MAPPED = 13,
  MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
  MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
  MU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
  MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
} MUpointer_attribute;

typedef enum MUfunction_attribute_enum {
  MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  MU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  MU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  MU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  MU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
  MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
  MU_FUNC_ATTRIBUTE_MAX
} MUfunction_attribute;

typedef enum MUdevice_P2PAttribute_enum {
  MU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 0x01,
  MU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 0x02,
  MU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 0x03,
  MU_DEVICE_P2P_ATTRIBUTE_MUSA_ARRAY_ACCESS_SUPPORTED = 0x04
} MUdevice_P2PAttribute;

typedef enum MUmem_advise_enum {
  MU_MEM_ADVISE_SET_READ_MOSTLY = 1,
  MU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
  MU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
  MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  MU_MEM_ADVISE_SET_ACCESSED_BY = 5,
  MU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} MUmem_advise;

typedef enum MUmemPool_attribute_enum {
  MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
  MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
  MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
  MU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
  MU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
  MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
  MU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
  MU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
} MUmemPool_attribute;

typedef enum MUjit_option_enum {
  MU_JIT_MAX_REGISTERS = 0,
  MU_JIT_THREADS_PER_BLOCK = 1,
  MU_JIT_WALL_TIME = 2,
  MU_JIT_INFO_LOG_BUFFER = 3,
  MU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  MU_JIT_ERROR_LOG_BUFFER = 5,
  MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  MU_JIT_OPTIMIZATION_LEVEL = 7,
  MU_JIT_TARGET_FROM_MUCONTEXT = 8,
  MU_JIT_TARGET = 9,
  MU_JIT_FALLBACK_STRATEGY = 10,
  MU_JIT_GENERATE_DEBUG_INFO = 11,
  MU_JIT_LOG_VERBOSE = 12,
  MU_JIT_GENERATE_LINE_INFO = 13,
  MU_JIT_CACHE_MODE = 14,
  MU_JIT_GLOBAL_SYMBOL_NAMES = 17,
  MU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
  MU_JIT_GLOBAL_SYMBOL_COUNT = 19,
  MU_JIT_LTO = 20,
  MU_JIT_FTZ = 21,
  MU_JIT_PREC_DIV = 22,
  MU_JIT_PREC_SQRT = 23,
  MU_JIT_FMA = 24,
  MU_JIT_POSITION_INDEPENDENT_CODE = 30
} MUjit_option;

typedef enum MUstreamCaptureStatus_enum {
  MU_STREAM_CAPTURE_STATUS_NONE = 0,
  MU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  MU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} MUstreamCaptureStatus;

typedef enum MUstreamCaptureMode_enum {
  MU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  MU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  MU_STREAM_CAPTURE_MODE_RELAXED = 2
} MUstreamCaptureMode;

typedef enum MUdriverProcAddressQueryResult_enum {
  MU_GET_PROC_ADDRESS_SUCCESS = 0,
  MU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  MU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} MUdriverProcAddressQueryResult;
typedef enum MUdriverProcAddress_flags_enum {
  MU_GET_PROC_ADDRESS_DEFAULT = 0,
  MU_GET_PROC_ADDRESS_LEGACY_STREAM = 1 << 0,
  MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 1 << 1
} MUdriverProcAddress_flags;

typedef enum MUlaunchAttributeID_enum {
  MU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
  MU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
  MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
  MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  MU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
  MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
  MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10
} MUlaunchAttributeID;

typedef enum MUaccessProperty_enum {
  MU_ACCESS_PROPERTY_NORMAL = 0,
  MU_ACCESS_PROPERTY_STREAMING = 1,
  MU_ACCESS_PROPERTY_PERSISTING = 2
} MUaccessProperty;

typedef struct MUaccessPolicyWindow_st {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  MUaccessProperty hitProp;
  MUaccessProperty missProp;
} MUaccessPolicyWindow;

typedef union MUlaunchAttributeValue_union {
  char pad[64];
  MUaccessPolicyWindow accessPolicyWindow;
  int cooperative;
  int syncPolicy; /* MUsynchronizationPolicy */
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    MUevent event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  struct {
    unsigned char default_;
    unsigned char remote;
  } memSyncDomainMap;
  int memSyncDomain;
} MUlaunchAttributeValue;

typedef struct MUlaunchAttribute_st {
  MUlaunchAttributeID id;
  char pad[8 - sizeof(MUlaunchAttributeID)];
  MUlaunchAttributeValue value;
} MUlaunchAttribute;

typedef struct MUlaunchConfig_st {
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  MUstream hStream;
  MUlaunchAttribute* attrs;
  unsigned int numAttrs;
} MUlaunchConfig;

typedef struct MUSA_MEMCPY2D_st {
  size_t srcXInBytes, srcY;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} MUSA_MEMCPY2D;

typedef struct MUSA_MEMCPY3D_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} MUSA_MEMCPY3D;

typedef struct MUSA_MEMCPY3D_PEER_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  MUcontext srcContext;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  MUcontext dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} MUSA_MEMCPY3D_PEER;

typedef void(MUSA_CB* MUhostFn)(void* userData);
typedef void(MUSA_CB* MUstreamCallback)(MUstream hStream, MUresult status, void* userData);
typedef size_t(MUSA_CB* MUoccupancyB2DSize)(int blockSize);

/* ---- Where memory lies, and who may use it ---- */

typedef enum MUmemLocationType_enum {
  MU_MEM_LOCATION_TYPE_INVALID = 0,
  MU_MEM_LOCATION_TYPE_DEVICE = 1,
  MU_MEM_LOCATION_TYPE_HOST = 2,
  MU_MEM_LOCATION_TYPE_HOST_NUMA = 3,
  MU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4
} MUmemLocationType;

typedef enum MUmemAllocationType_enum {
  MU_MEM_ALLOCATION_TYPE_INVALID = 0,
  MU_MEM_ALLOCATION_TYPE_PINNED = 1
} MUmemAllocationType;

typedef enum MUmemAllocationHandleType_enum {
  MU_MEM_HANDLE_TYPE_NONE = 0,
  MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  MU_MEM_HANDLE_TYPE_WIN32 = 2,
  MU_MEM_HANDLE_TYPE_WIN32_KMT = 4
} MUmemAllocationHandleType;

typedef enum MUmemAccess_flags_enum {
  MU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  MU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  MU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} MUmemAccess_flags;

typedef struct MUmemLocation_st {
  MUmemLocationType type;
  int id;
} MUmemLocation;

typedef struct MUmemAccessDesc_st {
  MUmemLocation location;
  MUmemAccess_flags flags;
} MUmemAccessDesc;

typedef struct MUmemPoolProps_st {
  MUmemAllocationType allocType;
  MUmemAllocationHandleType handleTypes;
  MUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} MUmemPoolProps;

#include "crt/driver_batch_types.h"
#include "crt/driver_foreign_types.h"
#include "crt/driver_graph_types.h"
#include "crt/driver_image_types.h"
#include "crt/driver_reference_types.h"
#include "crt/driver_vmm_types.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/driver_functions.h"
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif /* MUSASHIM_MUSA_H */
