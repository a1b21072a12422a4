// Memory pools: properties, attributes, who may use them, and their end.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("memory.pools");

static cudaMemPoolProps onDevice(int device = 0) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  return properties;
}

static std::string attribute64(cudaMemPool_t pool, cudaMemPoolAttr what) {
  unsigned long long value = 99;
  const cudaError_t error = cudaMemPoolGetAttribute(pool, what, &value);
  return error == cudaSuccess ? std::to_string(value) : observedText(error);
}

static std::string attribute32(cudaMemPool_t pool, cudaMemPoolAttr what) {
  int value = 99;
  const cudaError_t error = cudaMemPoolGetAttribute(pool, what, &value);
  return error == cudaSuccess ? std::to_string(value) : observedText(error);
}

int main() {
  cudaMemPoolProps properties = onDevice();
  cudaMemPool_t pool = nullptr, other = nullptr, standard = nullptr, current = nullptr;
  OBSERVE("create", cudaMemPoolCreate(&pool, &properties));
  OBSERVE("null_pool", cudaMemPoolCreate(nullptr, &properties));
  OBSERVE("null_properties", cudaMemPoolCreate(&other, nullptr));
  cudaMemPoolProps wrong = properties;
  wrong.allocType = cudaMemAllocationTypeInvalid;
  OBSERVE("type_invalid", cudaMemPoolCreate(&other, &wrong));
  wrong = properties;
  wrong.location.type = cudaMemLocationTypeInvalid;
  OBSERVE("location_invalid", cudaMemPoolCreate(&other, &wrong));
  wrong = onDevice(1000);
  OBSERVE("device_unknown", cudaMemPoolCreate(&other, &wrong));
  wrong = properties;
  wrong.handleTypes = static_cast<cudaMemAllocationHandleType>(64);
  OBSERVE("handle_type_unknown", cudaMemPoolCreate(&other, &wrong));
  (void)cudaGetLastError();

  OBSERVE("threshold", attribute64(pool, cudaMemPoolAttrReleaseThreshold));
  OBSERVE("reserved", attribute64(pool, cudaMemPoolAttrReservedMemCurrent));
  OBSERVE("used", attribute64(pool, cudaMemPoolAttrUsedMemCurrent));
  OBSERVE("follow_events", attribute32(pool, cudaMemPoolReuseFollowEventDependencies));
  OBSERVE("opportunistic", attribute32(pool, cudaMemPoolReuseAllowOpportunistic));
  OBSERVE("internal", attribute32(pool, cudaMemPoolReuseAllowInternalDependencies));
  OBSERVE("attribute_unknown", attribute64(pool, static_cast<cudaMemPoolAttr>(77)));
  (void)cudaGetLastError();
  unsigned long long value = 1 << 20;
  OBSERVE("set_threshold", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  OBSERVE("set_threshold.value", attribute64(pool, cudaMemPoolAttrReleaseThreshold));
  int off = 0;
  OBSERVE("set_opportunistic", cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off));
  OBSERVE("set_opportunistic.value", attribute32(pool, cudaMemPoolReuseAllowOpportunistic));
  OBSERVE("set_used", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  OBSERVE("set_high_to_5", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &(value = 5)));
  OBSERVE("set_high_to_0", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &(value = 0)));
  (void)cudaGetLastError();

  // Allocations.
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  void *memory = nullptr, *second = nullptr;
  OBSERVE("allocate", cudaMallocFromPoolAsync(&memory, 1000, pool, stream));
  OBSERVE("allocate.used", attribute64(pool, cudaMemPoolAttrUsedMemCurrent));
  OBSERVE("allocate.reserved_some", attribute64(pool, cudaMemPoolAttrReservedMemCurrent) != "0");
  OBSERVE("allocate.second", cudaMallocFromPoolAsync(&second, 5000, pool, stream));
  OBSERVE("allocate.used_two", attribute64(pool, cudaMemPoolAttrUsedMemCurrent));
  void* nothing = nullptr;
  OBSERVE("allocate_zero", cudaMallocFromPoolAsync(&nothing, 0, pool, stream));
  (void)cudaGetLastError();
  OBSERVE("free", cudaFreeAsync(memory, stream));
  OBSERVE("free_again", cudaFreeAsync(memory, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("free.used_high", attribute64(pool, cudaMemPoolAttrUsedMemHigh));
  OBSERVE("trim", cudaMemPoolTrimTo(pool, 0));
  (void)cudaGetLastError();

  // The device's pools.
  OBSERVE("default", cudaDeviceGetDefaultMemPool(&standard, 0));
  OBSERVE("current", cudaDeviceGetMemPool(&current, 0));
  OBSERVE("current_is_default", current == standard);
  OBSERVE("set_current", cudaDeviceSetMemPool(0, pool));
  OBSERVE("get_current", cudaDeviceGetMemPool(&current, 0));
  OBSERVE("get_current_same", current == pool);
  OBSERVE("allocate_from_current", cudaMallocAsync(&memory, 3000, stream));
  OBSERVE("allocate_from_current.used", attribute64(pool, cudaMemPoolAttrUsedMemCurrent) != "0");
  OBSERVE("set_current_device_unknown", cudaDeviceSetMemPool(1000, pool));
  OBSERVE("destroy_default", cudaMemPoolDestroy(standard));
  (void)cudaGetLastError();

  // Access.
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  OBSERVE("get_access", cudaMemPoolGetAccess(&flags, pool, &access.location));
  OBSERVE("get_access_value", static_cast<int>(flags));
  OBSERVE("set_access", cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  OBSERVE("set_access_of_owner_none", cudaMemPoolSetAccess(pool, &access, 1));
  OBSERVE("set_access_no_entries", cudaMemPoolSetAccess(pool, &access, 0));
  access.location.id = 1000;
  OBSERVE("set_access_device_unknown", cudaMemPoolSetAccess(pool, &access, 1));
  (void)cudaGetLastError();

  // Export without a handle type.
  int fd = -1;
  OBSERVE("export_not_asked_for",
          cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  (void)cudaGetLastError();

  // The end: memory of the pool stays until it is freed.
  OBSERVE("destroy", cudaMemPoolDestroy(pool));
  OBSERVE("fill_after_destroy", cudaMemsetAsync(memory, 1, 3000, stream));
  OBSERVE("free_after_destroy", cudaFreeAsync(memory, stream));
  OBSERVE("current_after_destroy", cudaDeviceGetMemPool(&current, 0));
  OBSERVE("current_after_destroy_is_default", current == standard);
  (void)cudaGetLastError();

  // Freeing in the wrong way.
  SETUP(cudaMallocAsync(&memory, 4096, stream));
  OBSERVE("free_inside", cudaFreeAsync(static_cast<char*>(memory) + 16, stream));
  OBSERVE("free_now", cudaFree(memory));
  void* plain = nullptr;
  SETUP(cudaMalloc(&plain, 4096));
  OBSERVE("free_plain_async", cudaFreeAsync(plain, stream));
  OBSERVE("free_null_async", cudaFreeAsync(nullptr, stream));
  int onStack = 0;
  OBSERVE("free_host_async", cudaFreeAsync(&onStack, stream));
  OBSERVE("last", cudaDeviceSynchronize());
}
