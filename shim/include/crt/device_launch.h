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
#undef MUSASHIM_RENAMED

MUSASHIM_D musaError_t musaGetLastError(void) { return (musaError_t)__musa_device_last_error(1); }
MUSASHIM_D musaError_t musaPeekAtLastError(void) { return (musaError_t)__musa_device_last_error(0); }

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
