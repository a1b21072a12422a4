/* The runtime API as sources use it: the C API, and in C++ the typed forms of it.
 *
 * mcc includes this header before every MUSA source.
 */
#ifndef MUSASHIM_MUSA_RUNTIME_H
#define MUSASHIM_MUSA_RUNTIME_H
/* Sources ask by this name whether the header was included (the vendor's guard, as CUDA's). */
#define __MUSA_RUNTIME_H__

#include "channel_descriptor.h"
#include "driver_types.h"
#include "library_types.h"
#include "musa_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__MUSACC__)
#include "crt/musa_device.h"
#endif

#if defined(__cplusplus)

#include <stddef.h>

/* ---- Memory ---- */

template <class T>
static inline musaError_t musaMalloc(T** devPtr, size_t size) {
  return ::musaMalloc((void**)(void*)devPtr, size);
}

template <class T>
static inline musaError_t musaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return ::musaHostAlloc((void**)(void*)ptr, size, flags);
}

template <class T>
static inline musaError_t musaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::musaHostAlloc((void**)(void*)ptr, size, flags);
}

template <class T>
static inline musaError_t musaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::musaHostGetDevicePointer((void**)(void*)pDevice, pHost, flags);
}

template <class T>
static inline musaError_t musaMallocManaged(T** devPtr, size_t size,
                                            unsigned int flags = musaMemAttachGlobal) {
  return ::musaMallocManaged((void**)(void*)devPtr, size, flags);
}

template <class T>
static inline musaError_t musaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::musaMallocPitch((void**)(void*)devPtr, pitch, width, height);
}

// Overloads of calls that the vendor's headers lack stand where these do: a call by `::` finds one
// namespace's alone.
namespace musashim_vendor_absent {
template <class T>
static inline musaError_t musaMallocAsync(T** devPtr, size_t size, musaStream_t stream) {
  return ::musaMallocAsync((void**)(void*)devPtr, size, stream);
}
template <class T>
static inline musaError_t musaMallocAsync(T** ptr, size_t size, musaMemPool_t pool, musaStream_t stream) {
  return ::musaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
template <class T>
static inline musaError_t musaMallocFromPoolAsync(T** ptr, size_t size, musaMemPool_t pool,
                                                  musaStream_t stream) {
  return ::musaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
}  // namespace musashim_vendor_absent

template <class T>
static inline musaError_t musaStreamAttachMemAsync(musaStream_t stream, T* devPtr, size_t length = 0,
                                                   unsigned int flags = musaMemAttachSingle) {
  return ::musaStreamAttachMemAsync(stream, (void*)devPtr, length, flags);
}

#if defined(__MUSACC__)
/* As kernels of before CUDA 12 wait for what they launched: now they cannot. */
static inline __host__ __device__ musaError_t __musaDeviceSynchronizeDeprecationAvoidance() {
#ifdef MUSASHIM_DEVICE_COMPILER
  return musaErrorNotSupported;
#else
  return ::musaDeviceSynchronize();
#endif
}
#endif

/* CUDA 13's forms: places instead of numbers of devices. */
static inline musaError_t musaMemPrefetchAsync(const void* devPtr, size_t count,
                                               struct musaMemLocation location, unsigned int flags,
                                               musaStream_t stream = 0) {
  return ::musaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}

static inline musaError_t musaMemAdvise(const void* devPtr, size_t count, enum musaMemoryAdvise advice,
                                        struct musaMemLocation location) {
  return ::musaMemAdvise_v2(devPtr, count, advice, location);
}

static inline musaError_t musaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                               const size_t* sizes, size_t count,
                                               struct musaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                               size_t numAttrs, musaStream_t stream) {
  return ::musaMemcpyBatchAsync((void**)dsts, (void**)srcs, (size_t*)sizes, count, attrs, attrsIdxs, numAttrs,
                                (size_t*)0, stream);
}

static inline musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                                 unsigned long long flags, musaStream_t stream) {
  return ::musaMemcpy3DBatchAsync(numOps, opList, (size_t*)0, flags, stream);
}

/* ---- Symbols: a variable stands for itself ---- */

template <class T>
static inline const void* musashimSymbol(const T& symbol) {
  return (const void*)__builtin_addressof(symbol);
}

template <class T>
static inline musaError_t musaMemcpyToSymbol(const T& symbol, const void* src, size_t count,
                                             size_t offset = 0,
                                             enum musaMemcpyKind kind = musaMemcpyHostToDevice) {
  return ::musaMemcpyToSymbol(musashimSymbol(symbol), src, count, offset, kind);
}

template <class T>
static inline musaError_t musaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                                  size_t offset = 0,
                                                  enum musaMemcpyKind kind = musaMemcpyHostToDevice,
                                                  musaStream_t stream = 0) {
  return ::musaMemcpyToSymbolAsync(musashimSymbol(symbol), src, count, offset, kind, stream);
}

template <class T>
static inline musaError_t musaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                               enum musaMemcpyKind kind = musaMemcpyDeviceToHost) {
  return ::musaMemcpyFromSymbol(dst, musashimSymbol(symbol), count, offset, kind);
}

template <class T>
static inline musaError_t musaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count,
                                                    size_t offset = 0,
                                                    enum musaMemcpyKind kind = musaMemcpyDeviceToHost,
                                                    musaStream_t stream = 0) {
  return ::musaMemcpyFromSymbolAsync(dst, musashimSymbol(symbol), count, offset, kind, stream);
}

template <class T>
static inline musaError_t musaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::musaGetSymbolAddress(devPtr, musashimSymbol(symbol));
}

template <class T>
static inline musaError_t musaGetSymbolSize(size_t* size, const T& symbol) {
  return ::musaGetSymbolSize(size, musashimSymbol(symbol));
}

/* ---- Events ---- */

static inline musaError_t musaEventCreate(musaEvent_t* event, unsigned int flags) {
  return ::musaEventCreateWithFlags(event, flags);
}

/* ---- Kernels: T is a function type ---- */

template <class T>
static inline musaError_t musaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                           size_t sharedMem = 0, musaStream_t stream = 0) {
  return ::musaLaunchKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static inline musaError_t musaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                                      size_t sharedMem = 0, musaStream_t stream = 0) {
  return ::musaLaunchCooperativeKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}

template <typename Value>
struct MusashimIdentity {
  typedef Value type;
};

/* Arguments are converted to the kernel's parameter types first, as a call does. */
template <typename... Parameters>
static inline musaError_t musashimLaunchEx(const musaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                           typename MusashimIdentity<Parameters>::type... values) {
  void* args[sizeof...(Parameters) + 1] = {(void*)__builtin_addressof(values)..., nullptr};
  return ::musaLaunchKernelExC(config, (const void*)kernel, args);
}

template <typename... Parameters, typename... Arguments>
static inline musaError_t musaLaunchKernelEx(const musaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return musashimLaunchEx<Parameters...>(config, kernel, static_cast<Arguments&&>(arguments)...);
}

template <class T>
static inline musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, T* func, void** args) {
  return ::musaLaunchKernelExC(config, (const void*)func, args);
}

template <class T>
static inline musaError_t musaFuncSetCacheConfig(T* func, enum musaFuncCache cacheConfig) {
  return ::musaFuncSetCacheConfig((const void*)func, cacheConfig);
}

template <class T>
static inline musaError_t musaFuncSetSharedMemConfig(T* func, enum musaSharedMemConfig config) {
  return ::musaFuncSetSharedMemConfig((const void*)func, config);
}

template <class T>
static inline musaError_t musaFuncGetAttributes(struct musaFuncAttributes* attr, T* func) {
  return ::musaFuncGetAttributes(attr, (const void*)func);
}

template <class T>
static inline musaError_t musaFuncSetAttribute(T* func, enum musaFuncAttribute attr, int value) {
  return ::musaFuncSetAttribute((const void*)func, attr, value);
}

template <class T>
static inline musaError_t musaFuncGetName(const char** name, T* func) {
  return ::musaFuncGetName(name, (const void*)func);
}

template <class T>
static inline musaError_t musaGetFuncBySymbol(musaFunction_t* functionPtr, T* symbolPtr) {
  return ::musaGetFuncBySymbol(functionPtr, (const void*)symbolPtr);
}

/* ---- Occupancy ---- */

template <class T>
static inline musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T* func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize) {
  return ::musaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)func, blockSize,
                                                         dynamicSMemSize);
}

template <class T>
static inline musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T* func,
                                                                                 int blockSize,
                                                                                 size_t dynamicSMemSize,
                                                                                 unsigned int flags) {
  return ::musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)func, blockSize,
                                                                  dynamicSMemSize, flags);
}

template <class T>
static inline musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T* func,
                                                                    int numBlocks, int blockSize) {
  return ::musaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void*)func, numBlocks,
                                                     blockSize);
}

/* The block size with the most resident threads, and the grid that then fills the
 * device. Tries every multiple of a warp, largest first, so that ties go to it. */
template <typename UnaryFunction, class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (!minGridSize || !blockSize) return musaErrorInvalidValue;
  int device = 0, processors = 0, warp = 0;
  struct musaFuncAttributes attributes;
  musaError_t error = ::musaGetDevice(&device);
  if (error == musaSuccess) {
    error = ::musaDeviceGetAttribute(&processors, musaDevAttrMultiProcessorCount, device);
  }
  if (error == musaSuccess) error = ::musaDeviceGetAttribute(&warp, musaDevAttrWarpSize, device);
  if (error == musaSuccess) error = ::musaFuncGetAttributes(&attributes, (const void*)func);
  if (error != musaSuccess) return error;

  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  int bestThreads = 0;
  *minGridSize = 0;
  *blockSize = 0;
  for (int aligned = (limit + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
    int size = aligned < limit ? aligned : limit;
    int blocks = 0;
    error = ::musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void*)func, size,
                                                                     blockSizeToDynamicSMemSize(size), flags);
    if (error != musaSuccess) return error;
    if (blocks * size > bestThreads) {
      bestThreads = blocks * size;
      *minGridSize = blocks * processors;
      *blockSize = size;
    }
  }
  return musaSuccess;
}

template <typename UnaryFunction, class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSizeVariableSMem(
    int* minGridSize, int* blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0) {
  return musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                 blockSizeToDynamicSMemSize, blockSizeLimit);
}

struct MusashimFixedSMem {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};

template <class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                                      T func, size_t dynamicSMemSize = 0,
                                                                      int blockSizeLimit = 0,
                                                                      unsigned int flags = 0) {
  MusashimFixedSMem fixed = {dynamicSMemSize};
  return musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, fixed,
                                                                 blockSizeLimit, flags);
}

template <class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                             size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0) {
  return musaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize,
                                                     blockSizeLimit, 0);
}

#include "crt/graph_functions.h"
#if defined(__MUSACC__)
#include "crt/reference_binding.h"
#endif

#endif /* __cplusplus */

#endif /* MUSASHIM_MUSA_RUNTIME_H */
