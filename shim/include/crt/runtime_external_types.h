/* Memory and semaphores of other APIs, and arrays that are mapped in parts: what they are described by (part
 * of musa_runtime_api.h). The calls answer "not supported". Numbers and layouts are CUDA 12.4's. */
#ifndef MUSASHIM_CRT_RUNTIME_EXTERNAL_TYPES_H
#define MUSASHIM_CRT_RUNTIME_EXTERNAL_TYPES_H

typedef struct MUexternalMemory_st* musaExternalMemory_t;
typedef struct MUexternalSemaphore_st* musaExternalSemaphore_t;

struct musaArraySparseProperties {
  struct {
    unsigned int width;
    unsigned int height;
    unsigned int depth;
  } tileExtent;
  unsigned int miptailFirstLevel;
  unsigned long long miptailSize;
  unsigned int flags;
  unsigned int reserved[4];
};

struct musaArrayMemoryRequirements {
  size_t size;
  size_t alignment;
  unsigned int reserved[4];
};

enum musaExternalMemoryHandleType {
  musaExternalMemoryHandleTypeOpaqueFd = 1,
  musaExternalMemoryHandleTypeOpaqueWin32 = 2,
  musaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
  musaExternalMemoryHandleTypeD3D12Heap = 4,
  musaExternalMemoryHandleTypeD3D12Resource = 5,
  musaExternalMemoryHandleTypeD3D11Resource = 6,
  musaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
  musaExternalMemoryHandleTypeMtSciBuf = 8
};

struct musaExternalMemoryHandleDesc {
  enum musaExternalMemoryHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned int flags;
};

struct musaExternalMemoryBufferDesc {
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
};

struct musaExternalMemoryMipmappedArrayDesc {
  unsigned long long offset;
  struct musaChannelFormatDesc formatDesc;
  struct musaExtent extent;
  unsigned int flags;
  unsigned int numLevels;
};

enum musaExternalSemaphoreHandleType {
  musaExternalSemaphoreHandleTypeOpaqueFd = 1,
  musaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
  musaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
  musaExternalSemaphoreHandleTypeD3D12Fence = 4,
  musaExternalSemaphoreHandleTypeD3D11Fence = 5,
  musaExternalSemaphoreHandleTypeMtSciSync = 6,
  musaExternalSemaphoreHandleTypeKeyedMutex = 7,
  musaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
  musaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
  musaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
};

struct musaExternalSemaphoreHandleDesc {
  enum musaExternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciSyncObj;
  } handle;
  unsigned int flags;
};

struct musaExternalSemaphoreSignalParams_v1 {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
  } params;
  unsigned int flags;
};

struct musaExternalSemaphoreWaitParams_v1 {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned int timeoutMs;
    } keyedMutex;
  } params;
  unsigned int flags;
};

struct musaExternalSemaphoreSignalParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned int reserved[12];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
};

struct musaExternalSemaphoreWaitParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned int timeoutMs;
    } keyedMutex;
    unsigned int reserved[10];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
};

struct musaExternalSemaphoreSignalNodeParams {
  musaExternalSemaphore_t* extSemArray;
  const struct musaExternalSemaphoreSignalParams* paramsArray;
  unsigned int numExtSems;
};

struct musaExternalSemaphoreSignalNodeParamsV2 {
  musaExternalSemaphore_t* extSemArray;
  const struct musaExternalSemaphoreSignalParams* paramsArray;
  unsigned int numExtSems;
};

struct musaExternalSemaphoreWaitNodeParams {
  musaExternalSemaphore_t* extSemArray;
  const struct musaExternalSemaphoreWaitParams* paramsArray;
  unsigned int numExtSems;
};

struct musaExternalSemaphoreWaitNodeParamsV2 {
  musaExternalSemaphore_t* extSemArray;
  const struct musaExternalSemaphoreWaitParams* paramsArray;
  unsigned int numExtSems;
};

#endif /* MUSASHIM_CRT_RUNTIME_EXTERNAL_TYPES_H */
