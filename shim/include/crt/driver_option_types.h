/* Values of options and of what is asked for, by CUDA 12.4's numbers (part of musa.h). */
#ifndef MUSASHIM_CRT_DRIVER_OPTION_TYPES_H
#define MUSASHIM_CRT_DRIVER_OPTION_TYPES_H

typedef struct MUgraphDeviceUpdatableNode_st* MUgraphDeviceNode;

typedef enum MUevent_sched_flags_enum {
  MU_EVENT_SCHED_AUTO = 0,
  MU_EVENT_SCHED_SPIN = 1,
  MU_EVENT_SCHED_YIELD = 2,
  MU_EVENT_SCHED_BLOCKING_SYNC = 4
} MUevent_sched_flags;

typedef enum MUstreamMemoryBarrier_flags_enum {
  MU_STREAM_MEMORY_BARRIER_TYPE_SYS = 0,
  MU_STREAM_MEMORY_BARRIER_TYPE_GPU = 1
} MUstreamMemoryBarrier_flags;

typedef enum MUshared_carveout_enum {
  MU_SHAREDMEM_CARVEOUT_DEFAULT = -1,
  MU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  MU_SHAREDMEM_CARVEOUT_MAX_L1 = 0
} MUshared_carveout;

typedef enum MUjit_target_enum {
  MU_TARGET_COMPUTE_30 = 30,
  MU_TARGET_COMPUTE_32 = 32,
  MU_TARGET_COMPUTE_35 = 35,
  MU_TARGET_COMPUTE_37 = 37,
  MU_TARGET_COMPUTE_50 = 50,
  MU_TARGET_COMPUTE_52 = 52,
  MU_TARGET_COMPUTE_53 = 53,
  MU_TARGET_COMPUTE_60 = 60,
  MU_TARGET_COMPUTE_61 = 61,
  MU_TARGET_COMPUTE_62 = 62,
  MU_TARGET_COMPUTE_70 = 70,
  MU_TARGET_COMPUTE_72 = 72,
  MU_TARGET_COMPUTE_75 = 75,
  MU_TARGET_COMPUTE_80 = 80,
  MU_TARGET_COMPUTE_86 = 86,
  MU_TARGET_COMPUTE_87 = 87,
  MU_TARGET_COMPUTE_89 = 89,
  MU_TARGET_COMPUTE_90 = 90,
  MU_TARGET_COMPUTE_90A = 65626
} MUjit_target;

typedef enum MUjit_fallback_enum { MU_PREFER_PTX = 0, MU_PREFER_BINARY = 1 } MUjit_fallback;

typedef enum MUjit_cacheMode_enum {
  MU_JIT_CACHE_OPTION_NONE = 0,
  MU_JIT_CACHE_OPTION_CG = 1,
  MU_JIT_CACHE_OPTION_CA = 2
} MUjit_cacheMode;

typedef enum MUarray_cubemap_face_enum {
  MU_CUBEMAP_FACE_POSITIVE_X = 0,
  MU_CUBEMAP_FACE_NEGATIVE_X = 1,
  MU_CUBEMAP_FACE_POSITIVE_Y = 2,
  MU_CUBEMAP_FACE_NEGATIVE_Y = 3,
  MU_CUBEMAP_FACE_POSITIVE_Z = 4,
  MU_CUBEMAP_FACE_NEGATIVE_Z = 5
} MUarray_cubemap_face;

typedef enum MUclusterSchedulingPolicy_enum {
  MU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
  MU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
  MU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2
} MUclusterSchedulingPolicy;

typedef enum MUlaunchMemSyncDomain_enum {
  MU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0,
  MU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1
} MUlaunchMemSyncDomain;

typedef struct MUlaunchMemSyncDomainMap_st {
  unsigned char default_;
  unsigned char remote;
} MUlaunchMemSyncDomainMap;

typedef struct MUlibraryHostUniversalFunctionAndDataTable_st {
  void* functionTable;
  size_t functionWindowSize;
  void* dataTable;
  size_t dataWindowSize;
} MUlibraryHostUniversalFunctionAndDataTable;

typedef struct MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
  unsigned long long p2pToken;
  unsigned int vaSpaceToken;
} MUSA_POINTER_ATTRIBUTE_P2P_TOKENS;

typedef enum MUSA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {
  MU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0,
  MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 1,
  MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 3
} MUSA_POINTER_ATTRIBUTE_ACCESS_FLAGS;

typedef enum MUflushGPUDirectRDMAWritesOptions_enum {
  MU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST = 1,
  MU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS = 2
} MUflushGPUDirectRDMAWritesOptions;

typedef enum MUGPUDirectRDMAWritesOrdering_enum {
  MU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE = 0,
  MU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER = 100,
  MU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES = 200
} MUGPUDirectRDMAWritesOrdering;

typedef enum MUdeviceNumaConfig_enum {
  MU_DEVICE_NUMA_CONFIG_NONE = 0,
  MU_DEVICE_NUMA_CONFIG_NUMA_NODE = 1
} MUdeviceNumaConfig;

#endif /* MUSASHIM_CRT_DRIVER_OPTION_TYPES_H */
