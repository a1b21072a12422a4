// Contexts through the driver, beside the runtime.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("device.driver_contexts");

int main() {
  CUcontext context = nullptr;
  OBSERVE("before_init", cuCtxGetCurrent(&context));
  OBSERVE("init_flags", cuInit(1));
  OBSERVE("init", cuInit(0));
  OBSERVE("current_before", cuCtxGetCurrent(&context));
  OBSERVE("none_current", context == nullptr);
  CUdevice device = -1;
  OBSERVE("device_without_context", cuCtxGetDevice(&device));
  OBSERVE("synchronise_without_context", cuCtxSynchronize());
  OBSERVE("pop_without_context", cuCtxPopCurrent(&context));
  OBSERVE("get", cuDeviceGet(&device, 0));
  OBSERVE("get_99", cuDeviceGet(&device, 99));
  unsigned flags = 77;
  int active = 77;
  OBSERVE("state", cuDevicePrimaryCtxGetState(0, &flags, &active));
  OBSERVE("active", active);
  OBSERVE("release_unretained", cuDevicePrimaryCtxRelease(0));
  SETUP(cudaSetDevice(0));
  SETUP(cudaFree(nullptr));
  OBSERVE("current_of_runtime", cuCtxGetCurrent(&context));
  OBSERVE("runtime_made_one", context != nullptr);
  SETUP(cudaDeviceSynchronize());
  CUcontext retained = nullptr;
  OBSERVE("retain", cuDevicePrimaryCtxRetain(&retained, 0));
  OBSERVE("is_the_primary", retained == context);
  OBSERVE("state_active", cuDevicePrimaryCtxGetState(0, &flags, &active));
  OBSERVE("active_now", active);
  OBSERVE("context_device", cuCtxGetDevice(&device));
  OBSERVE("context_device_value", device);
  unsigned long long id = 0;
  OBSERVE("id", cuCtxGetId(context, &id));
  OBSERVE("push", cuCtxPushCurrent(context));
  CUcontext popped = nullptr;
  OBSERVE("pop", cuCtxPopCurrent(&popped));
  OBSERVE("popped", popped == context);
  OBSERVE("set_null", cuCtxSetCurrent(nullptr));
  SETUP(cudaSetDevice(0));
  OBSERVE("runtime_goes_on", cudaDeviceSynchronize());
  size_t limit = 0;
  OBSERVE("limit", cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
  OBSERVE("limit_unknown", cuCtxGetLimit(&limit, static_cast<CUlimit>(99)));
  int least = 7;
  int greatest = 7;
  OBSERVE("priorities", cuCtxGetStreamPriorityRange(&least, &greatest));
  OBSERVE("cache_config", cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  OBSERVE("get_cache_config", cuCtxGetCacheConfig(&cache));
  OBSERVE("release", cuDevicePrimaryCtxRelease(0));
  void* entry = nullptr;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  OBSERVE("no_such_entry", cuGetProcAddress("noSuchEntry", &entry, 12000, 0, &found));
  OBSERVE("no_such_entry_status", static_cast<int>(found));
}
