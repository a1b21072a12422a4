/* Values of options, by CUDA 12.4's numbers, and what belongs to hardware that is not emulated (part of
 * musa_runtime_api.h). */
#ifndef MUSASHIM_CRT_RUNTIME_OPTION_TYPES_H
#define MUSASHIM_CRT_RUNTIME_OPTION_TYPES_H

enum musaClusterSchedulingPolicy {
  musaClusterSchedulingPolicyDefault = 0,
  musaClusterSchedulingPolicySpread = 1,
  musaClusterSchedulingPolicyLoadBalancing = 2
};

enum musaGraphicsCubeFace {
  musaGraphicsCubeFacePositiveX = 0,
  musaGraphicsCubeFaceNegativeX = 1,
  musaGraphicsCubeFacePositiveY = 2,
  musaGraphicsCubeFaceNegativeY = 3,
  musaGraphicsCubeFacePositiveZ = 4,
  musaGraphicsCubeFaceNegativeZ = 5
};

enum musaResourceViewFormat {
  musaResViewFormatNone = 0,
  musaResViewFormatUnsignedChar1 = 1,
  musaResViewFormatUnsignedChar2 = 2,
  musaResViewFormatUnsignedChar4 = 3,
  musaResViewFormatSignedChar1 = 4,
  musaResViewFormatSignedChar2 = 5,
  musaResViewFormatSignedChar4 = 6,
  musaResViewFormatUnsignedShort1 = 7,
  musaResViewFormatUnsignedShort2 = 8,
  musaResViewFormatUnsignedShort4 = 9,
  musaResViewFormatSignedShort1 = 10,
  musaResViewFormatSignedShort2 = 11,
  musaResViewFormatSignedShort4 = 12,
  musaResViewFormatUnsignedInt1 = 13,
  musaResViewFormatUnsignedInt2 = 14,
  musaResViewFormatUnsignedInt4 = 15,
  musaResViewFormatSignedInt1 = 16,
  musaResViewFormatSignedInt2 = 17,
  musaResViewFormatSignedInt4 = 18,
  musaResViewFormatHalf1 = 19,
  musaResViewFormatHalf2 = 20,
  musaResViewFormatHalf4 = 21,
  musaResViewFormatFloat1 = 22,
  musaResViewFormatFloat2 = 23,
  musaResViewFormatFloat4 = 24,
  musaResViewFormatUnsignedBlockCompressed1 = 25,
  musaResViewFormatUnsignedBlockCompressed2 = 26,
  musaResViewFormatUnsignedBlockCompressed3 = 27,
  musaResViewFormatUnsignedBlockCompressed4 = 28,
  musaResViewFormatSignedBlockCompressed4 = 29,
  musaResViewFormatUnsignedBlockCompressed5 = 30,
  musaResViewFormatSignedBlockCompressed5 = 31,
  musaResViewFormatUnsignedBlockCompressed6H = 32,
  musaResViewFormatSignedBlockCompressed6H = 33,
  musaResViewFormatUnsignedBlockCompressed7 = 34
};

enum musaFlushGPUDirectRDMAWritesOptions {
  musaFlushGPUDirectRDMAWritesOptionHost = 1,
  musaFlushGPUDirectRDMAWritesOptionMemOps = 2
};

enum musaGPUDirectRDMAWritesOrdering {
  musaGPUDirectRDMAWritesOrderingNone = 0,
  musaGPUDirectRDMAWritesOrderingOwner = 100,
  musaGPUDirectRDMAWritesOrderingAllDevices = 200
};

typedef struct musaMemFabricHandle_st {
  char reserved[64];
} musaMemFabricHandle_t;

enum musaCGScope { musaCGScopeInvalid = 0, musaCGScopeGrid = 1, musaCGScopeMultiGrid = 2 };

typedef struct MUgraphDeviceUpdatableNode_st* musaGraphDeviceNode_t;

enum musaGraphKernelNodeField {
  musaGraphKernelNodeFieldInvalid = 0,
  musaGraphKernelNodeFieldGridDim = 1,
  musaGraphKernelNodeFieldParam = 2,
  musaGraphKernelNodeFieldEnabled = 3
};

struct musaGraphKernelNodeUpdate {
  musaGraphDeviceNode_t node;
  enum musaGraphKernelNodeField field;
  union {
    dim3 gridDim;
    struct {
      const void* pValue;
      size_t offset;
      size_t size;
    } param;
    unsigned int isEnabled;
  } updateData;
};

typedef enum musaLaunchMemSyncDomain {
  musaLaunchMemSyncDomainDefault = 0,
  musaLaunchMemSyncDomainRemote = 1
} musaLaunchMemSyncDomain;

typedef struct musaLaunchMemSyncDomainMap_st {
  unsigned char default_;
  unsigned char remote;
} musaLaunchMemSyncDomainMap;

enum musaDeviceNumaConfig { musaDeviceNumaConfigNone = 0, musaDeviceNumaConfigNumaNode = 1 };

typedef enum musaAsyncNotificationType_enum {
  musaAsyncNotificationTypeOverBudget = 1
} musaAsyncNotificationType;

typedef struct musaAsyncNotificationInfo {
  musaAsyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} musaAsyncNotificationInfo_t;

#endif /* MUSASHIM_CRT_RUNTIME_OPTION_TYPES_H */
