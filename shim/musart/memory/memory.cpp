// Memory: allocation, page-locking, copies and fills of one dimension.
#include "musart/memory/memory.h"

#include "musart/api/runtime.h"

using namespace musashim::musart;

namespace musashim::musart {

musaError_t copy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind) {
  if (count == 0) return musaSuccess;  // whatever the rest says
  switch (kind) {
    case musaMemcpyHostToDevice:
      return fromDriver(muMemcpyHtoD(toDevicePtr(dst), src, count));
    case musaMemcpyDeviceToHost:
      return fromDriver(muMemcpyDtoH(dst, toDevicePtr(src), count));
    case musaMemcpyDeviceToDevice:
      return fromDriver(muMemcpyDtoD(toDevicePtr(dst), toDevicePtr(src), count));
    case musaMemcpyHostToHost:
    case musaMemcpyDefault:
      return fromDriver(muMemcpy(toDevicePtr(dst), toDevicePtr(src), count));
  }
  return musaErrorInvalidMemcpyDirection;
}

musaError_t copyAsync(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                      musaStream_t stream) {
  if (count == 0) return musaSuccess;
  switch (kind) {
    case musaMemcpyHostToDevice:
      return fromDriver(muMemcpyHtoDAsync(toDevicePtr(dst), src, count, stream));
    case musaMemcpyDeviceToHost:
      return fromDriver(muMemcpyDtoHAsync(dst, toDevicePtr(src), count, stream));
    case musaMemcpyDeviceToDevice:
      return fromDriver(muMemcpyDtoDAsync(toDevicePtr(dst), toDevicePtr(src), count, stream));
    case musaMemcpyHostToHost:
    case musaMemcpyDefault:
      return fromDriver(muMemcpyAsync(toDevicePtr(dst), toDevicePtr(src), count, stream));
  }
  return musaErrorInvalidMemcpyDirection;
}

}  // namespace musashim::musart

namespace {

musaError_t allocatePinned(void** pointer, size_t size, unsigned flags) {
  MUSART_REQUIRE(pointer, musaErrorInvalidValue);
  *pointer = nullptr;
  return size ? fromDriver(muMemHostAlloc(pointer, size, flags)) : musaSuccess;
}

}  // namespace

extern "C" {

musaError_t musaMalloc(void** devPtr, size_t size) {
  return apiCall(
      "musaMalloc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(devPtr, musaErrorInvalidValue);
        *devPtr = nullptr;
        if (size == 0) return musaSuccess;
        MUdeviceptr address = 0;
        MUSART_TRY(muMemAlloc(&address, size));
        *devPtr = toPointer(address);
        return musaSuccess;
      },
      devPtr, size);
}

musaError_t musaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return apiCall(
      "musaMallocManaged",
      [&]() -> musaError_t {
        MUSART_REQUIRE(devPtr && (flags == musaMemAttachGlobal || flags == musaMemAttachHost),
                       musaErrorInvalidValue);
        *devPtr = nullptr;
        if (size == 0) return musaSuccess;
        MUdeviceptr address = 0;
        MUSART_TRY(muMemAllocManaged(&address, size, flags));
        *devPtr = toPointer(address);
        return musaSuccess;
      },
      devPtr, size, flags);
}

musaError_t musaMallocHost(void** ptr, size_t size) {
  return apiCall("musaMallocHost", [&] { return allocatePinned(ptr, size, 0); }, ptr, size);
}

musaError_t musaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return apiCall("musaHostAlloc", [&] { return allocatePinned(pHost, size, flags); }, pHost, size, flags);
}

musaError_t musaFree(void* devPtr) {
  return apiCall("musaFree", [&] { return fromDriver(muMemFree(toDevicePtr(devPtr))); }, devPtr);
}

musaError_t musaFreeHost(void* ptr) {
  return apiCall("musaFreeHost", [&] { return fromDriver(muMemFreeHost(ptr)); }, ptr);
}

musaError_t musaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return apiCall(
      "musaHostRegister", [&] { return fromDriver(muMemHostRegister(ptr, size, flags)); }, ptr, size, flags);
}

musaError_t musaHostUnregister(void* ptr) {
  return apiCall("musaHostUnregister", [&] { return fromDriver(muMemHostUnregister(ptr)); }, ptr);
}

musaError_t musaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return apiCall(
      "musaHostGetDevicePointer",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pDevice, musaErrorInvalidValue);
        MUdeviceptr address = 0;
        MUSART_TRY(muMemHostGetDevicePointer(&address, pHost, flags));
        *pDevice = toPointer(address);
        return musaSuccess;
      },
      pDevice, pHost, flags);
}

musaError_t musaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return apiCall(
      "musaHostGetFlags", [&] { return fromDriver(muMemHostGetFlags(pFlags, pHost)); }, pFlags, pHost);
}

musaError_t musaMemGetInfo(size_t* free, size_t* total) {
  return apiCall("musaMemGetInfo", [&] { return fromDriver(muMemGetInfo(free, total)); }, free, total);
}

musaError_t musaPointerGetAttributes(struct musaPointerAttributes* attributes, const void* ptr) {
  return apiCall<Needs::kDriver>(  // what a pointer is depends on no context
      "musaPointerGetAttributes",
      [&]() -> musaError_t {
        MUSART_REQUIRE(attributes, musaErrorInvalidValue);
        unsigned type = 0;
        bool managed = false;
        int device = musaInvalidDeviceId;
        MUpointer_attribute wanted[] = {MU_POINTER_ATTRIBUTE_MEMORY_TYPE, MU_POINTER_ATTRIBUTE_IS_MANAGED,
                                        MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
        void* values[] = {&type, &managed, &device};
        MUSART_TRY(muPointerGetAttributes(3, wanted, values, toDevicePtr(ptr)));
        // One address space: memory that both sides see has the same address for both.
        void* const pointer = const_cast<void*>(ptr);
        if (type == 0) {
          *attributes = {musaMemoryTypeUnregistered, musaInvalidDeviceId, nullptr, pointer};
        } else if (managed) {
          *attributes = {musaMemoryTypeManaged, device, pointer, pointer};
        } else if (type == MU_MEMORYTYPE_HOST) {
          *attributes = {musaMemoryTypeHost, device, pointer, pointer};
        } else {
          *attributes = {musaMemoryTypeDevice, device, pointer, nullptr};
        }
        return musaSuccess;
      },
      attributes, ptr);
}

musaError_t musaMemcpy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind) {
  return apiCall("musaMemcpy", [&] { return copy(dst, src, count, kind); }, dst, src, count, kind);
}

musaError_t musaMemcpyAsync(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                            musaStream_t stream) {
  return apiCall(
      "musaMemcpyAsync", [&] { return copyAsync(dst, src, count, kind, stream); }, dst, src, count, kind,
      stream);
}

musaError_t musaMemset(void* devPtr, int value, size_t count) {
  return apiCall(
      "musaMemset",
      [&] { return fromDriver(muMemsetD8(toDevicePtr(devPtr), static_cast<unsigned char>(value), count)); },
      devPtr, value, count);
}

musaError_t musaMemsetAsync(void* devPtr, int value, size_t count, musaStream_t stream) {
  return apiCall(
      "musaMemsetAsync",
      [&] {
        return fromDriver(
            muMemsetD8Async(toDevicePtr(devPtr), static_cast<unsigned char>(value), count, stream));
      },
      devPtr, value, count, stream);
}

musaError_t musaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice, musaStream_t stream) {
  return apiCall(
      "musaMemPrefetchAsync",
      [&] { return fromDriver(muMemPrefetchAsync(toDevicePtr(devPtr), count, dstDevice, stream)); }, devPtr,
      count, dstDevice, stream);
}

musaError_t musaMemAdvise(const void* devPtr, size_t count, enum musaMemoryAdvise advice, int device) {
  return apiCall(
      "musaMemAdvise",
      [&] {
        return fromDriver(muMemAdvise(toDevicePtr(devPtr), count, static_cast<MUmem_advise>(advice), device));
      },
      devPtr, count, advice, device);
}

}  // extern "C"
