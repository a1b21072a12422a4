// Stream-ordered allocation and the devices' memory pools.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/graph/nodes/memory_nodes.h"
#include "musa/memory/memory.h"

using namespace musashim::musa;

namespace {

// From the stream's device's pool, or from `pool`.
Result allocateInStream(MUdeviceptr* dptr, size_t bytes, MUstream hStream, Pool* pool = nullptr) {
  MUSA_REQUIRE(dptr, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  if (bytes == 0) {
    *dptr = 0;
    return {};
  }
  if (stream->isCapturing()) return captureAllocation(*stream, bytes, *dptr);
  void* pointer = nullptr;
  if (!pool) pool = &stream->context().device().memPool();
  MUSA_TRY(allocateAsync(*stream, bytes, *pool, pointer));
  *dptr = toDevicePtr(pointer);
  return {};
}

Result defaultPool(MUmemoryPool* out, MUdevice dev) {
  DeviceState* device = nullptr;
  MUSA_TRY(findDevice(dev, device));
  MUSA_REQUIRE(out, MUSA_ERROR_INVALID_VALUE, "null pointer");
  *out = reinterpret_cast<MUmemoryPool>(&device->pool());
  return {};
}

}  // namespace

extern "C" {

MUresult muMemAllocAsync(MUdeviceptr* dptr, size_t bytesize, MUstream hStream) {
  return apiCall(
      "muMemAllocAsync", [&] { return allocateInStream(dptr, bytesize, hStream); }, dptr, bytesize, hStream);
}

MUresult muMemAllocFromPoolAsync(MUdeviceptr* dptr, size_t bytesize, MUmemoryPool pool, MUstream hStream) {
  return apiCall(
      "muMemAllocFromPoolAsync",
      [&]() -> Result {
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
        MUSA_REQUIRE(&stream->context().device() == &found->device, MUSA_ERROR_INVALID_VALUE,
                     "pool and stream belong to different devices");
        MUSA_REQUIRE(found->origin != Pool::Origin::kImported, MUSA_ERROR_INVALID_VALUE,
                     "nothing can be allocated from another process's pool");
        return allocateInStream(dptr, bytesize, hStream, found);
      },
      dptr, bytesize, pool, hStream);
}

MUresult muMemFreeAsync(MUdeviceptr dptr, MUstream hStream) {
  return apiCall(
      "muMemFreeAsync",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
        if (dptr && stream->isCapturing()) return captureFree(*stream, dptr);
        return dptr ? freeAsync(*stream, toPointer(dptr)) : Result();
      },
      dptr, hStream);
}

MUresult muDeviceGetDefaultMemPool(MUmemoryPool* pool_out, MUdevice dev) {
  return apiCall("muDeviceGetDefaultMemPool", [&] { return defaultPool(pool_out, dev); }, pool_out, dev);
}

MUresult muDeviceGetMemPool(MUmemoryPool* pool, MUdevice dev) {
  return apiCall(
      "muDeviceGetMemPool",
      [&]() -> Result {
        MUSA_REQUIRE(pool, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        *pool = reinterpret_cast<MUmemoryPool>(&device->memPool());
        return {};
      },
      pool, dev);
}

MUresult muMemPoolSetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void* value) {
  return apiCall(
      "muMemPoolSetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        switch (attr) {
          case MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
          case MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
          case MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            found->reuse[attr] = *static_cast<int*>(value);
            return {};
          case MU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            found->releaseThreshold = *static_cast<muuint64_t*>(value);
            return {};
          case MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
          case MU_MEMPOOL_ATTR_USED_MEM_HIGH:
            MUSA_REQUIRE(*static_cast<muuint64_t*>(value) == 0, MUSA_ERROR_INVALID_VALUE,
                         "a high mark can only be set to 0");
            found->usedHigh = found->used.load();
            return {};
          default:
            return {MUSA_ERROR_INVALID_VALUE, "the attribute cannot be set"};
        }
      },
      pool, attr, value);
}

MUresult muMemPoolGetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void* value) {
  return apiCall(
      "muMemPoolGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        switch (attr) {
          case MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
          case MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
          case MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
            *static_cast<int*>(value) = found->reuse[attr];
            return {};
          case MU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
            *static_cast<muuint64_t*>(value) = found->releaseThreshold;
            return {};
          // The pool holds nothing back: what is reserved is in use.
          case MU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
          case MU_MEMPOOL_ATTR_USED_MEM_CURRENT:
            *static_cast<muuint64_t*>(value) = found->used;
            return {};
          case MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
          case MU_MEMPOOL_ATTR_USED_MEM_HIGH:
            *static_cast<muuint64_t*>(value) = found->usedHigh;
            return {};
        }
        return {MUSA_ERROR_INVALID_VALUE, "unknown attribute"};
      },
      pool, attr, value);
}

MUresult muMemPoolTrimTo(MUmemoryPool pool, size_t minBytesToKeep) {
  return apiCall(
      "muMemPoolTrimTo",
      [&]() -> Result {
        Pool* found = nullptr;
        return findPool(pool, found);  // freed memory went back to the device already
      },
      pool, minBytesToKeep);
}

}  // extern "C"
