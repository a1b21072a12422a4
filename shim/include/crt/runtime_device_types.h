/* Devices, their properties and limits: the runtime API's types (part of driver_types.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_RUNTIME_DEVICE_TYPES_H
#define MUSASHIM_CRT_RUNTIME_DEVICE_TYPES_H

#define musaDeviceScheduleAuto 0x00
#define musaDeviceScheduleSpin 0x01
#define musaDeviceScheduleYield 0x02
#define musaDeviceScheduleBlockingSync 0x04
#define musaDeviceBlockingSync 0x04
#define musaDeviceScheduleMask 0x07
#define musaDeviceMapHost 0x08
#define musaDeviceLmemResizeToMax 0x10
#define musaDeviceSyncMemops 0x80
#define musaDeviceMask 0xff
#define musaInitDeviceFlagsAreValid 0x01

#define musaPeerAccessDefault 0x00

#define musaCpuDeviceId ((int)-1)
#define musaInvalidDeviceId ((int)-2)

enum musaComputeMode {
  musaComputeModeDefault = 0,
  musaComputeModeExclusive = 1,
  musaComputeModeProhibited = 2,
  musaComputeModeExclusiveProcess = 3
};

enum musaLimit {
  musaLimitStackSize = 0x00,
  musaLimitPrintfFifoSize = 0x01,
  musaLimitMallocHeapSize = 0x02,
  musaLimitDevRuntimeSyncDepth = 0x03,
  musaLimitDevRuntimePendingLaunchCount = 0x04,
  musaLimitMaxL2FetchGranularity = 0x05,
  musaLimitPersistingL2CacheSize = 0x06
};

enum musaDeviceP2PAttr {
  musaDevP2PAttrPerformanceRank = 1,
  musaDevP2PAttrAccessSupported = 2,
  musaDevP2PAttrNativeAtomicSupported = 3,
  musaDevP2PAttrMusaArrayAccessSupported = 4
};

enum musaFlushGPUDirectRDMAWritesTarget { musaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0 };
enum musaFlushGPUDirectRDMAWritesScope {
  musaFlushGPUDirectRDMAWritesToOwner = 100,
  musaFlushGPUDirectRDMAWritesToAllDevices = 200
};

#ifndef MUSASHIM_UUID_DEFINED /* musa.h has it too */
#define MUSASHIM_UUID_DEFINED
struct MUuuid_st {
  char bytes[16];
};
typedef struct MUuuid_st MUuuid;
#endif
typedef struct MUuuid_st musaUUID_t;

/* CUDA 12's field set and order. */
struct musaDeviceProp {
  char name[256];
  musaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate; /* kHz */
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate; /* kHz */
  int memoryBusWidth;  /* bits */
  int l2CacheSize;     /* bytes */
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  union {
    int sparseMusaArraySupported;
    int sparseCudaArraySupported; /* what sources that are not ported call it */
  };
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  union {
    int deferredMappingMusaArraySupported;
    int deferredMappingCudaArraySupported; /* likewise */
  };
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
};

#endif /* MUSASHIM_CRT_RUNTIME_DEVICE_TYPES_H */
