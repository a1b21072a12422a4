/* Virtual memory management and shareable pools: the driver API's types (part of musa.h).
 *
 * Names as in the vendor's header, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_VMM_TYPES_H
#define MUSASHIM_CRT_DRIVER_VMM_TYPES_H

typedef unsigned long long MUmemGenericAllocationHandle_v1;
typedef MUmemGenericAllocationHandle_v1 MUmemGenericAllocationHandle;

typedef enum MUmemAllocationGranularity_flags_enum {
  MU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
  MU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1
} MUmemAllocationGranularity_flags;

typedef enum MUmemAllocationCompType_enum {
  MU_MEM_ALLOCATION_COMP_NONE = 0x0,
  MU_MEM_ALLOCATION_COMP_GENERIC = 0x1
} MUmemAllocationCompType;

typedef struct MUmemAllocationProp_st {
  MUmemAllocationType type;
  MUmemAllocationHandleType requestedHandleTypes;
  MUmemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType; /* MUmemAllocationCompType */
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} MUmemAllocationProp;

typedef struct MUmemPoolPtrExportData_st {
  unsigned char reserved[64];
} MUmemPoolPtrExportData;

typedef enum MUmem_range_attribute_enum {
  MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
  MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
  MU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
  MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
  MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
  MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
  MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
  MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} MUmem_range_attribute;

#endif
