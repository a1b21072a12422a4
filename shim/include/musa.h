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

#define MUSA_VERSION 50200 /* 10000 * major + 100 * minor + patch */

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

#ifndef MUSASHIM_UUID_DEFINED /* crt/runtime_device_types.h has it too */
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

typedef enum MUstream_flags_enum { MU_STREAM_DEFAULT = 0x0, MU_STREAM_NON_BLOCKING = 0x1 } MUstream_flags;

typedef enum MUipcMem_flags_enum { MU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1 } MUipcMem_flags;

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
  MU_JIT_NEW_SM3X_OPT = 15,
  MU_JIT_FAST_COMPILE = 16,
  MU_JIT_GLOBAL_SYMBOL_NAMES = 17,
  MU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
  MU_JIT_GLOBAL_SYMBOL_COUNT = 19,
  MU_JIT_LTO = 20,
  MU_JIT_FTZ = 21,
  MU_JIT_PREC_DIV = 22,
  MU_JIT_PREC_SQRT = 23,
  MU_JIT_FMA = 24,
  MU_JIT_REFERENCED_KERNEL_NAMES = 25,
  MU_JIT_REFERENCED_KERNEL_COUNT = 26,
  MU_JIT_REFERENCED_VARIABLE_NAMES = 27,
  MU_JIT_REFERENCED_VARIABLE_COUNT = 28,
  MU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
  MU_JIT_POSITION_INDEPENDENT_CODE = 30,
  MU_JIT_MIN_CTA_PER_SM = 31,
  MU_JIT_MAX_THREADS_PER_BLOCK = 32,
  MU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
  MU_JIT_NUM_OPTIONS = 34
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

typedef void(MUSA_CB* MUhostFn)(void* userData);
typedef void(MUSA_CB* MUstreamCallback)(MUstream hStream, MUresult status, void* userData);
typedef size_t(MUSA_CB* MUoccupancyB2DSize)(int blockSize);

#include "crt/driver_option_types.h"

/* Some of these are made of options. */
#include "crt/driver_device_types.h"
#include "crt/driver_launch_types.h"
#include "crt/driver_memory_types.h"

/* These are made of those above. */
#include "crt/driver_batch_types.h"
#include "crt/driver_copy_types.h"
#include "crt/driver_foreign_types.h"
#include "crt/driver_graph_types.h"
#include "crt/driver_image_types.h"
#include "crt/driver_reference_types.h"
#include "crt/driver_tensor_types.h"
#include "crt/driver_vmm_types.h"

/* And these of all. */
#include "crt/driver_external_types.h"
#include "crt/driver_versioned_types.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/driver_functions.h"
#ifdef MUSASHIM_CUDA_SOURCE
#include "musa_detail/cuda_driver_functions.h"
#endif
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
/* With MUSA_NO_DRIVER_OVERLOADS each name is one function, whose address can be taken without saying which.
 */
#if defined(__cplusplus) && !defined(MUSA_NO_DRIVER_OVERLOADS)
#include "crt/driver_overloads.h"
#endif

#ifdef MUSASHIM_CUDA_SOURCE
#include "musa_detail/cuda_kept_names.h"
#endif

#endif /* MUSASHIM_MUSA_H */
