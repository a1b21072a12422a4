// What the driver tells about functions and modules.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("execution.driver_functions");

extern "C" __global__ void plainName(int* out) { *out = 3; }
__device__ int variable = 5;

int main() {
  DeviceArray<int> out(1);
  const CUfunction function = driverFunction(plainName);
  const char* name = nullptr;
  OBSERVE("name", cuFuncGetName(&name, function));
  OBSERVE("name_text", name);
  OBSERVE("name_null", cuFuncGetName(nullptr, function));
  CUmodule module = nullptr;
  OBSERVE("module", cuFuncGetModule(&module, function));
  OBSERVE("module_null", cuFuncGetModule(nullptr, function));
  CUfunction again = nullptr;
  OBSERVE("by_name", cuModuleGetFunction(&again, module, "plainName"));
  OBSERVE("same_function", again == function);
  OBSERVE("no_such_name", cuModuleGetFunction(&again, module, "noSuchName"));
  OBSERVE("null_name", cuModuleGetFunction(&again, module, nullptr));
  OBSERVE("null_result", cuModuleGetFunction(nullptr, module, "plainName"));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  OBSERVE("global", cuModuleGetGlobal(&address, &bytes, module, "variable"));
  OBSERVE("global_bytes", bytes);
  int value = 0;
  SETUP(cuMemcpyDtoH(&value, address, sizeof value));
  OBSERVE("global_value", value);
  OBSERVE("global_address_only", cuModuleGetGlobal(&address, nullptr, module, "variable"));
  OBSERVE("global_size_only", cuModuleGetGlobal(nullptr, &bytes, module, "variable"));
  OBSERVE("no_such_global", cuModuleGetGlobal(&address, &bytes, module, "noSuchName"));
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  OBSERVE("is_loaded", cuFuncIsLoaded(&state, function));
  OBSERVE("is_loaded_value", static_cast<int>(state));
  OBSERVE("load", cuFuncLoad(function));

  int threads = 0;
  OBSERVE("max_threads", cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  OBSERVE("max_threads_value", threads);
  OBSERVE("attribute_null", cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  OBSERVE("attribute_unknown", cuFuncGetAttribute(&threads, static_cast<CUfunction_attribute>(99), function));
  OBSERVE("set_read_only", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 5));
  OBSERVE("set_carveout",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  OBSERVE("set_carveout_101",
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
  OBSERVE("cache_config", cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));

  int blocks = 0;
  OBSERVE("occupancy", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
  OBSERVE("occupancy_positive", blocks > 0);
  OBSERVE("occupancy_null", cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function, 128, 0));
  OBSERVE("occupancy_block_0", cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0));
  int grid = 0;
  int block = 0;
  OBSERVE("potential", cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0));
  OBSERVE("potential_block", block);
  OBSERVE("potential_limit", cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 96));
  OBSERVE("potential_limit_block", block);
  OBSERVE("potential_null", cuOccupancyMaxPotentialBlockSize(nullptr, &block, function, nullptr, 0, 0));
}
