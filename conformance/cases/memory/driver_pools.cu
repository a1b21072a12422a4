// links: driver
// Memory pools through the driver: properties, attributes, access, and allocations in stream order.
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("memory.driver_pools");

namespace {

CUmemPoolProps onFirstDevice() {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  return properties;
}

}  // namespace

int main() {
  const CUdevice device = useFirstDevice();
  CUmemoryPool usual = nullptr, current = nullptr, pool = nullptr;
  OBSERVE("default", cuDeviceGetDefaultMemPool(&usual, device));
  OBSERVE("default_null", cuDeviceGetDefaultMemPool(nullptr, device));
  OBSERVE("default_device_unknown", cuDeviceGetDefaultMemPool(&pool, 99));
  OBSERVE("default_null_device_unknown", cuDeviceGetDefaultMemPool(nullptr, 99));
  OBSERVE("current", cuDeviceGetMemPool(&current, device));
  OBSERVE("current_is_default", current == usual);
  OBSERVE("current_null", cuDeviceGetMemPool(nullptr, device));

  CUmemPoolProps properties = onFirstDevice();
  OBSERVE("create_null", cuMemPoolCreate(nullptr, &properties));
  OBSERVE("create_no_properties", cuMemPoolCreate(&pool, nullptr));
  properties.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
  OBSERVE("create_no_type", cuMemPoolCreate(&pool, &properties));
  properties = onFirstDevice();
  properties.location.id = 99;
  OBSERVE("create_device_unknown", cuMemPoolCreate(&pool, &properties));
  properties = onFirstDevice();
  properties.location.type = CU_MEM_LOCATION_TYPE_INVALID;
  OBSERVE("create_no_place", cuMemPoolCreate(&pool, &properties));
  properties = onFirstDevice();
  properties.handleTypes = CU_MEM_HANDLE_TYPE_WIN32;
  OBSERVE("create_windows_handles", cuMemPoolCreate(&pool, &properties));
  properties = onFirstDevice();
  OBSERVE("create", cuMemPoolCreate(&pool, &properties));

  // Attributes.
  int flag = 77;
  cuuint64_t number = 77;
  OBSERVE("get_reuse_events",
          cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &flag));
  OBSERVE("reuse_events", flag);
  OBSERVE("get_reuse_opportunistic",
          cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &flag));
  OBSERVE("reuse_opportunistic", flag);
  OBSERVE("get_reuse_internal",
          cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &flag));
  OBSERVE("reuse_internal", flag);
  OBSERVE("get_threshold", cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  OBSERVE("threshold", static_cast<unsigned long long>(number));
  OBSERVE("get_used", cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &number));
  OBSERVE("used", static_cast<unsigned long long>(number));
  OBSERVE("get_used_high", cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &number));
  OBSERVE("used_high", static_cast<unsigned long long>(number));
  OBSERVE("get_null", cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr));
  OBSERVE("get_unknown", cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(99), &number));
  OBSERVE("get_no_pool", cuMemPoolGetAttribute(nullptr, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  number = 1 << 20;
  OBSERVE("set_threshold", cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  number = 0;
  SETUP(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  OBSERVE("threshold_set", static_cast<unsigned long long>(number));
  flag = 0;
  OBSERVE("set_reuse_events",
          cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &flag));
  number = 5;
  OBSERVE("set_used", cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &number));
  OBSERVE("set_high_not_zero", cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &number));
  number = 0;
  OBSERVE("set_high_zero", cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &number));
  OBSERVE("set_unknown", cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(99), &number));

  // Access.
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  OBSERVE("get_access", cuMemPoolGetAccess(&access, pool, &here));
  OBSERVE("access", static_cast<int>(access));
  OBSERVE("get_access_null", cuMemPoolGetAccess(nullptr, pool, &here));
  OBSERVE("get_access_no_place", cuMemPoolGetAccess(&access, pool, nullptr));
  CUmemAccessDesc wish = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OBSERVE("set_access", cuMemPoolSetAccess(pool, &wish, 1));
  OBSERVE("set_access_none", cuMemPoolSetAccess(pool, &wish, 0));
  OBSERVE("set_access_null", cuMemPoolSetAccess(pool, nullptr, 1));
  wish.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  OBSERVE("set_access_to_nothing", cuMemPoolSetAccess(pool, &wish, 1));
  wish.location.id = 99;
  OBSERVE("set_access_device_unknown", cuMemPoolSetAccess(pool, &wish, 1));

  // Allocations.
  CUstream stream = nullptr;
  SETUP(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr memory = 0, second = 0;
  OBSERVE("allocate", cuMemAllocFromPoolAsync(&memory, 1000, pool, stream));
  OBSERVE("allocate_null", cuMemAllocFromPoolAsync(nullptr, 1000, pool, stream));
  OBSERVE("allocate_nothing", cuMemAllocFromPoolAsync(&second, 0, pool, stream));
  OBSERVE("allocate_no_pool", cuMemAllocFromPoolAsync(&second, 1000, nullptr, stream));
  OBSERVE("allocate_default_stream", cuMemAllocFromPoolAsync(&second, 1000, pool, nullptr));
  OBSERVE("allocate_plain", cuMemAllocAsync(&second, 64, stream));
  OBSERVE("allocate_plain_nothing", cuMemAllocAsync(&second, 0, stream));
  SETUP(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &number));
  OBSERVE("used_now", static_cast<unsigned long long>(number));
  OBSERVE("fill", cuMemsetD8Async(memory, 1, 1000, stream));
  OBSERVE("free", cuMemFreeAsync(memory, stream));
  OBSERVE("free_null", cuMemFreeAsync(0, stream));
  SETUP(cuStreamSynchronize(stream));
  OBSERVE("trim", cuMemPoolTrimTo(pool, 0));
  OBSERVE("trim_no_pool", cuMemPoolTrimTo(nullptr, 0));
  OBSERVE("set_device_pool", cuDeviceSetMemPool(device, pool));
  SETUP(cuDeviceGetMemPool(&current, device));
  OBSERVE("device_pool_is_it", current == pool);
  OBSERVE("set_device_pool_null", cuDeviceSetMemPool(device, nullptr));
  OBSERVE("set_device_pool_device_unknown", cuDeviceSetMemPool(99, pool));
  OBSERVE("destroy", cuMemPoolDestroy(pool));
  SETUP(cuDeviceGetMemPool(&current, device));
  OBSERVE("default_again", current == usual);
  OBSERVE("destroy_default", cuMemPoolDestroy(usual));
  OBSERVE("destroy_null", cuMemPoolDestroy(nullptr));
}
