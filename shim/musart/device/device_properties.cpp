#include "musart/device/device_properties.h"

#include <cstring>

namespace musashim::musart {
namespace {

// A member that is one attribute: int or size_t.
struct IntField {
  int musaDeviceProp::* member;
  MUdevice_attribute attribute;
};
struct SizeField {
  size_t musaDeviceProp::* member;
  MUdevice_attribute attribute;
};

#define FIELD(member, attribute) {&musaDeviceProp::member, MU_DEVICE_ATTRIBUTE_##attribute}

constexpr IntField kIntFields[] = {
    FIELD(regsPerBlock, MAX_REGISTERS_PER_BLOCK),
    FIELD(warpSize, WARP_SIZE),
    FIELD(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK),
    FIELD(clockRate, CLOCK_RATE),
    FIELD(major, COMPUTE_CAPABILITY_MAJOR),
    FIELD(minor, COMPUTE_CAPABILITY_MINOR),
    FIELD(deviceOverlap, GPU_OVERLAP),
    FIELD(multiProcessorCount, MULTIPROCESSOR_COUNT),
    FIELD(kernelExecTimeoutEnabled, KERNEL_EXEC_TIMEOUT),
    FIELD(integrated, INTEGRATED),
    FIELD(canMapHostMemory, CAN_MAP_HOST_MEMORY),
    FIELD(computeMode, COMPUTE_MODE),
    FIELD(maxTexture1D, MAXIMUM_TEXTURE1D_WIDTH),
    FIELD(maxTexture1DMipmap, MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH),
    FIELD(maxTexture1DLinear, MAXIMUM_TEXTURE1D_LINEAR_WIDTH),
    FIELD(maxTextureCubemap, MAXIMUM_TEXTURECUBEMAP_WIDTH),
    FIELD(maxSurface1D, MAXIMUM_SURFACE1D_WIDTH),
    FIELD(maxSurfaceCubemap, MAXIMUM_SURFACECUBEMAP_WIDTH),
    FIELD(concurrentKernels, CONCURRENT_KERNELS),
    FIELD(ECCEnabled, ECC_ENABLED),
    FIELD(pciBusID, PCI_BUS_ID),
    FIELD(pciDeviceID, PCI_DEVICE_ID),
    FIELD(pciDomainID, PCI_DOMAIN_ID),
    FIELD(tccDriver, TCC_DRIVER),
    FIELD(asyncEngineCount, ASYNC_ENGINE_COUNT),
    FIELD(unifiedAddressing, UNIFIED_ADDRESSING),
    FIELD(memoryClockRate, MEMORY_CLOCK_RATE),
    FIELD(memoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH),
    FIELD(l2CacheSize, L2_CACHE_SIZE),
    FIELD(persistingL2CacheMaxSize, MAX_PERSISTING_L2_CACHE_SIZE),
    FIELD(maxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR),
    FIELD(streamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED),
    FIELD(globalL1CacheSupported, GLOBAL_L1_CACHE_SUPPORTED),
    FIELD(localL1CacheSupported, LOCAL_L1_CACHE_SUPPORTED),
    FIELD(regsPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR),
    FIELD(managedMemory, MANAGED_MEMORY),
    FIELD(isMultiGpuBoard, MULTI_GPU_BOARD),
    FIELD(multiGpuBoardGroupID, MULTI_GPU_BOARD_GROUP_ID),
    FIELD(hostNativeAtomicSupported, HOST_NATIVE_ATOMIC_SUPPORTED),
    FIELD(singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
    FIELD(pageableMemoryAccess, PAGEABLE_MEMORY_ACCESS),
    FIELD(concurrentManagedAccess, CONCURRENT_MANAGED_ACCESS),
    FIELD(computePreemptionSupported, COMPUTE_PREEMPTION_SUPPORTED),
    FIELD(canUseHostPointerForRegisteredMem, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM),
    FIELD(cooperativeLaunch, COOPERATIVE_LAUNCH),
    FIELD(cooperativeMultiDeviceLaunch, COOPERATIVE_MULTI_DEVICE_LAUNCH),
    FIELD(pageableMemoryAccessUsesHostPageTables, PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES),
    FIELD(directManagedMemAccessFromHost, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    FIELD(maxBlocksPerMultiProcessor, MAX_BLOCKS_PER_MULTIPROCESSOR),
    FIELD(accessPolicyMaxWindowSize, MAX_ACCESS_POLICY_WINDOW_SIZE),
    FIELD(hostRegisterSupported, HOST_REGISTER_SUPPORTED),
    FIELD(sparseMusaArraySupported, SPARSE_MUSA_ARRAY_SUPPORTED),
    FIELD(hostRegisterReadOnlySupported, READ_ONLY_HOST_REGISTER_SUPPORTED),
    FIELD(timelineSemaphoreInteropSupported, TIMELINE_SEMAPHORE_INTEROP_SUPPORTED),
    FIELD(memoryPoolsSupported, MEMORY_POOLS_SUPPORTED),
    FIELD(gpuDirectRDMASupported, GPU_DIRECT_RDMA_SUPPORTED),
    FIELD(gpuDirectRDMAWritesOrdering, GPU_DIRECT_RDMA_WRITES_ORDERING),
    FIELD(deferredMappingMusaArraySupported, DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED),
};

constexpr SizeField kSizeFields[] = {
    FIELD(sharedMemPerBlock, MAX_SHARED_MEMORY_PER_BLOCK),
    FIELD(memPitch, MAX_PITCH),
    FIELD(totalConstMem, TOTAL_CONSTANT_MEMORY),
    FIELD(textureAlignment, TEXTURE_ALIGNMENT),
    FIELD(texturePitchAlignment, TEXTURE_PITCH_ALIGNMENT),
    FIELD(surfaceAlignment, SURFACE_ALIGNMENT),
    FIELD(sharedMemPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    FIELD(sharedMemPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    FIELD(reservedSharedMemPerBlock, RESERVED_SHARED_MEMORY_PER_BLOCK),
};

#undef FIELD

// From attributes with consecutive numbers.
template <int kCount>
musaError_t fillVector(int device, MUdevice_attribute first, int (&values)[kCount]) {
  for (int i = 0; i < kCount; ++i) {
    MUSART_TRY(muDeviceGetAttribute(&values[i], static_cast<MUdevice_attribute>(first + i), device));
  }
  return musaSuccess;
}

#define VECTOR(field, first) MUSART_TRY(fillVector(device, MU_DEVICE_ATTRIBUTE_##first, prop.field))

musaError_t fillVectors(int device, struct musaDeviceProp& prop) {
  VECTOR(maxThreadsDim, MAX_BLOCK_DIM_X);
  VECTOR(maxGridSize, MAX_GRID_DIM_X);
  VECTOR(maxTexture2D, MAXIMUM_TEXTURE2D_WIDTH);
  VECTOR(maxTexture2DMipmap, MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH);
  VECTOR(maxTexture2DLinear, MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
  VECTOR(maxTexture2DGather, MAXIMUM_TEXTURE2D_GATHER_WIDTH);
  VECTOR(maxTexture3D, MAXIMUM_TEXTURE3D_WIDTH);
  VECTOR(maxTexture3DAlt, MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE);
  VECTOR(maxTexture1DLayered, MAXIMUM_TEXTURE1D_LAYERED_WIDTH);
  VECTOR(maxTexture2DLayered, MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
  VECTOR(maxTextureCubemapLayered, MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH);
  VECTOR(maxSurface2D, MAXIMUM_SURFACE2D_WIDTH);
  VECTOR(maxSurface3D, MAXIMUM_SURFACE3D_WIDTH);
  VECTOR(maxSurface1DLayered, MAXIMUM_SURFACE1D_LAYERED_WIDTH);
  VECTOR(maxSurface2DLayered, MAXIMUM_SURFACE2D_LAYERED_WIDTH);
  VECTOR(maxSurfaceCubemapLayered, MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH);
  return musaSuccess;
}

#undef VECTOR

}  // namespace

musaError_t deviceProperties(int device, struct musaDeviceProp& prop, DeviceAttributeCall* ask) {
  std::memset(&prop, 0, sizeof prop);
  MUSART_TRY(muDeviceGetName(prop.name, sizeof prop.name, device));
  MUSART_TRY(muDeviceGetUuid(&prop.uuid, device));
  MUSART_TRY(muDeviceTotalMem(&prop.totalGlobalMem, device));
  for (const IntField& field : kIntFields) {
    MUSART_TRY(ask(&(prop.*field.member), field.attribute, device));
  }
  for (const SizeField& field : kSizeFields) {
    int value = 0;
    MUSART_TRY(muDeviceGetAttribute(&value, field.attribute, device));
    prop.*field.member = static_cast<size_t>(value);
  }
  return fillVectors(device, prop);
}

}  // namespace musashim::musart
