// Pools asked for by the place and the kind of their memory, as CUDA 13 does.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.pool_places");

int main() {
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  device.id = 0;
  cudaMemPool_t usual = nullptr, pool = nullptr, seen = nullptr;
  SETUP(cudaDeviceGetDefaultMemPool(&usual, 0));
  OBSERVE("default", cudaMemGetDefaultMemPool(&seen, &device, cudaMemAllocationTypePinned));
  OBSERVE("default_is_the_devices", seen == usual);
  OBSERVE("current", cudaMemGetMemPool(&seen, &device, cudaMemAllocationTypePinned));
  OBSERVE("current_is_default", seen == usual);
  OBSERVE("default_null", cudaMemGetDefaultMemPool(nullptr, &device, cudaMemAllocationTypePinned));
  OBSERVE("default_no_place", cudaMemGetDefaultMemPool(&seen, nullptr, cudaMemAllocationTypePinned));
  OBSERVE("default_no_kind", cudaMemGetDefaultMemPool(&seen, &device, cudaMemAllocationTypeInvalid));
  cudaMemLocation wrong = device;
  wrong.id = 99;
  OBSERVE("default_device_unknown", cudaMemGetDefaultMemPool(&seen, &wrong, cudaMemAllocationTypePinned));
  wrong.id = 0;
  wrong.type = cudaMemLocationTypeInvalid;
  OBSERVE("default_place_invalid", cudaMemGetDefaultMemPool(&seen, &wrong, cudaMemAllocationTypePinned));
  OBSERVE("current_null", cudaMemGetMemPool(nullptr, &device, cudaMemAllocationTypePinned));
  OBSERVE("current_place_invalid", cudaMemGetMemPool(&seen, &wrong, cudaMemAllocationTypePinned));

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = device;
  SETUP(cudaMemPoolCreate(&pool, &properties));
  OBSERVE("set", cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool));
  SETUP(cudaMemGetMemPool(&seen, &device, cudaMemAllocationTypePinned));
  OBSERVE("set_is_current", seen == pool);
  SETUP(cudaDeviceGetMemPool(&seen, 0));
  OBSERVE("set_is_the_devices", seen == pool);
  OBSERVE("set_null", cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, nullptr));
  OBSERVE("set_no_place", cudaMemSetMemPool(nullptr, cudaMemAllocationTypePinned, pool));
  OBSERVE("set_place_invalid", cudaMemSetMemPool(&wrong, cudaMemAllocationTypePinned, pool));
  OBSERVE("set_no_kind", cudaMemSetMemPool(&device, cudaMemAllocationTypeInvalid, pool));
  wrong = device;
  wrong.id = 99;
  OBSERVE("set_device_unknown", cudaMemSetMemPool(&wrong, cudaMemAllocationTypePinned, pool));
  OBSERVE("destroy", cudaMemPoolDestroy(pool));
  SETUP(cudaMemGetMemPool(&seen, &device, cudaMemAllocationTypePinned));
  OBSERVE("default_again", seen == usual);
}
