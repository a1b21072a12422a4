/* Kernels, their attributes and their launches: the runtime API's types (part of driver_types.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_RUNTIME_LAUNCH_TYPES_H
#define MUSASHIM_CRT_RUNTIME_LAUNCH_TYPES_H

#define musaOccupancyDefault 0x00
#define musaOccupancyDisableCachingOverride 0x01

#define musaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define musaCooperativeLaunchMultiDeviceNoPostSync 0x02

struct musaFuncAttributes {
  size_t sharedSizeBytes;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
};

enum musaFuncAttribute {
  musaFuncAttributeMaxDynamicSharedMemorySize = 8,
  musaFuncAttributePreferredSharedMemoryCarveout = 9,
  musaFuncAttributeClusterDimMustBeSet = 10,
  musaFuncAttributeRequiredClusterWidth = 11,
  musaFuncAttributeRequiredClusterHeight = 12,
  musaFuncAttributeRequiredClusterDepth = 13,
  musaFuncAttributeNonPortableClusterSizeAllowed = 14,
  musaFuncAttributeClusterSchedulingPolicyPreference = 15,
  musaFuncAttributeMax
};

enum musaFuncCache {
  musaFuncCachePreferNone = 0,
  musaFuncCachePreferShared = 1,
  musaFuncCachePreferL1 = 2,
  musaFuncCachePreferEqual = 3
};

enum musaSharedMemConfig {
  musaSharedMemBankSizeDefault = 0,
  musaSharedMemBankSizeFourByte = 1,
  musaSharedMemBankSizeEightByte = 2
};

enum musaSharedCarveout {
  musaSharedmemCarveoutDefault = -1,
  musaSharedmemCarveoutMaxShared = 100,
  musaSharedmemCarveoutMaxL1 = 0
};

/* Launches with attributes. */
typedef enum musaLaunchAttributeID {
  musaLaunchAttributeIgnore = 0,
  musaLaunchAttributeAccessPolicyWindow = 1,
  musaLaunchAttributeCooperative = 2,
  musaLaunchAttributeSynchronizationPolicy = 3,
  musaLaunchAttributeClusterDimension = 4,
  musaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  musaLaunchAttributeProgrammaticStreamSerialization = 6,
  musaLaunchAttributeProgrammaticEvent = 7,
  musaLaunchAttributePriority = 8,
  musaLaunchAttributeMemSyncDomainMap = 9,
  musaLaunchAttributeMemSyncDomain = 10,
  musaLaunchAttributeLaunchCompletionEvent = 12,
  musaLaunchAttributeDeviceUpdatableKernelNode = 13
} musaLaunchAttributeID;

enum musaAccessProperty {
  musaAccessPropertyNormal = 0,
  musaAccessPropertyStreaming = 1,
  musaAccessPropertyPersisting = 2
};

struct musaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum musaAccessProperty hitProp;
  enum musaAccessProperty missProp;
};

typedef union musaLaunchAttributeValue {
  char pad[64];
  struct musaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  int syncPolicy; /* musaSynchronizationPolicy */
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    musaEvent_t event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  musaLaunchMemSyncDomainMap memSyncDomainMap;
  int memSyncDomain;
  struct {
    musaEvent_t event;
    int flags;
  } launchCompletionEvent;
  struct {
    int deviceUpdatable;
    musaGraphDeviceNode_t devNode;
  } deviceUpdatableKernelNode;
} musaLaunchAttributeValue;

typedef struct musaLaunchAttribute_st {
  musaLaunchAttributeID id;
  char pad[8 - sizeof(musaLaunchAttributeID)];
  musaLaunchAttributeValue val;
} musaLaunchAttribute;

typedef struct musaLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  musaStream_t stream;
  musaLaunchAttribute* attrs;
  unsigned int numAttrs;
} musaLaunchConfig_t;

struct musaLaunchParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  size_t sharedMem;
  musaStream_t stream;
};

#define musaStreamAttrID musaLaunchAttributeID
#define musaStreamAttrValue musaLaunchAttributeValue
#define musaStreamAttributeAccessPolicyWindow musaLaunchAttributeAccessPolicyWindow
#define musaStreamAttributeSynchronizationPolicy musaLaunchAttributeSynchronizationPolicy
#define musaStreamAttributePriority musaLaunchAttributePriority
#define musaKernelNodeAttrID musaLaunchAttributeID
#define musaKernelNodeAttrValue musaLaunchAttributeValue

#endif /* MUSASHIM_CRT_RUNTIME_LAUNCH_TYPES_H */
