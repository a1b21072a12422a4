// Properties and attributes: misuse, and the facts every device shares.
#include "../../framework/observe.h"

CONFORMANCE_CASE("device.properties");

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  SETUP(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  cudaDeviceProp properties;
  OBSERVE("get", cudaGetDeviceProperties(&properties, 0));
  OBSERVE("get_null", cudaGetDeviceProperties(nullptr, 0));
  OBSERVE("get_bad_device", cudaGetDeviceProperties(&properties, 99));
  OBSERVE("get_negative_device", cudaGetDeviceProperties(&properties, -1));
  SETUP(cudaGetDeviceProperties(&properties, 0));

  int value = 0;
  OBSERVE("attribute_null", cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  OBSERVE("attribute_bad_device", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
  OBSERVE("attribute_zero", cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
  OBSERVE("attribute_unknown", cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0));

  OBSERVE("name_is_set", properties.name[0] != '\0');
  OBSERVE("warp_agrees", attribute(cudaDevAttrWarpSize) == properties.warpSize);
  OBSERVE("processors_agree", attribute(cudaDevAttrMultiProcessorCount) == properties.multiProcessorCount);
  OBSERVE("threads_agree", attribute(cudaDevAttrMaxThreadsPerBlock) == properties.maxThreadsPerBlock);
  OBSERVE("major_agrees", attribute(cudaDevAttrComputeCapabilityMajor) == properties.major);
  OBSERVE("shared_agrees",
          static_cast<size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock)) == properties.sharedMemPerBlock);
  OBSERVE("max_threads_per_block", properties.maxThreadsPerBlock);
  OBSERVE("max_block_x", properties.maxThreadsDim[0]);
  OBSERVE("max_block_y", properties.maxThreadsDim[1]);
  OBSERVE("max_block_z", properties.maxThreadsDim[2]);
  OBSERVE("max_grid_x", properties.maxGridSize[0]);
  OBSERVE("max_grid_y", properties.maxGridSize[1]);
  OBSERVE("max_grid_z", properties.maxGridSize[2]);
  OBSERVE("unified_addressing", properties.unifiedAddressing);
  OBSERVE("managed_memory", properties.managedMemory);
  OBSERVE("can_map_host_memory", properties.canMapHostMemory);
  OBSERVE("concurrent_kernels", properties.concurrentKernels);
  OBSERVE("cooperative_launch", properties.cooperativeLaunch);
  OBSERVE("has_memory", properties.totalGlobalMem > 0);
}
