/* Graphs: the runtime API's types (part of driver_types.h). Numbers and layouts are CUDA 12's. */
#ifndef MUSASHIM_CRT_RUNTIME_GRAPH_TYPES_H
#define MUSASHIM_CRT_RUNTIME_GRAPH_TYPES_H

typedef struct MUlib_st* musaLibrary_t;
typedef struct MUkern_st* musaKernel_t;
typedef unsigned long long musaGraphConditionalHandle;

enum musaLibraryOption { musaLibraryHostUniversalFunctionAndDataTable = 0, musaLibraryBinaryIsPreserved = 1 };

enum musaJitOption {
  musaJitMaxRegisters = 0,
  musaJitThreadsPerBlock = 1,
  musaJitWallTime = 2,
  musaJitInfoLogBuffer = 3,
  musaJitInfoLogBufferSizeBytes = 4,
  musaJitErrorLogBuffer = 5,
  musaJitErrorLogBufferSizeBytes = 6,
  musaJitOptimizationLevel = 7
};

typedef struct musaAsyncCallbackEntry* musaAsyncCallbackHandle_t;
typedef void(MUSART_CB* musaAsyncCallback)(musaAsyncNotificationInfo_t*, void*, musaAsyncCallbackHandle_t);

enum musaGraphNodeType {
  musaGraphNodeTypeKernel = 0,
  musaGraphNodeTypeMemcpy = 1,
  musaGraphNodeTypeMemset = 2,
  musaGraphNodeTypeHost = 3,
  musaGraphNodeTypeGraph = 4,
  musaGraphNodeTypeEmpty = 5,
  musaGraphNodeTypeWaitEvent = 6,
  musaGraphNodeTypeEventRecord = 7,
  musaGraphNodeTypeExtSemaphoreSignal = 8,
  musaGraphNodeTypeExtSemaphoreWait = 9,
  musaGraphNodeTypeMemAlloc = 10,
  musaGraphNodeTypeMemFree = 11,
  musaGraphNodeTypeConditional = 13,
  musaGraphNodeTypeCount
};

struct musaKernelNodeParams {
  void* func; /* the kernel's host symbol */
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
};

struct musaKernelNodeParamsV2 {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
};

struct musaMemcpyNodeParams {
  int flags; /* 0 */
  int reserved[3];
  struct musaMemcpy3DParms copyParams;
};

struct musaMemsetParamsV2 {
  void* dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
};

struct musaHostNodeParams {
  musaHostFn_t fn;
  void* userData;
};

struct musaHostNodeParamsV2 {
  musaHostFn_t fn;
  void* userData;
};

enum musaGraphChildGraphNodeOwnership {
  musaGraphChildGraphOwnershipClone = 0,
  musaGraphChildGraphOwnershipMove = 1
};

struct musaChildGraphNodeParams {
  musaGraph_t graph;
  enum musaGraphChildGraphNodeOwnership ownership;
};

struct musaEventRecordNodeParams {
  musaEvent_t event;
};

struct musaEventWaitNodeParams {
  musaEvent_t event;
};

struct musaMemAllocNodeParams {
  struct musaMemPoolProps poolProps;
  const struct musaMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr; /* out: the address in every launch */
};

struct musaMemAllocNodeParamsV2 {
  struct musaMemPoolProps poolProps;
  const struct musaMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;
};

struct musaMemFreeNodeParams {
  void* dptr;
};

enum musaGraphConditionalHandleFlags { musaGraphCondAssignDefault = 1 };

enum musaGraphConditionalNodeType {
  musaGraphCondTypeIf = 0,
  musaGraphCondTypeWhile = 1,
  musaGraphCondTypeSwitch = 2
};

struct musaConditionalNodeParams {
  musaGraphConditionalHandle handle;
  enum musaGraphConditionalNodeType type;
  unsigned int size;
  musaGraph_t* phGraph_out; /* out: `size` graphs to fill */
};

struct musaGraphNodeParams {
  enum musaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct musaKernelNodeParamsV2 kernel;
    struct musaMemcpyNodeParams memcpy;
    struct musaMemsetParamsV2 memset;
    struct musaHostNodeParamsV2 host;
    struct musaChildGraphNodeParams graph;
    struct musaEventWaitNodeParams eventWait;
    struct musaEventRecordNodeParams eventRecord;
    struct musaMemAllocNodeParamsV2 alloc;
    struct musaMemFreeNodeParams free;
    struct musaConditionalNodeParams conditional;
  };
  long long reserved2;
};

typedef enum musaGraphDependencyType_enum {
  musaGraphDependencyTypeDefault = 0,
  musaGraphDependencyTypeProgrammatic = 1
} musaGraphDependencyType;

typedef struct musaGraphEdgeData_st {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type; /* musaGraphDependencyType */
  unsigned char reserved[5];
} musaGraphEdgeData;

#define musaGraphKernelNodePortDefault 0
#define musaGraphKernelNodePortProgrammatic 1
#define musaGraphKernelNodePortLaunchCompletion 2

enum musaGraphExecUpdateResult {
  musaGraphExecUpdateSuccess = 0,
  musaGraphExecUpdateError = 1,
  musaGraphExecUpdateErrorTopologyChanged = 2,
  musaGraphExecUpdateErrorNodeTypeChanged = 3,
  musaGraphExecUpdateErrorFunctionChanged = 4,
  musaGraphExecUpdateErrorParametersChanged = 5,
  musaGraphExecUpdateErrorNotSupported = 6,
  musaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
  musaGraphExecUpdateErrorAttributesChanged = 8
};

typedef struct musaGraphExecUpdateResultInfo_st {
  enum musaGraphExecUpdateResult result;
  musaGraphNode_t errorNode;
  musaGraphNode_t errorFromNode;
} musaGraphExecUpdateResultInfo;

enum musaGraphInstantiateFlags {
  musaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  musaGraphInstantiateFlagUpload = 2,
  musaGraphInstantiateFlagDeviceLaunch = 4,
  musaGraphInstantiateFlagUseNodePriority = 8
};

typedef enum musaGraphInstantiateResult {
  musaGraphInstantiateSuccess = 0,
  musaGraphInstantiateError = 1,
  musaGraphInstantiateInvalidStructure = 2,
  musaGraphInstantiateNodeOperationNotSupported = 3,
  musaGraphInstantiateMultipleDevicesNotSupported = 4,
  musaGraphInstantiateConditionalHandleUnused = 5
} musaGraphInstantiateResult;

typedef struct musaGraphInstantiateParams_st {
  unsigned long long flags;
  musaStream_t uploadStream;
  musaGraphNode_t errNode_out;
  musaGraphInstantiateResult result_out;
} musaGraphInstantiateParams;

enum musaGraphDebugDotFlags {
  musaGraphDebugDotFlagsVerbose = 1 << 0,
  musaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  musaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  musaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  musaGraphDebugDotFlagsHostNodeParams = 1 << 5,
  musaGraphDebugDotFlagsEventNodeParams = 1 << 6,
  musaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  musaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  musaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  musaGraphDebugDotFlagsHandles = 1 << 10,
  musaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
};

enum musaGraphMemAttributeType {
  musaGraphMemAttrUsedMemCurrent = 0, /* all in bytes, 64 bits */
  musaGraphMemAttrUsedMemHigh = 1,
  musaGraphMemAttrReservedMemCurrent = 2,
  musaGraphMemAttrReservedMemHigh = 3
};

enum musaUserObjectFlags { musaUserObjectNoDestructorSync = 1 };
enum musaUserObjectRetainFlags { musaGraphUserObjectMove = 1 };

enum musaSynchronizationPolicy {
  musaSyncPolicyAuto = 1,
  musaSyncPolicySpin = 2,
  musaSyncPolicyYield = 3,
  musaSyncPolicyBlockingSync = 4
};

#define musaStreamAttributeMemSyncDomainMap musaLaunchAttributeMemSyncDomainMap
#define musaStreamAttributeMemSyncDomain musaLaunchAttributeMemSyncDomain
#define musaKernelNodeAttributeAccessPolicyWindow musaLaunchAttributeAccessPolicyWindow
#define musaKernelNodeAttributeCooperative musaLaunchAttributeCooperative
#define musaKernelNodeAttributePriority musaLaunchAttributePriority

#endif /* MUSASHIM_CRT_RUNTIME_GRAPH_TYPES_H */
