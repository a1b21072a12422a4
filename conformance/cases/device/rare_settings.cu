// Settings that programs seldom touch: preferences of caches, choosing devices, entry points, the profiler.
#include <cuda_profiler_api.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("device.rare_settings");

namespace {

__global__ void plain(int* place) { *place = 1; }
__constant__ int table[4];

}  // namespace

int main() {
  int device = -7;
  cudaDeviceProp wish = {};
  OBSERVE("choose", cudaChooseDevice(&device, &wish));
  OBSERVE("chosen", device);
  OBSERVE("choose_null", cudaChooseDevice(nullptr, &wish));
  OBSERVE("choose_null_wish", cudaChooseDevice(&device, nullptr));
  int list[2] = {0, 0};
  OBSERVE("valid", cudaSetValidDevices(list, 1));
  OBSERVE("valid_none", cudaSetValidDevices(list, 0));
  OBSERVE("valid_null", cudaSetValidDevices(nullptr, 1));
  OBSERVE("valid_null_none", cudaSetValidDevices(nullptr, 0));
  list[0] = 99;
  OBSERVE("valid_unknown", cudaSetValidDevices(list, 1));
  OBSERVE("init", cudaInitDevice(0, 0, 0));
  OBSERVE("init_unknown", cudaInitDevice(99, 0, 0));
  OBSERVE("init_bad_flags", cudaInitDevice(0, 0, 4));
  OBSERVE("init_bad_device_flags", cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid));

  SETUP(cudaFree(nullptr));
  cudaFuncCache cache = cudaFuncCachePreferShared;
  OBSERVE("set_cache", cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OBSERVE("get_cache", cudaDeviceGetCacheConfig(&cache));
  OBSERVE("get_cache_null", cudaDeviceGetCacheConfig(nullptr));
  OBSERVE("set_cache_unknown", cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(99)));
  OBSERVE("function_cache", cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  OBSERVE("function_cache_unknown", cudaFuncSetCacheConfig(plain, static_cast<cudaFuncCache>(99)));
  OBSERVE("function_cache_null",
          cudaFuncSetCacheConfig(static_cast<const void*>(nullptr), cudaFuncCachePreferL1));
  int value = -7;
  OBSERVE("p2p_itself", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  OBSERVE("p2p_unknown", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
  OBSERVE("p2p_null", cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  OBSERVE("p2p_unknown_attribute",
          cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(99), 0, 0));
  size_t bytes = 77;
  OBSERVE("dynamic_shared", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 1, 128));
  OBSERVE("dynamic_shared_no_blocks", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 0, 128));
  OBSERVE("dynamic_shared_no_threads", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 1, 0));
  int blocks = 0;
  OBSERVE("blocks_flags", cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 128, 0, 1));
  OBSERVE("blocks_flags_unknown",
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 128, 0, 8));

  OBSERVE("profiler_stop", cudaProfilerStop());
  OBSERVE("profiler_start", cudaProfilerStart());
  OBSERVE("profiler_stop_again", cudaProfilerStop());
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointVersionNotSufficent;
  OBSERVE("entry", cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &found));
  OBSERVE("entry_found", static_cast<int>(found));
  OBSERVE("entry_there", entry != nullptr);
  OBSERVE("entry_none",
          cudaGetDriverEntryPointByVersion("noSuchEntry", &entry, 12000, cudaEnableDefault, &found));
  OBSERVE("entry_none_found", static_cast<int>(found));
  OBSERVE("entry_none_null", entry == nullptr);
  OBSERVE("entry_flags", cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, 99, &found));
  OBSERVE("entry_old",
          cudaGetDriverEntryPointByVersion("cuGraphAddNode", &entry, 10000, cudaEnableDefault, &found));
  OBSERVE("entry_old_found", static_cast<int>(found));

  // Copies of graphs to and from variables.
  cudaGraph_t graph = nullptr;
  SETUP(cudaGraphCreate(&graph, 0));
  int source[4] = {1, 2, 3, 4}, back[4] = {};
  cudaGraphNode_t up = nullptr, down = nullptr;
  SETUP(cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, table, source, 8, 0, cudaMemcpyHostToDevice));
  SETUP(cudaGraphAddMemcpyNodeFromSymbol(&down, graph, &up, 1, back, table, 16, 0, cudaMemcpyDeviceToHost));
  OBSERVE("node_to", cudaGraphMemcpyNodeSetParamsToSymbol(up, table, source, 16, 0, cudaMemcpyHostToDevice));
  OBSERVE("node_to_past",
          cudaGraphMemcpyNodeSetParamsToSymbol(up, table, source, 16, 4, cudaMemcpyHostToDevice));
  OBSERVE("node_from",
          cudaGraphMemcpyNodeSetParamsFromSymbol(down, back, table, 16, 0, cudaMemcpyDeviceToHost));
  OBSERVE("node_from_past",
          cudaGraphMemcpyNodeSetParamsFromSymbol(down, back, table, 20, 0, cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec = nullptr;
  SETUP(cudaGraphInstantiate(&exec, graph, 0));
  SETUP(cudaGraphLaunch(exec, nullptr));
  SETUP(cudaDeviceSynchronize());
  OBSERVE("values", joined(std::vector<int>(back, back + 4)));
  int others[4] = {9, 8, 7, 6};
  OBSERVE("exec_to",
          cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, up, table, others, 16, 0, cudaMemcpyHostToDevice));
  OBSERVE("exec_from",
          cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, down, back, table, 16, 0, cudaMemcpyDeviceToHost));
  SETUP(cudaGraphLaunch(exec, nullptr));
  SETUP(cudaDeviceSynchronize());
  OBSERVE("values_after", joined(std::vector<int>(back, back + 4)));
  OBSERVE("exec_to_other_size",
          cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, up, table, others, 8, 0, cudaMemcpyHostToDevice));
  OBSERVE("last", cudaGetLastError());
}
