// links: driver
// Occupancy and attributes of functions through the driver: errors, and what does not depend on the device.
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("execution.driver_occupancy");

namespace {

__global__ void plain(int* place) { *place = 1; }
size_t noMemory(int) { return 0; }

}  // namespace

int main() {
  useFirstDevice();
  DeviceArray<int> number(1);
  plain<<<1, 1>>>(number.data());
  SETUP(cuCtxSynchronize());
  const CUfunction function = driverFunction(plain);
  int blocks = -7, size = -7;
  OBSERVE("blocks", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
  OBSERVE("blocks_some", blocks > 0);
  OBSERVE("blocks_null", cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function, 128, 0));
  OBSERVE("blocks_null_function", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 128, 0));
  OBSERVE("blocks_of_0_threads", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0));
  OBSERVE("blocks_of_negative", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, -1, 0));
  OBSERVE("blocks_of_2000", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 2000, 0));
  OBSERVE("blocks_of_2000_value", blocks);
  OBSERVE("blocks_large_shared",
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 1 << 30));
  OBSERVE("blocks_large_shared_value", blocks);
  OBSERVE("blocks_flags", cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 128, 0, 1));
  OBSERVE("blocks_flags_unknown",
          cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 128, 0, 8));
  int grid = -7;
  OBSERVE("best", cuOccupancyMaxPotentialBlockSize(&grid, &size, function, noMemory, 0, 0));
  OBSERVE("best_some", grid > 0 && size >= 32);
  OBSERVE("best_no_callback", cuOccupancyMaxPotentialBlockSize(&grid, &size, function, nullptr, 0, 0));
  OBSERVE("best_limit", cuOccupancyMaxPotentialBlockSize(&grid, &size, function, nullptr, 0, 64));
  OBSERVE("best_limit_value", size);
  OBSERVE("best_null", cuOccupancyMaxPotentialBlockSize(nullptr, &size, function, nullptr, 0, 0));
  OBSERVE("best_null_function", cuOccupancyMaxPotentialBlockSize(&grid, &size, nullptr, nullptr, 0, 0));
  OBSERVE("best_flags", cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &size, function, nullptr, 0, 0, 1));
  OBSERVE("best_flags_unknown",
          cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &size, function, nullptr, 0, 0, 8));
  size_t shared = 77;
  OBSERVE("shared", cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 1, 128));
  OBSERVE("shared_some", shared > 0);
  OBSERVE("shared_null_function", cuOccupancyAvailableDynamicSMemPerBlock(&shared, nullptr, 1, 128));
  OBSERVE("shared_no_blocks", cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 0, 128));
  OBSERVE("shared_no_threads", cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 1, 0));
  OBSERVE("shared_2000_threads", cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 1, 2000));
  OBSERVE("shared_many_blocks", cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 1000, 128));

  int value = -7;
  OBSERVE("get_threads", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  OBSERVE("threads", value);
  OBSERVE("get_static_shared", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  OBSERVE("static_shared", value);
  OBSERVE("get_constant", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function));
  OBSERVE("constant", value);
  OBSERVE("get_local", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function));
  OBSERVE("local", value);
  OBSERVE("get_dynamic_shared",
          cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  OBSERVE("dynamic_shared", value);
  OBSERVE("get_carveout",
          cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function));
  OBSERVE("carveout", value);
  OBSERVE("get_null", cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  OBSERVE("get_null_function", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
  OBSERVE("get_unknown", cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), function));
  OBSERVE("set_dynamic_shared",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
  SETUP(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  OBSERVE("dynamic_shared_set", value);
  OBSERVE("set_dynamic_shared_negative",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
  OBSERVE("set_dynamic_shared_large",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
  OBSERVE("set_carveout_50",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  OBSERVE("set_carveout_101",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
  OBSERVE("set_carveout_default",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1));
  OBSERVE("set_registers", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
  OBSERVE("set_unknown", cuFuncSetAttribute(function, static_cast<CUfunction_attribute>(99), 8));
  OBSERVE("set_null_function",
          cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8));
  OBSERVE("cache_config", cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
  OBSERVE("cache_config_unknown", cuFuncSetCacheConfig(function, static_cast<CUfunc_cache>(99)));
  OBSERVE("cache_config_null", cuFuncSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_L1));
  OBSERVE("last", cuCtxSynchronize());
}
