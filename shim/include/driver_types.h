/* Types of the runtime API, for C and C++.
 *
 * Names are the vendor's, numbers and layouts CUDA 12's (facts seen in the vendor's driver header
 * show the same numbers there). Error codes and device attributes come from the records in shim/api.
 */
#ifndef MUSASHIM_DRIVER_TYPES_H
#define MUSASHIM_DRIVER_TYPES_H
/* Sources ask by this name whether the header was included (the vendor's guard, as CUDA's). */
#define __DRIVER_TYPES_H__

#include <limits.h>
#include <stddef.h>

#include "device_types.h"
#include "musa_detail/runtime_enums.h" /* musaError_t, musaDeviceAttr */
#include "vector_types.h"              /* dim3 */

#define MUSART_CB

#define musaStreamDefault 0x00
#define musaStreamNonBlocking 0x01
#define musaStreamLegacy ((musaStream_t)0x1)
#define musaStreamPerThread ((musaStream_t)0x2)

#define musaEventDefault 0x00
#define musaEventBlockingSync 0x01
#define musaEventDisableTiming 0x02
#define musaEventInterprocess 0x04
#define musaEventRecordDefault 0x00
#define musaEventRecordExternal 0x01
#define musaEventWaitDefault 0x00
#define musaEventWaitExternal 0x01

#define musaIpcMemLazyEnablePeerAccess 0x01
#define MUSA_IPC_HANDLE_SIZE 64

/* Handles. The driver's own, so that both APIs can be mixed on them. */
typedef struct MUstream_st* musaStream_t;
typedef struct MUevent_st* musaEvent_t;
typedef struct MUfunc_st* musaFunction_t;
typedef struct MUmemPoolHandle_st* musaMemPool_t;
typedef struct MUgraph_st* musaGraph_t;
typedef struct MUgraphNode_st* musaGraphNode_t;
typedef struct MUgraphExec_st* musaGraphExec_t;
typedef struct MUuserObject_st* musaUserObject_t;
typedef struct musaArray* musaArray_t;
typedef const struct musaArray* musaArray_const_t;
typedef struct musaMipmappedArray* musaMipmappedArray_t;
typedef const struct musaMipmappedArray* musaMipmappedArray_const_t;
typedef struct musaGraphicsResource* musaGraphicsResource_t;
typedef unsigned long long musaTextureObject_t;
typedef unsigned long long musaSurfaceObject_t;

typedef void(MUSART_CB* musaStreamCallback_t)(musaStream_t stream, musaError_t status, void* userData);
typedef void(MUSART_CB* musaHostFn_t)(void* userData);

/* Stream capture. */
enum musaStreamCaptureStatus {
  musaStreamCaptureStatusNone = 0,
  musaStreamCaptureStatusActive = 1,
  musaStreamCaptureStatusInvalidated = 2
};

enum musaStreamCaptureMode {
  musaStreamCaptureModeGlobal = 0,
  musaStreamCaptureModeThreadLocal = 1,
  musaStreamCaptureModeRelaxed = 2
};

enum musaStreamUpdateCaptureDependenciesFlags {
  musaStreamAddCaptureDependencies = 0,
  musaStreamSetCaptureDependencies = 1
};

/* Handles for other processes. */
typedef struct musaIpcEventHandle_st {
  char reserved[MUSA_IPC_HANDLE_SIZE];
} musaIpcEventHandle_t;

typedef struct musaIpcMemHandle_st {
  char reserved[MUSA_IPC_HANDLE_SIZE];
} musaIpcMemHandle_t;

enum musaDriverEntryPointQueryResult {
  musaDriverEntryPointSuccess = 0,
  musaDriverEntryPointSymbolNotFound = 1,
  musaDriverEntryPointVersionNotSufficent = 2
};
enum musaGetDriverEntryPointFlags {
  musaEnableDefault = 0x0,
  musaEnableLegacyStream = 0x1,
  musaEnablePerThreadDefaultStream = 0x2
};

#include "crt/runtime_option_types.h"

/* Some of these are made of options. */
#include "crt/runtime_copy_types.h"
#include "crt/runtime_device_types.h"
#include "crt/runtime_image_types.h"
#include "crt/runtime_launch_types.h"
#include "crt/runtime_memory_types.h"

/* These are made of those above. */
#include "crt/runtime_batch_types.h"
#include "crt/runtime_external_types.h"
#include "crt/runtime_graph_types.h"

#endif /* MUSASHIM_DRIVER_TYPES_H */
