// Pools of the user's own, and pools and their memory in other processes.
#include <fmt/format.h>

#include <cstring>

#include "musa/api/api_call.h"
#include "musa/memory/memory.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

Result checkProperties(const MUmemPoolProps* props, DeviceState*& device) {
  MUSA_REQUIRE(props, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_REQUIRE(props->allocType == MU_MEM_ALLOCATION_TYPE_PINNED, MUSA_ERROR_INVALID_VALUE,
               "unknown type of memory");
  MUSA_REQUIRE(props->location.type == MU_MEM_LOCATION_TYPE_DEVICE, MUSA_ERROR_INVALID_VALUE,
               "not on a device");
  MUSA_REQUIRE(props->handleTypes == MU_MEM_HANDLE_TYPE_NONE ||
                   props->handleTypes == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
               MUSA_ERROR_INVALID_VALUE, "unknown handle type");
  MUSA_REQUIRE(driver().device(props->location.id), MUSA_ERROR_INVALID_VALUE,
               fmt::format("no device {}", props->location.id));
  return findDevice(props->location.id, device);
}

Result usePool(DeviceState& device, MUmemoryPool pool) {
  Pool* found = nullptr;
  MUSA_TRY(findPool(pool, found));
  MUSA_REQUIRE(&found->device == &device && found->origin != Pool::Origin::kImported,
               MUSA_ERROR_INVALID_VALUE, "a pool of another device or process");
  device.useMemPool(*found);
  return {};
}

// Pools are of the devices' own memory.
Result deviceOfPlace(const MUmemLocation* place, MUmemAllocationType type, DeviceState*& device) {
  MUSA_REQUIRE(place && place->type == MU_MEM_LOCATION_TYPE_DEVICE && type == MU_MEM_ALLOCATION_TYPE_PINNED,
               MUSA_ERROR_INVALID_VALUE, "no pools of such memory");
  device = driver().device(place->id);
  MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, fmt::format("no device {}", place->id));
  return {};
}

// What a pool's descriptor says.
struct PoolWord {
  static constexpr uint64_t kMagic = 0x316c6f6f50736d61ull;
  uint64_t magic = kMagic;
  uint64_t device = 0;  // the backend's index
};

}  // namespace

extern "C" {

MUresult muDeviceSetMemPool(MUdevice dev, MUmemoryPool pool) {
  return apiCall(
      "muDeviceSetMemPool",
      [&]() -> Result {
        DeviceState* device = driver().device(dev);
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, fmt::format("no device {}", dev));
        return usePool(*device, pool);
      },
      dev, pool);
}

MUresult muMemGetDefaultMemPool(MUmemoryPool* pool_out, MUmemLocation* location, MUmemAllocationType type) {
  return apiCall(
      "muMemGetDefaultMemPool",
      [&]() -> Result {
        MUSA_REQUIRE(pool_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(deviceOfPlace(location, type, device));
        *pool_out = reinterpret_cast<MUmemoryPool>(&device->pool());
        return {};
      },
      pool_out, location, type);
}

MUresult muMemGetMemPool(MUmemoryPool* pool, MUmemLocation* location, MUmemAllocationType type) {
  return apiCall(
      "muMemGetMemPool",
      [&]() -> Result {
        MUSA_REQUIRE(pool, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(deviceOfPlace(location, type, device));
        *pool = reinterpret_cast<MUmemoryPool>(&device->memPool());
        return {};
      },
      pool, location, type);
}

MUresult muMemSetMemPool(MUmemLocation* location, MUmemAllocationType type, MUmemoryPool pool) {
  return apiCall(
      "muMemSetMemPool",
      [&]() -> Result {
        DeviceState* device = nullptr;
        MUSA_TRY(deviceOfPlace(location, type, device));
        return usePool(*device, pool);
      },
      location, type, pool);
}

MUresult muMemPoolCreate(MUmemoryPool* pool, const MUmemPoolProps* poolProps) {
  return apiCall(
      "muMemPoolCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pool, MUSA_ERROR_INVALID_VALUE, "null pointer");
        DeviceState* device = nullptr;
        MUSA_TRY(checkProperties(poolProps, device));
        Pool* made = driver().pools.create(*device, Pool::Origin::kCreated);
        made->properties = *poolProps;
        *pool = reinterpret_cast<MUmemoryPool>(made);
        return {};
      },
      pool, poolProps);
}

MUresult muMemPoolDestroy(MUmemoryPool pool) {
  return apiCall(
      "muMemPoolDestroy",
      [&]() -> Result {
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        MUSA_REQUIRE(found->origin != Pool::Origin::kDevice, MUSA_ERROR_INVALID_VALUE,
                     "a device's default pool");
        found->device.forgetMemPool(*found);
        found->destroy();
        return {};
      },
      pool);
}

MUresult muMemPoolSetAccess(MUmemoryPool pool, const MUmemAccessDesc* map, size_t count) {
  return apiCall(
      "muMemPoolSetAccess",
      [&]() -> Result {
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        MUSA_REQUIRE(map, MUSA_ERROR_INVALID_VALUE, "no description of access");
        return found->setAccess(map, count);
      },
      pool, map, count);
}

MUresult muMemPoolGetAccess(MUmemAccess_flags* flags, MUmemoryPool memPool, MUmemLocation* location) {
  return apiCall(
      "muMemPoolGetAccess",
      [&]() -> Result {
        Pool* found = nullptr;
        MUSA_TRY(findPool(memPool, found));
        MUSA_REQUIRE(flags && location && location->type == MU_MEM_LOCATION_TYPE_DEVICE,
                     MUSA_ERROR_INVALID_VALUE, "null pointer, or not a device");
        return found->getAccess(location->id, *flags);
      },
      flags, memPool, location);
}

MUresult muMemPoolExportToShareableHandle(void* handle_out, MUmemoryPool pool,
                                          MUmemAllocationHandleType handleType, unsigned long long flags) {
  return apiCall(
      "muMemPoolExportToShareableHandle",
      [&]() -> Result {
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        MUSA_REQUIRE(handle_out && flags == 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or flags");
        MUSA_REQUIRE(handleType == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
                         found->properties.handleTypes == handleType &&
                         found->origin == Pool::Origin::kCreated,
                     MUSA_ERROR_INVALID_VALUE, "the pool was not made for this handle type");
        backend::ShareTicket word;
        const PoolWord text{PoolWord::kMagic, found->device.index()};
        memcpy(word.bytes, &text, sizeof text);
        return driver().backend().makeDescriptor(word, *static_cast<int*>(handle_out));
      },
      handle_out, pool, handleType, flags);
}

MUresult muMemPoolImportFromShareableHandle(MUmemoryPool* pool_out, void* handle,
                                            MUmemAllocationHandleType handleType, unsigned long long flags) {
  return apiCall(
      "muMemPoolImportFromShareableHandle",
      [&]() -> Result {
        MUSA_REQUIRE(pool_out && flags == 0 && handleType == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                     MUSA_ERROR_INVALID_VALUE, "null pointer, flags, or another handle type");
        backend::ShareTicket word;
        PoolWord text;
        MUSA_TRY(
            driver().backend().readDescriptor(static_cast<int>(reinterpret_cast<uintptr_t>(handle)), word));
        memcpy(&text, word.bytes, sizeof text);
        MUSA_REQUIRE(text.magic == PoolWord::kMagic, MUSA_ERROR_INVALID_VALUE, "not a pool's descriptor");
        DeviceState* device = driver().deviceOfBackend(text.device);
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_DEVICE, "a pool of a device that is not visible");
        Pool* made = driver().pools.create(*device, Pool::Origin::kImported);
        made->properties = {};
        made->properties.allocType = MU_MEM_ALLOCATION_TYPE_PINNED;
        made->properties.location = {MU_MEM_LOCATION_TYPE_DEVICE, device->ordinal()};
        *pool_out = reinterpret_cast<MUmemoryPool>(made);
        return {};
      },
      pool_out, handle, handleType, flags);
}

MUresult muMemPoolExportPointer(MUmemPoolPtrExportData* shareData_out, MUdeviceptr ptr) {
  return apiCall(
      "muMemPoolExportPointer",
      [&]() -> Result {
        MUSA_REQUIRE(shareData_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        auto allocation = driver().allocations().find(ptr);
        const bool ours = allocation && allocation->pool && !allocation->imported &&
                          allocation->pool->properties.handleTypes != MU_MEM_HANDLE_TYPE_NONE;
        MUSA_REQUIRE(ours, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{:#x} is not of a pool that can be shared", ptr));
        backend::ShareTicket ticket;
        MUSA_TRY(allocation->pool->device.backend().shareMemory(reinterpret_cast<void*>(allocation->base),
                                                                allocation->size, ticket));
        static_assert(sizeof *shareData_out == sizeof ticket.bytes);
        memcpy(shareData_out, ticket.bytes, sizeof *shareData_out);
        return {};
      },
      shareData_out, ptr);
}

MUresult muMemPoolImportPointer(MUdeviceptr* ptr_out, MUmemoryPool pool, MUmemPoolPtrExportData* shareData) {
  return apiCall(
      "muMemPoolImportPointer",
      [&]() -> Result {
        MUSA_REQUIRE(ptr_out && shareData, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Pool* found = nullptr;
        MUSA_TRY(findPool(pool, found));
        MUSA_REQUIRE(found->origin == Pool::Origin::kImported, MUSA_ERROR_INVALID_VALUE,
                     "not an imported pool");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        backend::ShareTicket ticket;
        memcpy(ticket.bytes, shareData, sizeof *shareData);
        return importIntoPool(*context, *found, ticket, *ptr_out);
      },
      ptr_out, pool, shareData);
}

}  // extern "C"
