// Virtual memory of devices, for cases of the driver API.
#pragma once

#include "observe_driver.h"

inline CUmemAllocationProp deviceMemory(CUmemAllocationHandleType handles = CU_MEM_HANDLE_TYPE_NONE) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  properties.requestedHandleTypes = handles;
  return properties;
}

inline size_t granularity() {
  const CUmemAllocationProp properties = deviceMemory();
  size_t bytes = 0;
  SETUP(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  return bytes;
}

inline CUmemAccessDesc accessOf(CUmemAccess_flags flags, int device = 0) {
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = flags;
  return access;
}
