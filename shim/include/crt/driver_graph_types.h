/* Graphs, capture and memory operations of streams: the driver API's types (part of musa.h).
 *
 * Names as in the vendor's header, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_GRAPH_TYPES_H
#define MUSASHIM_CRT_DRIVER_GRAPH_TYPES_H

typedef struct MUuserObject_st* MUuserObject;
typedef struct MUlib_st* MUlibrary;
typedef struct MUkern_st* MUkernel;
typedef muuint64_t MUgraphConditionalHandle;

/* ---- Nodes ---- */

typedef enum MUgraphNodeType_enum {
  MU_GRAPH_NODE_TYPE_KERNEL = 0,
  MU_GRAPH_NODE_TYPE_MEMCPY = 1,
  MU_GRAPH_NODE_TYPE_MEMSET = 2,
  MU_GRAPH_NODE_TYPE_HOST = 3,
  MU_GRAPH_NODE_TYPE_GRAPH = 4,
  MU_GRAPH_NODE_TYPE_EMPTY = 5,
  MU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
  MU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
  MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
  MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
  MU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
  MU_GRAPH_NODE_TYPE_MEM_FREE = 11,
  MU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
  MU_GRAPH_NODE_TYPE_CONDITIONAL = 13
} MUgraphNodeType;

typedef struct MUSA_KERNEL_NODE_PARAMS_st {
  MUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes; /* dynamic, per block */
  void** kernelParams;         /* one pointer per parameter, or */
  void** extra;                /* MU_LAUNCH_PARAM_* */
  MUkernel kern;               /* of a library, if func is null */
  MUcontext ctx;               /* of kern; null: the current one */
} MUSA_KERNEL_NODE_PARAMS;

typedef struct MUSA_KERNEL_NODE_PARAMS_v3_st {
  MUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
  MUkernel kern;
  MUcontext ctx;
} MUSA_KERNEL_NODE_PARAMS_v3;

typedef struct MUSA_MEMCPY_NODE_PARAMS_st {
  int flags; /* 0 */
  int reserved;
  MUcontext copyCtx;
  MUSA_MEMCPY3D copyParams;
} MUSA_MEMCPY_NODE_PARAMS;

typedef struct MUSA_MEMSET_NODE_PARAMS_st {
  MUdeviceptr dst;
  size_t pitch; /* bytes; not used when height is 1 */
  unsigned int value;
  unsigned int elementSize; /* 1, 2 or 4 */
  size_t width;             /* elements */
  size_t height;
} MUSA_MEMSET_NODE_PARAMS;

typedef struct MUSA_MEMSET_NODE_PARAMS_v2_st {
  MUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
  MUcontext ctx;
} MUSA_MEMSET_NODE_PARAMS_v2;

typedef struct MUSA_HOST_NODE_PARAMS_st {
  MUhostFn fn;
  void* userData;
} MUSA_HOST_NODE_PARAMS;

typedef enum MUgraphChildGraphNodeOwnership_enum {
  MU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE = 0,
  MU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE = 1
} MUgraphChildGraphNodeOwnership;

typedef struct MUSA_CHILD_GRAPH_NODE_PARAMS_st {
  MUgraph graph;
  MUgraphChildGraphNodeOwnership ownership;
} MUSA_CHILD_GRAPH_NODE_PARAMS;

typedef struct MUSA_EVENT_RECORD_NODE_PARAMS_st {
  MUevent event;
} MUSA_EVENT_RECORD_NODE_PARAMS;

typedef struct MUSA_EVENT_WAIT_NODE_PARAMS_st {
  MUevent event;
} MUSA_EVENT_WAIT_NODE_PARAMS;

typedef struct MUSA_MEM_ALLOC_NODE_PARAMS_st {
  MUmemPoolProps poolProps; /* pinned memory of a device, no handle type */
  const MUmemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  MUdeviceptr dptr; /* out: the address in every launch */
} MUSA_MEM_ALLOC_NODE_PARAMS;

typedef struct MUSA_MEM_FREE_NODE_PARAMS_st {
  MUdeviceptr dptr;
} MUSA_MEM_FREE_NODE_PARAMS;

typedef enum MUgraphConditionalNodeType_enum {
  MU_GRAPH_COND_TYPE_IF = 0,    /* body 0 when the value is not 0, body 1 (if any) when it is */
  MU_GRAPH_COND_TYPE_WHILE = 1, /* body 0 again and again while the value is not 0 */
  MU_GRAPH_COND_TYPE_SWITCH = 2 /* the body whose number the value is, if there is one */
} MUgraphConditionalNodeType;

#define MU_GRAPH_COND_ASSIGN_DEFAULT 0x1

typedef struct MUSA_CONDITIONAL_NODE_PARAMS {
  MUgraphConditionalHandle handle;
  MUgraphConditionalNodeType type;
  unsigned int size;
  MUgraph* phGraph_out; /* out: `size` graphs to fill; the node's */
  MUcontext ctx;
} MUSA_CONDITIONAL_NODE_PARAMS;

/* ---- Memory operations of streams ---- */

typedef enum MUstreamWaitValue_flags_enum {
  MU_STREAM_WAIT_VALUE_GEQ = 0x0, /* (int32_t)(*addr - value) >= 0 */
  MU_STREAM_WAIT_VALUE_EQ = 0x1,
  MU_STREAM_WAIT_VALUE_AND = 0x2, /* (*addr & value) != 0 */
  MU_STREAM_WAIT_VALUE_NOR = 0x3, /* ~(*addr | value) != 0 */
  MU_STREAM_WAIT_VALUE_FLUSH = 1 << 30
} MUstreamWaitValue_flags;

typedef enum MUstreamWriteValue_flags_enum {
  MU_STREAM_WRITE_VALUE_DEFAULT = 0x0,
  MU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 0x1
} MUstreamWriteValue_flags;

typedef enum MUstreamBatchMemOpType_enum {
  MU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  MU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
  MU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
  MU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
  MU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
  MU_STREAM_MEM_OP_BARRIER = 6
} MUstreamBatchMemOpType;

typedef union MUstreamBatchMemOpParams_union {
  MUstreamBatchMemOpType operation;
  struct MUstreamMemOpWaitValueParams_st {
    MUstreamBatchMemOpType operation;
    MUdeviceptr address;
    union {
      muuint32_t value;
      muuint64_t value64;
    };
    unsigned int flags;
    MUdeviceptr alias;
  } waitValue;
  struct MUstreamMemOpWriteValueParams_st {
    MUstreamBatchMemOpType operation;
    MUdeviceptr address;
    union {
      muuint32_t value;
      muuint64_t value64;
    };
    unsigned int flags;
    MUdeviceptr alias;
  } writeValue;
  struct MUstreamMemOpFlushRemoteWritesParams_st {
    MUstreamBatchMemOpType operation;
    unsigned int flags;
  } flushRemoteWrites;
  struct MUstreamMemOpMemoryBarrierParams_st {
    MUstreamBatchMemOpType operation;
    unsigned int flags;
  } memoryBarrier;
  muuint64_t pad[6];
} MUstreamBatchMemOpParams;

typedef struct MUSA_BATCH_MEM_OP_NODE_PARAMS_st {
  MUcontext ctx;
  unsigned int count;
  MUstreamBatchMemOpParams* paramArray;
  unsigned int flags; /* 0 */
} MUSA_BATCH_MEM_OP_NODE_PARAMS;

/* ---- Any node ---- */

typedef struct MUgraphNodeParams_st {
  MUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    MUSA_KERNEL_NODE_PARAMS_v3 kernel;
    MUSA_MEMCPY_NODE_PARAMS memcpy;
    MUSA_MEMSET_NODE_PARAMS_v2 memset;
    MUSA_HOST_NODE_PARAMS host;
    MUSA_CHILD_GRAPH_NODE_PARAMS graph;
    MUSA_EVENT_WAIT_NODE_PARAMS eventWait;
    MUSA_EVENT_RECORD_NODE_PARAMS eventRecord;
    MUSA_MEM_ALLOC_NODE_PARAMS alloc;
    MUSA_MEM_FREE_NODE_PARAMS free;
    MUSA_BATCH_MEM_OP_NODE_PARAMS memOp;
    MUSA_CONDITIONAL_NODE_PARAMS conditional;
  };
  long long reserved2;
} MUgraphNodeParams;

typedef struct MUgraphEdgeData_st {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type; /* MUgraphDependencyType */
  unsigned char reserved[5];
} MUgraphEdgeData;

typedef enum MUgraphDependencyType_enum {
  MU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0,
  MU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1
} MUgraphDependencyType;

/* ---- Executable graphs ---- */

typedef enum MUgraphInstantiate_flags_enum {
  MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
  MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
  MUSA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
  MUSA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} MUgraphInstantiate_flags;

typedef enum MUgraphInstantiateResult_enum {
  MUSA_GRAPH_INSTANTIATE_SUCCESS = 0,
  MUSA_GRAPH_INSTANTIATE_ERROR = 1,
  MUSA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2,
  MUSA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3,
  MUSA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4,
  MUSA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5
} MUgraphInstantiateResult;

typedef struct MUSA_GRAPH_INSTANTIATE_PARAMS_st {
  muuint64_t flags;
  MUstream hUploadStream;
  MUgraphNode hErrNode_out;
  MUgraphInstantiateResult result_out;
} MUSA_GRAPH_INSTANTIATE_PARAMS;

typedef enum MUgraphExecUpdateResult_enum {
  MU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
  MU_GRAPH_EXEC_UPDATE_ERROR = 1,
  MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
  MU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
  MU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
  MU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
  MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6,
  MU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
  MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8
} MUgraphExecUpdateResult;

typedef struct MUgraphExecUpdateResultInfo_st {
  MUgraphExecUpdateResult result;
  MUgraphNode errorNode;
  MUgraphNode errorFromNode;
} MUgraphExecUpdateResultInfo;

typedef enum MUgraphDebugDot_flags_enum {
  MU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 1 << 0,
  MU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 1 << 1,
  MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS = 1 << 2,
  MU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS = 1 << 3,
  MU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS = 1 << 4,
  MU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS = 1 << 5,
  MU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS = 1 << 6,
  MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS = 1 << 7,
  MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS = 1 << 8,
  MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES = 1 << 9,
  MU_GRAPH_DEBUG_DOT_FLAGS_HANDLES = 1 << 10,
  MU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS = 1 << 11,
  MU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS = 1 << 12,
  MU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS = 1 << 13,
  MU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO = 1 << 14,
  MU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS = 1 << 15
} MUgraphDebugDot_flags;

typedef enum MUgraphMem_attribute_enum {
  MU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0, /* all in bytes, muuint64_t */
  MU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
  MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
  MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3
} MUgraphMem_attribute;

typedef enum MUuserObject_flags_enum { MU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1 } MUuserObject_flags;
typedef enum MUuserObjectRetain_flags_enum { MU_GRAPH_USER_OBJECT_MOVE = 1 } MUuserObjectRetain_flags;

typedef enum MUstreamUpdateCaptureDependencies_flags_enum {
  MU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0,
  MU_STREAM_SET_CAPTURE_DEPENDENCIES = 1
} MUstreamUpdateCaptureDependencies_flags;

/* ---- Attributes of streams and kernel nodes are those of launches ---- */

typedef enum MUsynchronizationPolicy_enum {
  MU_SYNC_POLICY_AUTO = 1,
  MU_SYNC_POLICY_SPIN = 2,
  MU_SYNC_POLICY_YIELD = 3,
  MU_SYNC_POLICY_BLOCKING_SYNC = 4
} MUsynchronizationPolicy;

typedef MUlaunchAttributeID MUstreamAttrID;
typedef MUlaunchAttributeValue MUstreamAttrValue;
typedef MUlaunchAttributeID MUkernelNodeAttrID;
typedef MUlaunchAttributeValue MUkernelNodeAttrValue;
#define MU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define MU_STREAM_ATTRIBUTE_PRIORITY MU_LAUNCH_ATTRIBUTE_PRIORITY
#define MU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define MU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define MU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE MU_LAUNCH_ATTRIBUTE_COOPERATIVE
#define MU_KERNEL_NODE_ATTRIBUTE_PRIORITY MU_LAUNCH_ATTRIBUTE_PRIORITY

/* ---- Launches on several devices, loading ---- */

typedef struct MUSA_LAUNCH_PARAMS_st {
  MUfunction function;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  MUstream hStream;
  void** kernelParams;
} MUSA_LAUNCH_PARAMS;

#define MUSA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC 0x01
#define MUSA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC 0x02

typedef enum MUmoduleLoadingMode_enum {
  MU_MODULE_EAGER_LOADING = 1,
  MU_MODULE_LAZY_LOADING = 2
} MUmoduleLoadingMode;

typedef enum MUfunctionLoadingState_enum {
  MU_FUNCTION_LOADING_STATE_UNLOADED = 0,
  MU_FUNCTION_LOADING_STATE_LOADED = 1,
  MU_FUNCTION_LOADING_STATE_MAX
} MUfunctionLoadingState;

typedef enum MUlibraryOption_enum {
  MU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
  MU_LIBRARY_BINARY_IS_PRESERVED = 1,
  MU_LIBRARY_NUM_OPTIONS
} MUlibraryOption;

#endif /* MUSASHIM_CRT_DRIVER_GRAPH_TYPES_H */
