/* Memory and semaphores of other APIs, and arrays that are mapped in parts: what they are described by (part
 * of musa.h). The entries answer "not supported". Numbers and layouts are CUDA 12.4's. */
#ifndef MUSASHIM_CRT_DRIVER_EXTERNAL_TYPES_H
#define MUSASHIM_CRT_DRIVER_EXTERNAL_TYPES_H

typedef struct MUSA_ARRAY_SPARSE_PROPERTIES_st {
  struct {
    unsigned int width;
    unsigned int height;
    unsigned int depth;
  } tileExtent;
  unsigned int miptailFirstLevel;
  unsigned long long miptailSize;
  unsigned int flags;
  unsigned int reserved[4];
} MUSA_ARRAY_SPARSE_PROPERTIES;

typedef struct MUSA_ARRAY_MEMORY_REQUIREMENTS_st {
  size_t size;
  size_t alignment;
  unsigned int reserved[4];
} MUSA_ARRAY_MEMORY_REQUIREMENTS;

typedef enum MUexternalMemoryHandleType_enum {
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7,
  MU_EXTERNAL_MEMORY_HANDLE_TYPE_MTSCIBUF = 8
} MUexternalMemoryHandleType;

typedef struct MUSA_EXTERNAL_MEMORY_HANDLE_DESC_st {
  MUexternalMemoryHandleType type;
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
  unsigned int reserved[16];
} MUSA_EXTERNAL_MEMORY_HANDLE_DESC;

typedef struct MUSA_EXTERNAL_MEMORY_BUFFER_DESC_st {
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} MUSA_EXTERNAL_MEMORY_BUFFER_DESC;

typedef struct MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
  unsigned long long offset;
  MUSA_ARRAY3D_DESCRIPTOR arrayDesc;
  unsigned int numLevels;
  unsigned int reserved[16];
} MUSA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC;

typedef enum MUexternalSemaphoreHandleType_enum {
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_MTSCISYNC = 6,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9,
  MU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10
} MUexternalSemaphoreHandleType;

typedef struct MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
  MUexternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciSyncObj;
  } handle;
  unsigned int flags;
  unsigned int reserved[16];
} MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC;

typedef struct MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
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
} MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;

typedef struct MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
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
} MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;

typedef struct MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
  MUexternalSemaphore* extSemArray;
  const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray;
  unsigned int numExtSems;
} MUSA_EXT_SEM_SIGNAL_NODE_PARAMS;

typedef struct MUSA_EXT_SEM_WAIT_NODE_PARAMS_st {
  MUexternalSemaphore* extSemArray;
  const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray;
  unsigned int numExtSems;
} MUSA_EXT_SEM_WAIT_NODE_PARAMS;

typedef enum MUarraySparseSubresourceType_enum {
  MU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
  MU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1
} MUarraySparseSubresourceType;

typedef enum MUmemOperationType_enum {
  MU_MEM_OPERATION_TYPE_MAP = 1,
  MU_MEM_OPERATION_TYPE_UNMAP = 2
} MUmemOperationType;

typedef enum MUmemHandleType_enum { MU_MEM_HANDLE_TYPE_GENERIC = 0 } MUmemHandleType;

typedef struct MUarrayMapInfo_st {
  MUresourcetype resourceType;
  union {
    MUmipmappedArray mipmap;
    MUarray array;
  } resource;
  MUarraySparseSubresourceType subresourceType;
  union {
    struct {
      unsigned int level;
      unsigned int layer;
      unsigned int offsetX;
      unsigned int offsetY;
      unsigned int offsetZ;
      unsigned int extentWidth;
      unsigned int extentHeight;
      unsigned int extentDepth;
    } sparseLevel;
    struct {
      unsigned int layer;
      unsigned long long offset;
      unsigned long long size;
    } miptail;
  } subresource;
  MUmemOperationType memOperationType;
  MUmemHandleType memHandleType;
  union {
    MUmemGenericAllocationHandle memHandle;
  } memHandle;
  unsigned long long offset;
  unsigned int deviceBitMask;
  unsigned int flags;
  unsigned int reserved[2];
} MUarrayMapInfo;

#endif /* MUSASHIM_CRT_DRIVER_EXTERNAL_TYPES_H */
