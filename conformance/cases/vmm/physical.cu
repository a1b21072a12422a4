// links: driver
// Physical memory: granularity, creation, properties, release.
#include "../../framework/vmm.h"

CONFORMANCE_CASE("vmm.physical");

int main() {
  useFirstDevice();
  CUmemAllocationProp properties = deviceMemory();
  size_t least = 0, recommended = 0;
  OBSERVE("granularity",
          cuMemGetAllocationGranularity(&least, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  OBSERVE("granularity_bytes", least);
  OBSERVE("granularity_recommended",
          cuMemGetAllocationGranularity(&recommended, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  OBSERVE("granularity_recommended_bytes", recommended);
  OBSERVE("granularity_null",
          cuMemGetAllocationGranularity(nullptr, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  OBSERVE("granularity_null_properties",
          cuMemGetAllocationGranularity(&least, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  OBSERVE(
      "granularity_option_unknown",
      cuMemGetAllocationGranularity(&least, &properties, static_cast<CUmemAllocationGranularity_flags>(7)));
  least = granularity();

  CUmemGenericAllocationHandle handle = 0;
  OBSERVE("create", cuMemCreate(&handle, least, &properties, 0));
  CUmemAllocationProp found = {};
  OBSERVE("properties", cuMemGetAllocationPropertiesFromHandle(&found, handle));
  OBSERVE("properties_type", static_cast<int>(found.type));
  OBSERVE("properties_location", static_cast<int>(found.location.type));
  OBSERVE("properties_device", found.location.id);
  OBSERVE("properties_handle_types", static_cast<int>(found.requestedHandleTypes));
  OBSERVE("properties_null", cuMemGetAllocationPropertiesFromHandle(nullptr, handle));
  OBSERVE("release", cuMemRelease(handle));
  OBSERVE("release_again", cuMemRelease(handle));
  OBSERVE("release_zero", cuMemRelease(0));
  OBSERVE("properties_released", cuMemGetAllocationPropertiesFromHandle(&found, handle));

  OBSERVE("size_zero", cuMemCreate(&handle, 0, &properties, 0));
  OBSERVE("size_uneven", cuMemCreate(&handle, least + 4096, &properties, 0));
  OBSERVE("size_too_large", cuMemCreate(&handle, least << 26, &properties, 0));
  OBSERVE("flags", cuMemCreate(&handle, least, &properties, 1));
  OBSERVE("null_handle", cuMemCreate(nullptr, least, &properties, 0));
  OBSERVE("null_properties", cuMemCreate(&handle, least, nullptr, 0));
  CUmemAllocationProp wrong = properties;
  wrong.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  OBSERVE("type_invalid", cuMemCreate(&handle, least, &wrong, 0));
  wrong = properties;
  wrong.location.type = CU_MEM_LOCATION_TYPE_INVALID;
  OBSERVE("location_invalid", cuMemCreate(&handle, least, &wrong, 0));
  wrong = properties;
  wrong.location.id = 1000;
  OBSERVE("device_unknown", cuMemCreate(&handle, least, &wrong, 0));
  wrong.location.id = -1;
  OBSERVE("device_negative", cuMemCreate(&handle, least, &wrong, 0));
  wrong = properties;
  wrong.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
  OBSERVE("handle_type_win32", cuMemCreate(&handle, least, &wrong, 0));

  int supported = 0;
  OBSERVE("attribute",
          cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  OBSERVE("attribute_value", supported);
  OBSERVE(
      "posix_attribute",
      cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  OBSERVE("posix_attribute_value", supported);
}
