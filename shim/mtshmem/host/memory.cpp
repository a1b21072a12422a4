// The symmetric heap's calls, and launches of kernels that wait for each other.
#include <cstring>
#include <stdexcept>

#include "mtshmem/host/runtime.h"

using musashim::mtshmem::giveUp;
using musashim::mtshmem::Runtime;

namespace {

void* allocate(const char* name, size_t bytes, size_t alignment) {
  if (!Runtime::get().isBegun()) giveUp(name, "called before mtshmem_init()");
  if (bytes == 0) return nullptr;
  try {
    return Runtime::get().allocate(bytes, alignment);
  } catch (const std::exception& error) {
    giveUp(name, error.what());
  }
}

}  // namespace

extern "C" {

MTSHMEM_EXPORT void* mtshmem_malloc(size_t size) { return allocate("mtshmem_malloc", size, 1); }

MTSHMEM_EXPORT void* mtshmem_calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void* const place = allocate("mtshmem_calloc", bytes, 1);
  if (place == nullptr) return nullptr;
  const mtshmemi::HostCall call("mtshmem_calloc");
  std::memset(place, 0, bytes);
  mtshmemi::barrier<mtshmemi::Host>(0);
  return place;
}

MTSHMEM_EXPORT void* mtshmem_align(size_t alignment, size_t size) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) return nullptr;
  return allocate("mtshmem_align", size, alignment);
}

MTSHMEM_EXPORT void mtshmem_free(void* ptr) { Runtime::get().release(ptr); }

MTSHMEM_EXPORT void* mtshmem_ptr(const void* dest, int pe) {
  return mtshmemi::isFar(pe) ? nullptr : const_cast<char*>(mtshmemi::at(static_cast<const char*>(dest), pe));
}

MTSHMEM_EXPORT int mtshmemx_cumodule_init(MUmodule module) {
  if (!Runtime::get().isBegun()) giveUp("mtshmemx_cumodule_init", "called before mtshmem_init()");
  try {
    return Runtime::get().addModule(module) ? MTSHMEMX_SUCCESS : MTSHMEMX_ERROR_INVALID_VALUE;
  } catch (const std::exception& error) {
    giveUp("mtshmemx_cumodule_init", error.what());
  }
}

MTSHMEM_EXPORT int mtshmemx_cumodule_finalize(MUmodule module) {
  Runtime::get().removeModule(module);
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_collective_launch(const void* func, dim3 grid, dim3 block, void** args,
                                              size_t shared, musaStream_t stream) {
  { const mtshmemi::HostCall call("mtshmemx_collective_launch"); }
  return musaLaunchCooperativeKernel(func, grid, block, args, shared, stream);
}

MTSHMEM_EXPORT int mtshmemx_collective_launch_query_gridsize(const void* func, dim3 block, void** /*args*/,
                                                             size_t shared, int* gridsize) {
  int device = 0, processors = 0, blocks = 0;
  musaError_t error = musaGetDevice(&device);
  if (error == musaSuccess)
    error = musaDeviceGetAttribute(&processors, musaDevAttrMultiProcessorCount, device);
  if (error == musaSuccess)
    error = musaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, func, static_cast<int>(block.x * block.y * block.z), shared);
  *gridsize = processors * blocks;
  return error;
}

}  // extern "C"
