// Virtual memory management.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/vmm/vmm.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

Result addressSpace(backend::AddressSpace*& space) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  space = driver().backend().addressSpace();
  MUSA_REQUIRE(space, MUSA_ERROR_NOT_SUPPORTED, "the backend maps no memory");
  return {};
}

Result findMemory(MUmemGenericAllocationHandle handle, PhysicalHandle*& found) {
  found = driver().physical.get(toPointer(handle));
  MUSA_REQUIRE(found, MUSA_ERROR_INVALID_VALUE, fmt::format("no memory {:#x}", handle));
  return {};
}

// Memory of a device; other places are not mapped.
Result checkProperties(const MUmemAllocationProp* prop, DeviceState*& device) {
  MUSA_REQUIRE(prop, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_REQUIRE(prop->type == MU_MEM_ALLOCATION_TYPE_PINNED, MUSA_ERROR_INVALID_VALUE,
               "unknown type of memory");
  MUSA_REQUIRE(prop->location.type == MU_MEM_LOCATION_TYPE_DEVICE, MUSA_ERROR_INVALID_VALUE,
               "not on a device");
  constexpr unsigned kKnown = MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  MUSA_REQUIRE((prop->requestedHandleTypes & ~kKnown) == 0, MUSA_ERROR_INVALID_VALUE, "unknown handle type");
  return findDevice(prop->location.id, device);
}

Result checkMultiple(const char* what, uint64_t value, size_t unit) {
  MUSA_REQUIRE(value % unit == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} {} is no multiple of {}", what, value, unit));
  return {};
}

Result keep(std::shared_ptr<backend::PhysicalMemory> memory, const MUmemAllocationProp& prop,
            MUmemGenericAllocationHandle& handle) {
  handle = toDevicePtr(driver().physical.create(PhysicalHandle{std::move(memory), prop}));
  return {};
}

}  // namespace

extern "C" {

MUresult muMemGetAllocationGranularity(size_t* granularity, const MUmemAllocationProp* prop,
                                       MUmemAllocationGranularity_flags option) {
  return apiCall(
      "muMemGetAllocationGranularity",
      [&]() -> Result {
        MUSA_REQUIRE(granularity, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(
            option == MU_MEM_ALLOC_GRANULARITY_MINIMUM || option == MU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
            MUSA_ERROR_INVALID_VALUE, "unknown option");
        backend::AddressSpace* space = driver().backend().addressSpace();
        MUSA_REQUIRE(space, MUSA_ERROR_NOT_SUPPORTED, "the backend maps no memory");
        DeviceState* device = nullptr;
        MUSA_TRY(checkProperties(prop, device));
        *granularity = space->granularity();
        return {};
      },
      granularity, prop, option);
}

MUresult muMemCreate(MUmemGenericAllocationHandle* handle, size_t size, const MUmemAllocationProp* prop,
                     unsigned long long flags) {
  return apiCall(
      "muMemCreate",
      [&]() -> Result {
        MUSA_REQUIRE(handle && flags == 0 && size != 0, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, flags, or 0 bytes");
        DeviceState* device = nullptr;
        MUSA_TRY(checkProperties(prop, device));
        backend::AddressSpace* space = nullptr;
        MUSA_TRY(addressSpace(space));
        MUSA_TRY(checkMultiple("the size", size, space->granularity()));
        std::shared_ptr<backend::PhysicalMemory> memory;
        MUSA_TRY(space->createMemory(device->index(), size, memory));
        return keep(std::move(memory), *prop, *handle);
      },
      handle, size, prop, flags);
}

MUresult muMemRelease(MUmemGenericAllocationHandle handle) {
  return apiCall(
      "muMemRelease",
      [&]() -> Result {
        PhysicalHandle* found = nullptr;
        MUSA_TRY(findMemory(handle, found));
        if (__atomic_sub_fetch(&found->holds, 1, __ATOMIC_ACQ_REL) == 0) driver().physical.destroy(found);
        return {};
      },
      handle);
}

MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle* handle, void* addr) {
  return apiCall(
      "muMemRetainAllocationHandle",
      [&]() -> Result {
        MUSA_REQUIRE(handle, MUSA_ERROR_INVALID_VALUE, "null pointer");
        PhysicalHandle* found = nullptr;
        MUSA_TRY(driver().mappings().find(toDevicePtr(addr), found));
        __atomic_add_fetch(&found->holds, 1, __ATOMIC_ACQ_REL);
        *handle = toDevicePtr(found);
        return {};
      },
      handle, addr);
}

MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp* prop,
                                                MUmemGenericAllocationHandle handle) {
  return apiCall(
      "muMemGetAllocationPropertiesFromHandle",
      [&]() -> Result {
        MUSA_REQUIRE(prop, MUSA_ERROR_INVALID_VALUE, "null pointer");
        PhysicalHandle* found = nullptr;
        MUSA_TRY(findMemory(handle, found));
        *prop = found->properties;
        return {};
      },
      prop, handle);
}

MUresult muMemAddressReserve(MUdeviceptr* ptr, size_t size, size_t alignment, MUdeviceptr addr,
                             unsigned long long flags) {
  return apiCall(
      "muMemAddressReserve",
      [&]() -> Result {
        MUSA_REQUIRE(ptr && flags == 0 && size != 0, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, flags, or 0 bytes");
        MUSA_REQUIRE((alignment & (alignment - 1)) == 0, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("an alignment of {}", alignment));
        backend::AddressSpace* space = nullptr;
        MUSA_TRY(addressSpace(space));
        MUSA_TRY(checkMultiple("the size", size, space->granularity()));
        return driver().mappings().reserve(size, alignment, addr, *ptr);
      },
      ptr, size, alignment, addr, flags);
}

MUresult muMemAddressFree(MUdeviceptr ptr, size_t size) {
  return apiCall("muMemAddressFree", [&] { return driver().mappings().unreserve(ptr, size); }, ptr, size);
}

MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset, MUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return apiCall(
      "muMemMap",
      [&]() -> Result {
        MUSA_REQUIRE(flags == 0 && size != 0, MUSA_ERROR_INVALID_VALUE, "flags, or 0 bytes");
        PhysicalHandle* found = nullptr;
        MUSA_TRY(findMemory(handle, found));
        backend::AddressSpace* space = nullptr;
        MUSA_TRY(addressSpace(space));
        MUSA_TRY(checkMultiple("the address", ptr, space->granularity()));
        MUSA_REQUIRE(
            offset == 0 && size == found->memory->bytes(), MUSA_ERROR_NOT_SUPPORTED,
            fmt::format("{} bytes of {}: only the whole can be mapped", size, found->memory->bytes()));
        return driver().mappings().map(ptr, size, *found);
      },
      ptr, size, offset, handle, flags);
}

MUresult muMemUnmap(MUdeviceptr ptr, size_t size) {
  return apiCall(
      "muMemUnmap",
      [&]() -> Result {
        driver().synchronizeContexts(nullptr);
        return driver().mappings().unmap(ptr, size);
      },
      ptr, size);
}

MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc* desc, size_t count) {
  return apiCall(
      "muMemSetAccess",
      [&]() -> Result {
        MUSA_REQUIRE(desc && count, MUSA_ERROR_INVALID_VALUE, "no description of access");
        for (size_t i = 0; i < count; ++i) {
          const MUmemAccess_flags flags = desc[i].flags;
          const bool known = flags == MU_MEM_ACCESS_FLAGS_PROT_NONE ||
                             flags == MU_MEM_ACCESS_FLAGS_PROT_READ ||
                             flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE;
          MUSA_REQUIRE(known && desc[i].location.type == MU_MEM_LOCATION_TYPE_DEVICE,
                       MUSA_ERROR_INVALID_VALUE, "unknown flags, or not a device");
          MUSA_REQUIRE(driver().device(desc[i].location.id), MUSA_ERROR_INVALID_VALUE,
                       fmt::format("no device {}", desc[i].location.id));
        }
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        return driver().mappings().setAccess(*context, ptr, size, desc, count);
      },
      ptr, size, desc, count);
}

MUresult muMemGetAccess(unsigned long long* flags, const MUmemLocation* location, MUdeviceptr ptr) {
  return apiCall(
      "muMemGetAccess",
      [&]() -> Result {
        MUSA_REQUIRE(flags && location && location->type == MU_MEM_LOCATION_TYPE_DEVICE,
                     MUSA_ERROR_INVALID_VALUE, "null pointer, or not a device");
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(location->id, device));
        return driver().mappings().getAccess(location->id, ptr, *flags);
      },
      flags, location, ptr);
}

MUresult muMemExportToShareableHandle(void* shareableHandle, MUmemGenericAllocationHandle handle,
                                      MUmemAllocationHandleType handleType, unsigned long long flags) {
  return apiCall(
      "muMemExportToShareableHandle",
      [&]() -> Result {
        MUSA_REQUIRE(shareableHandle && flags == 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or flags");
        PhysicalHandle* found = nullptr;
        MUSA_TRY(findMemory(handle, found));
        const bool asked = (found->properties.requestedHandleTypes & handleType) != 0;
        MUSA_REQUIRE(asked && handleType == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                     MUSA_ERROR_INVALID_VALUE, "the memory was not made for this handle type");
        return found->memory->exportDescriptor(*static_cast<int*>(shareableHandle));
      },
      shareableHandle, handle, handleType, flags);
}

MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle* handle, void* osHandle,
                                        MUmemAllocationHandleType shHandleType) {
  return apiCall(
      "muMemImportFromShareableHandle",
      [&]() -> Result {
        MUSA_REQUIRE(handle, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(shHandleType == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, MUSA_ERROR_NOT_SUPPORTED,
                     "only file descriptors can be imported");
        backend::AddressSpace* space = nullptr;
        MUSA_TRY(addressSpace(space));
        std::shared_ptr<backend::PhysicalMemory> memory;
        // As hardware says of a descriptor that is something else.
        musashim::Status known =
            space->importMemory(static_cast<int>(reinterpret_cast<uintptr_t>(osHandle)), memory);
        MUSA_REQUIRE(known.isOk(), MUSA_ERROR_UNKNOWN, known.message());
        DeviceState* owner = driver().deviceOfBackend(memory->device());
        MUSA_REQUIRE(owner, MUSA_ERROR_INVALID_DEVICE, "memory of a device that is not visible");
        MUmemAllocationProp prop = {};
        prop.type = MU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location = {MU_MEM_LOCATION_TYPE_DEVICE, owner->ordinal()};
        return keep(std::move(memory), prop, *handle);
      },
      handle, osHandle, shHandleType);
}

}  // extern "C"
