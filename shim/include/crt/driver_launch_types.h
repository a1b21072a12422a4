/* Kernels, their attributes and their launches: the driver API's types (part of musa.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_LAUNCH_TYPES_H
#define MUSASHIM_CRT_DRIVER_LAUNCH_TYPES_H

typedef enum MUoccupancy_flags_enum {
  MU_OCCUPANCY_DEFAULT = 0x0,
  MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 0x1
} MUoccupancy_flags;

#define MU_LAUNCH_PARAM_END ((void*)0x00)
#define MU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define MU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)

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
  MU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
  MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
  MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
  MU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
  MU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
  MU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
  MU_FUNC_ATTRIBUTE_MAX
} MUfunction_attribute;

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
  MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
  MU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,
  MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13
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
  MUlaunchMemSyncDomainMap memSyncDomainMap;
  int memSyncDomain;
  struct {
    MUevent event;
    int flags;
  } launchCompletionEvent;
  struct {
    int deviceUpdatable;
    MUgraphDeviceNode devNode;
  } deviceUpdatableKernelNode;
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

#endif /* MUSASHIM_CRT_DRIVER_LAUNCH_TYPES_H */
