/* What device code may call of the runtime beside its launches (dynamic parallelism, by
 * CUDA's rules since 12: no waiting for what was launched). Grids of device code run when
 * the one that launched them has ended, in the order of the launches; so all streams are
 * in order. Kernels of other files need -rdc=true. */
#ifndef MUSASHIM_CRT_DEVICE_LAUNCH_H
#define MUSASHIM_CRT_DEVICE_LAUNCH_H

#if defined(__MUSACC__)

#include "../driver_types.h"
#include "device_runtime.h"

/* As numbers of abi/musa_device_abi.h: after all else that the grid launched; at once. */
#define musaStreamTailLaunch ((musaStream_t)0x3)
#define musaStreamFireAndForget ((musaStream_t)0x4)

extern "C" {
MUSASHIM_RUNTIME int32_t __musa_device_last_error(int32_t clear);
MUSASHIM_RUNTIME int32_t __musa_device_copy(void* to, uint64_t to_pitch, const void* from,
                                            uint64_t from_pitch, uint64_t width, uint64_t height,
                                            uint64_t stream);
MUSASHIM_RUNTIME int32_t __musa_device_fill(void* to, uint64_t pitch, int32_t value, uint64_t width,
                                            uint64_t height, uint64_t stream);
MUSASHIM_RUNTIME int32_t __musa_device_ordinal(void);
MUSASHIM_RUNTIME int32_t __musa_device_count(void);
MUSASHIM_RUNTIME int32_t __musa_device_attribute(int32_t* value, int32_t id, int32_t ordinal);
MUSASHIM_RUNTIME uint64_t __musa_device_heap_bytes(void);
MUSASHIM_RUNTIME uint64_t __musa_device_printf_bytes(void);

#define MUSASHIM_RENAMED(name) __asm__("__musa_device_" name)
MUSASHIM_D musaError_t musaGetLastError(void) MUSASHIM_RENAMED("musaGetLastError");
MUSASHIM_D musaError_t musaPeekAtLastError(void) MUSASHIM_RENAMED("musaPeekAtLastError");
MUSASHIM_D musaError_t musaStreamCreateWithFlags(musaStream_t* stream, unsigned int flags)
    MUSASHIM_RENAMED("musaStreamCreateWithFlags");
MUSASHIM_D musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags)
    MUSASHIM_RENAMED("musaStreamWaitEvent");
MUSASHIM_D musaError_t musaEventCreateWithFlags(musaEvent_t* event, unsigned int flags)
    MUSASHIM_RENAMED("musaEventCreateWithFlags");
MUSASHIM_D musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream)
    MUSASHIM_RENAMED("musaEventRecord");
MUSASHIM_D musaError_t musaEventDestroy(musaEvent_t event) MUSASHIM_RENAMED("musaEventDestroy");
MUSASHIM_D musaError_t musaStreamDestroy(musaStream_t stream) MUSASHIM_RENAMED("musaStreamDestroy");
MUSASHIM_D musaError_t musaMalloc(void** pointer, size_t bytes) MUSASHIM_RENAMED("musaMalloc");
MUSASHIM_D musaError_t musaFree(void* pointer) MUSASHIM_RENAMED("musaFree");
MUSASHIM_D musaError_t musaGetDevice(int* device) MUSASHIM_RENAMED("musaGetDevice");
MUSASHIM_D musaError_t musaGetDeviceCount(int* count) MUSASHIM_RENAMED("musaGetDeviceCount");
MUSASHIM_D musaError_t musaDeviceGetAttribute(int* value, musaDeviceAttr attribute, int device)
    MUSASHIM_RENAMED("musaDeviceGetAttribute");
#ifdef MUSASHIM_CUDA_SOURCE
MUSASHIM_D musaError_t cudaDeviceGetAttribute(int* value, musaDeviceAttr attribute, int device)
    MUSASHIM_RENAMED("cudaDeviceGetAttribute");
#endif
MUSASHIM_D musaError_t musaDeviceGetLimit(size_t* value, musaLimit limit)
    MUSASHIM_RENAMED("musaDeviceGetLimit");
MUSASHIM_D musaError_t musaMemcpyAsync(void* to, const void* from, size_t bytes, musaMemcpyKind kind,
                                       musaStream_t stream = 0) MUSASHIM_RENAMED("musaMemcpyAsync");
MUSASHIM_D musaError_t musaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                         size_t width, size_t height, musaMemcpyKind kind,
                                         musaStream_t stream = 0) MUSASHIM_RENAMED("musaMemcpy2DAsync");
MUSASHIM_D musaError_t musaMemsetAsync(void* to, int value, size_t bytes, musaStream_t stream = 0)
    MUSASHIM_RENAMED("musaMemsetAsync");
MUSASHIM_D musaError_t musaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                         musaStream_t stream = 0) MUSASHIM_RENAMED("musaMemset2DAsync");
MUSASHIM_D const char* musaGetErrorName(musaError_t error) MUSASHIM_RENAMED("musaGetErrorName");
MUSASHIM_D const char* musaGetErrorString(musaError_t error) MUSASHIM_RENAMED("musaGetErrorString");
#undef MUSASHIM_RENAMED

MUSASHIM_D musaError_t musaGetLastError(void) { return (musaError_t)__musa_device_last_error(1); }
MUSASHIM_D musaError_t musaPeekAtLastError(void) { return (musaError_t)__musa_device_last_error(0); }

#include "musa_detail/error_texts.h"
MUSASHIM_D const char* musaGetErrorName(musaError_t error) { return __musa_error_text(error, true); }
MUSASHIM_D const char* musaGetErrorString(musaError_t error) { return __musa_error_text(error, false); }

MUSASHIM_D musaError_t musaGetDevice(int* device) {
  *device = __musa_device_ordinal();
  return musaSuccess;
}
MUSASHIM_D musaError_t musaGetDeviceCount(int* count) {
  *count = __musa_device_count();
  return musaSuccess;
}
MUSASHIM_D musaError_t musaDeviceGetAttribute(int* value, musaDeviceAttr attribute, int device) {
  if (device < 0 || device >= __musa_device_count()) return musaErrorInvalidDevice;
  return __musa_device_attribute(value, int32_t(attribute), device) ? musaSuccess : musaErrorInvalidValue;
}
#ifdef MUSASHIM_CUDA_SOURCE
/* Its compute capability is the one that device code is compiled for. */
MUSASHIM_D musaError_t cudaDeviceGetAttribute(int* value, musaDeviceAttr attribute, int device) {
  const musaError_t error = musaDeviceGetAttribute(value, attribute, device);
#ifdef __CUDA_ARCH__
  if (error == musaSuccess && attribute == musaDevAttrComputeCapabilityMajor) *value = __CUDA_ARCH__ / 100;
  if (error == musaSuccess && attribute == musaDevAttrComputeCapabilityMinor)
    *value = __CUDA_ARCH__ / 10 % 10;
#endif
  return error;
}
#endif
/* PTX's %nsmid, and %smid: "where a thread runs now". Blocks run on whatever processor is free, so they take
 * turns by their index, and all threads of a block have the same. */
MUSASHIM_D unsigned int __musa_nsmid(void) {
  int count = 1;
  __musa_device_attribute(&count, musaDevAttrMultiProcessorCount, __musa_device_ordinal());
  return (unsigned int)count;
}
MUSASHIM_D unsigned int __musa_smid(void) {
  return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) % __musa_nsmid();
}
MUSASHIM_D musaError_t musaDeviceGetLimit(size_t* value, musaLimit limit) {
  if (limit != musaLimitMallocHeapSize && limit != musaLimitPrintfFifoSize) return musaErrorUnsupportedLimit;
  *value = limit == musaLimitMallocHeapSize ? __musa_device_heap_bytes() : __musa_device_printf_bytes();
  return musaSuccess;
}

/* Within device memory, as CUDA's device runtime has them. */
MUSASHIM_D musaError_t musaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                         size_t width, size_t height, musaMemcpyKind kind,
                                         musaStream_t stream) {
  if (kind != musaMemcpyDeviceToDevice && kind != musaMemcpyDefault) return musaErrorInvalidMemcpyDirection;
  if (height > 1 && (to_pitch < width || from_pitch < width)) return musaErrorInvalidPitchValue;
  return (musaError_t)__musa_device_copy(to, to_pitch, from, from_pitch, width, height, (uint64_t)stream);
}
MUSASHIM_D musaError_t musaMemcpyAsync(void* to, const void* from, size_t bytes, musaMemcpyKind kind,
                                       musaStream_t stream) {
  return musaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
MUSASHIM_D musaError_t musaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                         musaStream_t stream) {
  if (height > 1 && pitch < width) return musaErrorInvalidPitchValue;
  return (musaError_t)__musa_device_fill(to, pitch, value, width, height, (uint64_t)stream);
}
MUSASHIM_D musaError_t musaMemsetAsync(void* to, int value, size_t bytes, musaStream_t stream) {
  return musaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}

/* One name for all: launches of a grid are in order, whatever their stream. */
MUSASHIM_D musaError_t musaStreamCreateWithFlags(musaStream_t* stream, unsigned int flags) {
  if (flags != musaStreamNonBlocking) return musaErrorInvalidValue;
  *stream = (musaStream_t)0x10;
  return musaSuccess;
}
MUSASHIM_D musaError_t musaStreamDestroy(musaStream_t stream) {
  return stream == (musaStream_t)0x10 ? musaSuccess : musaErrorInvalidResourceHandle;
}

/* So there is nothing that an event would have to hold back. */
#define MUSASHIM_DEVICE_EVENT ((musaEvent_t)0x20)
MUSASHIM_D musaError_t musaEventCreateWithFlags(musaEvent_t* event, unsigned int flags) {
  if (flags != musaEventDisableTiming) return musaErrorInvalidValue;
  *event = MUSASHIM_DEVICE_EVENT;
  return musaSuccess;
}
MUSASHIM_D musaError_t musaEventRecord(musaEvent_t event, musaStream_t) {
  return event == MUSASHIM_DEVICE_EVENT ? musaSuccess : musaErrorInvalidResourceHandle;
}
MUSASHIM_D musaError_t musaStreamWaitEvent(musaStream_t, musaEvent_t event, unsigned int flags) {
  if (flags != 0) return musaErrorInvalidValue;
  return event == MUSASHIM_DEVICE_EVENT ? musaSuccess : musaErrorInvalidResourceHandle;
}
MUSASHIM_D musaError_t musaEventDestroy(musaEvent_t event) {
  return event == MUSASHIM_DEVICE_EVENT ? musaSuccess : musaErrorInvalidResourceHandle;
}
#undef MUSASHIM_DEVICE_EVENT

/* What compilers make of launches elsewhere, and waiting for them: here a launch has to name its kernel, and
 * no kernel waits. Headers of older CUDA libraries call them by name. */
MUSASHIM_D void* musaGetParameterBuffer(size_t, size_t) { return nullptr; }
MUSASHIM_D void* musaGetParameterBufferV2(void*, dim3, dim3, unsigned int) { return nullptr; }
MUSASHIM_D musaError_t musaLaunchDevice(void*, void*, dim3, dim3, unsigned int, musaStream_t) {
  return musaErrorNotSupported;
}
MUSASHIM_D musaError_t musaLaunchDeviceV2(void*, musaStream_t) { return musaErrorNotSupported; }

/* Of the heap that malloc() in kernels uses; musaLimitMallocHeapSize is its size. */
MUSASHIM_D musaError_t musaMalloc(void** pointer, size_t bytes) {
  *pointer = malloc(bytes);
  return *pointer != nullptr ? musaSuccess : musaErrorMemoryAllocation;
}
MUSASHIM_D musaError_t musaFree(void* pointer) {
  free(pointer);
  return musaSuccess;
}
}

#endif
#endif
