// Stream-ordered allocation and memory pools.
#include "musart/api/runtime.h"

using namespace musashim::musart;

extern "C" {

musaError_t musaMallocAsync(void** devPtr, size_t size, musaStream_t hStream) {
  return apiCall(
      "musaMallocAsync",
      [&]() -> musaError_t {
        MUSART_REQUIRE(devPtr, musaErrorInvalidValue);
        *devPtr = nullptr;
        if (size == 0) return musaSuccess;
        MUdeviceptr address = 0;
        MUSART_TRY(muMemAllocAsync(&address, size, hStream));
        *devPtr = toPointer(address);
        return musaSuccess;
      },
      devPtr, size, hStream);
}

musaError_t musaMallocFromPoolAsync(void** ptr, size_t size, musaMemPool_t memPool, musaStream_t stream) {
  return apiCall(
      "musaMallocFromPoolAsync",
      [&]() -> musaError_t {
        MUSART_REQUIRE(ptr, musaErrorInvalidValue);
        *ptr = nullptr;
        if (size == 0) return musaSuccess;
        MUdeviceptr address = 0;
        MUSART_TRY(muMemAllocFromPoolAsync(&address, size, memPool, stream));
        *ptr = toPointer(address);
        return musaSuccess;
      },
      ptr, size, memPool, stream);
}

musaError_t musaFreeAsync(void* devPtr, musaStream_t hStream) {
  return apiCall(
      "musaFreeAsync", [&] { return fromDriver(muMemFreeAsync(toDevicePtr(devPtr), hStream)); }, devPtr,
      hStream);
}

musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t* memPool, int device) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetDefaultMemPool", [&] { return fromDriver(muDeviceGetDefaultMemPool(memPool, device)); },
      memPool, device);
}

musaError_t musaDeviceGetMemPool(musaMemPool_t* memPool, int device) {
  return apiCall<Needs::kDriver>(
      "musaDeviceGetMemPool", [&] { return fromDriver(muDeviceGetMemPool(memPool, device)); }, memPool,
      device);
}

musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return apiCall(
      "musaMemPoolSetAttribute",
      [&] {
        return fromDriver(muMemPoolSetAttribute(memPool, static_cast<MUmemPool_attribute>(attr), value));
      },
      memPool, attr, value);
}

musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return apiCall(
      "musaMemPoolGetAttribute",
      [&] {
        return fromDriver(muMemPoolGetAttribute(memPool, static_cast<MUmemPool_attribute>(attr), value));
      },
      memPool, attr, value);
}

musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep) {
  return apiCall(
      "musaMemPoolTrimTo", [&] { return fromDriver(muMemPoolTrimTo(memPool, minBytesToKeep)); }, memPool,
      minBytesToKeep);
}

}  // extern "C"
