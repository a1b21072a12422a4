// Memory: allocation, page-locking, what a pointer is.
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "musa/api/api_call.h"
#include "musa/memory/memory.h"

using namespace musashim::musa;

namespace {

// Rows of pitched memory start at multiples of this, as on current GPUs.
constexpr size_t kPitchAlignment = 512;

constexpr unsigned kHostAllocFlags =
    MU_MEMHOSTALLOC_PORTABLE | MU_MEMHOSTALLOC_DEVICEMAP | MU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kHostRegisterFlags = MU_MEMHOSTREGISTER_PORTABLE | MU_MEMHOSTREGISTER_DEVICEMAP |
                                        MU_MEMHOSTREGISTER_IOMEMORY | MU_MEMHOSTREGISTER_READ_ONLY;

Result allocatePinned(void** pp, size_t bytes, unsigned flags) {
  MUSA_REQUIRE(pp, MUSA_ERROR_INVALID_VALUE, "null pointer");
  *pp = nullptr;
  MUSA_REQUIRE((flags & ~kHostAllocFlags) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", flags));
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  return bytes == 0 ? Result() : allocateHost(*context, bytes, MemoryKind::kHost, flags, *pp);
}

// Whether the process has memory in all of the range.
bool isMapped(uintptr_t address, size_t bytes) {
  static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  if (bytes > UINTPTR_MAX - address - page) return false;
  unsigned char resident[1024];
  const uintptr_t end = address + bytes;
  for (uintptr_t at = address / page * page; at < end; at += sizeof resident * page) {
    const size_t pages = std::min(sizeof resident, (end - at + page - 1) / page);
    if (mincore(reinterpret_cast<void*>(at), pages * page, resident) != 0) return false;
  }
  return true;
}

Result registerHost(void* p, size_t bytes, unsigned flags) {
  MUSA_REQUIRE(p && bytes, MUSA_ERROR_INVALID_VALUE, "an empty range");
  MUSA_REQUIRE((flags & ~kHostRegisterFlags) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", flags));
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  auto address = reinterpret_cast<uintptr_t>(p);
  MUSA_REQUIRE(isMapped(address, bytes), MUSA_ERROR_INVALID_VALUE,
               fmt::format("there is no memory at {} bytes from {}", bytes, p));
  auto known = driver().allocations().find(address);
  MUSA_REQUIRE(!known || known->kind == MemoryKind::kRegistered, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} is the driver's memory", p));
  MUSA_REQUIRE(!driver().allocations().overlaps(address, bytes), MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               fmt::format("{} bytes at {}", bytes, p));
  driver().allocations().insert({.base = address,
                                 .size = bytes,
                                 .kind = MemoryKind::kRegistered,
                                 .context = context,
                                 .device = context->device().ordinal(),
                                 .flags = flags});
  driver().backend().hostRegistered(p, bytes);
  return {};
}

// The page-locked allocation that holds `p`.
Result findPinned(const void* p, Allocation& allocation) {
  auto found = driver().allocations().find(reinterpret_cast<uintptr_t>(p));
  MUSA_REQUIRE(found && found->isPinnedHost(), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} is not page-locked", p));
  allocation = *found;
  return {};
}

// All page-locked memory is mapped with unified addressing.
unsigned reportedFlags(const Allocation& allocation) { return MU_MEMHOSTALLOC_DEVICEMAP | allocation.flags; }

template <class T>
void put(void* data, T value) {
  *static_cast<T*>(data) = value;
}

// One attribute of `allocation`; false when it has none such. Inline: it is most of what asking costs.
[[gnu::always_inline]] inline bool readAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr,
                                                 const Allocation& allocation) {
  switch (attribute) {
    case MU_POINTER_ATTRIBUTE_CONTEXT:
      put<MUcontext>(data, allocation.context->handle());
      return true;
    case MU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      put<unsigned>(data, allocation.isPinnedHost() ? MU_MEMORYTYPE_HOST : MU_MEMORYTYPE_DEVICE);
      return true;
    case MU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      put<MUdeviceptr>(data, ptr);
      return true;
    case MU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (allocation.isDevice()) return false;
      put<void*>(data, toPointer(ptr));
      return true;
    case MU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      put<bool>(data, allocation.syncMemops || allocation.kind == MemoryKind::kManaged);
      return true;
    case MU_POINTER_ATTRIBUTE_BUFFER_ID:
      put<unsigned long long>(data, allocation.id);
      return true;
    case MU_POINTER_ATTRIBUTE_IS_MANAGED:
      put<bool>(data, allocation.kind == MemoryKind::kManaged);
      return true;
    case MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      put<int>(data, allocation.device);
      return true;
    case MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE:
      put<bool>(data, allocation.kind == MemoryKind::kDevice && !allocation.mapped && !allocation.pooled &&
                          !allocation.imported);
      return true;
    case MU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      put<void*>(data, reinterpret_cast<void*>(allocation.base));
      return true;
    case MU_POINTER_ATTRIBUTE_RANGE_SIZE:
      put<size_t>(data, allocation.size);
      return true;
    case MU_POINTER_ATTRIBUTE_MAPPED:
      put<bool>(data, true);
      return true;
    case MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      put<unsigned long long>(data, 0);
      return true;
    case MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      put<bool>(data, allocation.isDevice());
      return true;
    case MU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      put<unsigned>(data, MU_MEM_ACCESS_FLAGS_PROT_READWRITE);
      return true;
    case MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      put<MUmemoryPool>(data, reinterpret_cast<MUmemoryPool>(allocation.pool));
      return true;
    case MU_POINTER_ATTRIBUTE_MAPPING_SIZE:  // each allocation is a mapping of its own
      put<size_t>(data, allocation.size);
      return true;
    case MU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      put<void*>(data, reinterpret_cast<void*>(allocation.base));
      return true;
    case MU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      put<unsigned long long>(data, allocation.id);
      return true;
    case MU_POINTER_ATTRIBUTE_P2P_TOKENS:
      break;
  }
  return false;
}

// muPointerGetAttributes gives zeros where there is nothing to say.
void clearAttribute(void* data, MUpointer_attribute attribute) {
  switch (attribute) {
    case MU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case MU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      put<unsigned>(data, 0);
      break;
    case MU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case MU_POINTER_ATTRIBUTE_IS_MANAGED:
    case MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE:
    case MU_POINTER_ATTRIBUTE_MAPPED:
    case MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      put<bool>(data, false);
      break;
    case MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      put<int>(data, MU_DEVICE_INVALID);
      break;
    default:
      put<uint64_t>(data, 0);
  }
}

}  // namespace

extern "C" {

MUresult muMemGetInfo(size_t* free, size_t* total) {
  return apiCall(
      "muMemGetInfo",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        auto info = context->device().backend().memoryInfo();
        if (free) *free = info.freeBytes;
        if (total) *total = info.totalBytes;
        return {};
      },
      free, total);
}

MUresult muMemAlloc(MUdeviceptr* dptr, size_t bytesize) {
  return apiCall(
      "muMemAlloc",
      [&]() -> Result {
        MUSA_REQUIRE(dptr, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        void* pointer = nullptr;
        MUSA_TRY(allocateDevice(*context, bytesize, pointer));
        *dptr = toDevicePtr(pointer);
        return {};
      },
      dptr, bytesize);
}

MUresult muMemAllocPitch(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes) {
  return apiCall(
      "muMemAllocPitch",
      [&]() -> Result {
        MUSA_REQUIRE(dptr && pPitch, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16,
                     MUSA_ERROR_INVALID_VALUE, "elements have 4, 8 or 16 bytes");
        MUSA_REQUIRE(WidthInBytes <= SIZE_MAX - kPitchAlignment, MUSA_ERROR_OUT_OF_MEMORY, "too wide");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        size_t pitch = (WidthInBytes + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
        size_t bytes = 0;
        MUSA_REQUIRE(!__builtin_mul_overflow(pitch, Height, &bytes), MUSA_ERROR_OUT_OF_MEMORY, "too large");
        void* pointer = nullptr;
        MUSA_TRY(allocateDevice(*context, bytes, pointer));
        *dptr = toDevicePtr(pointer);
        *pPitch = pitch;
        return {};
      },
      dptr, pPitch, WidthInBytes, Height, ElementSizeBytes);
}

MUresult muMemFree(MUdeviceptr dptr) {
  return apiCall(
      "muMemFree",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        return dptr ? freeDevice(toPointer(dptr)) : Result();
      },
      dptr);
}

MUresult muMemGetAddressRange(MUdeviceptr* pbase, size_t* psize, MUdeviceptr dptr) {
  return apiCall(
      "muMemGetAddressRange",
      [&]() -> Result {
        auto allocation = driver().allocations().find(dptr);
        MUSA_REQUIRE(allocation, MUSA_ERROR_NOT_FOUND, fmt::format("{:#x} is unknown", dptr));
        if (pbase) *pbase = allocation->base;
        if (psize) *psize = allocation->size;
        return {};
      },
      pbase, psize, dptr);
}

MUresult muMemAllocHost(void** pp, size_t bytesize) {
  return apiCall("muMemAllocHost", [&] { return allocatePinned(pp, bytesize, 0); }, pp, bytesize);
}

MUresult muMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return apiCall("muMemHostAlloc", [&] { return allocatePinned(pp, bytesize, Flags); }, pp, bytesize, Flags);
}

MUresult muMemFreeHost(void* p) {
  return apiCall(
      "muMemFreeHost",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        return p ? freeHost(p) : Result();
      },
      p);
}

MUresult muMemHostGetDevicePointer(MUdeviceptr* pdptr, void* p, unsigned int Flags) {
  return apiCall(
      "muMemHostGetDevicePointer",
      [&]() -> Result {
        MUSA_REQUIRE(pdptr && Flags == 0, MUSA_ERROR_INVALID_VALUE, "null pointer, or flags not 0");
        Allocation allocation;
        MUSA_TRY(findPinned(p, allocation));
        *pdptr = toDevicePtr(p);
        return {};
      },
      pdptr, p, Flags);
}

MUresult muMemHostGetFlags(unsigned int* pFlags, void* p) {
  return apiCall(
      "muMemHostGetFlags",
      [&]() -> Result {
        MUSA_REQUIRE(pFlags, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Allocation allocation;
        MUSA_TRY(findPinned(p, allocation));
        *pFlags = reportedFlags(allocation);
        return {};
      },
      pFlags, p);
}

MUresult muMemAllocManaged(MUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return apiCall(
      "muMemAllocManaged",
      [&]() -> Result {
        MUSA_REQUIRE(dptr, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(flags == MU_MEM_ATTACH_GLOBAL || flags == MU_MEM_ATTACH_HOST, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("unknown flags {:#x}", flags));
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        void* pointer = nullptr;
        MUSA_TRY(allocateHost(*context, bytesize, MemoryKind::kManaged, flags, pointer));
        *dptr = toDevicePtr(pointer);
        return {};
      },
      dptr, bytesize, flags);
}

MUresult muMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return apiCall("muMemHostRegister", [&] { return registerHost(p, bytesize, Flags); }, p, bytesize, Flags);
}

MUresult muMemHostUnregister(void* p) {
  return apiCall(
      "muMemHostUnregister",
      [&]() -> Result {
        MUSA_REQUIRE(p, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        auto address = reinterpret_cast<uintptr_t>(p);
        auto allocation = driver().allocations().find(address);
        MUSA_REQUIRE(!allocation || allocation->kind != MemoryKind::kHost, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{} is the driver's memory", p));
        MUSA_REQUIRE(allocation && allocation->kind == MemoryKind::kRegistered,
                     MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED, fmt::format("{} was not registered", p));
        MUSA_REQUIRE(allocation->base == address, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{} is not where the registered range starts", p));
        driver().synchronizeContexts(nullptr);
        driver().allocations().erase(address);
        driver().backend().hostUnregistered(p);
        return {};
      },
      p);
}

MUresult muPointerGetAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr) {
  return apiCall(
      "muPointerGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(data, MUSA_ERROR_INVALID_VALUE, "null pointer");
        auto allocation = driver().allocations().find(ptr);
        MUSA_REQUIRE(allocation, MUSA_ERROR_INVALID_VALUE, fmt::format("{:#x} is unknown", ptr));
        MUSA_REQUIRE(readAttribute(data, attribute, ptr, *allocation), MUSA_ERROR_INVALID_VALUE,
                     fmt::format("the memory has no attribute {}", static_cast<int>(attribute)));
        return {};
      },
      data, attribute, ptr);
}

MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute* attributes, void** data,
                                MUdeviceptr ptr) {
  return apiCall(
      "muPointerGetAttributes",
      [&]() -> Result {
        MUSA_REQUIRE(attributes && data && numAttributes, MUSA_ERROR_INVALID_VALUE, "no attributes");
        for (unsigned i = 0; i < numAttributes; ++i) {
          const bool known = attributes[i] >= MU_POINTER_ATTRIBUTE_CONTEXT &&
                             attributes[i] <= MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
          MUSA_REQUIRE(known, MUSA_ERROR_INVALID_VALUE, "an unknown attribute");
        }
        const Allocation* allocation = driver().allocations().peek(ptr);
        for (unsigned i = 0; i < numAttributes; ++i) {
          if (!allocation || !readAttribute(data[i], attributes[i], ptr, *allocation)) {
            clearAttribute(data[i], attributes[i]);
          }
        }
        return {};
      },
      numAttributes, attributes, data, ptr);
}

MUresult muPointerSetAttribute(const void* value, MUpointer_attribute attribute, MUdeviceptr ptr) {
  return apiCall(
      "muPointerSetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value && attribute == MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, or an attribute that cannot be set");
        MUSA_REQUIRE(driver().allocations().setSyncMemops(ptr, *static_cast<const int*>(value) != 0),
                     MUSA_ERROR_INVALID_VALUE, fmt::format("{:#x} is no device memory", ptr));
        return {};
      },
      value, attribute, ptr);
}

}  // extern "C"
