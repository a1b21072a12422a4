#include "musa/memory/vmm/vmm.h"

#include <fmt/format.h>

#include <algorithm>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"

namespace musashim::musa {

namespace {
backend::AddressSpace& space() { return *driver().backend().addressSpace(); }
}  // namespace

Result Mappings::reserve(size_t bytes, size_t alignment, MUdeviceptr hint, MUdeviceptr& start) {
  void* made = nullptr;
  MUSA_TRY(space().reserve(bytes, alignment, toPointer(hint), &made));
  start = toDevicePtr(made);
  std::lock_guard lock(mutex_);
  reserved_[start] = bytes;
  return {};
}

Result Mappings::unreserve(MUdeviceptr start, size_t bytes) {
  std::lock_guard lock(mutex_);
  auto at = reserved_.find(start);
  MUSA_REQUIRE(at != reserved_.end() && at->second == bytes, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes at {:#x} were not reserved", bytes, start));
  auto inside = mapped_.lower_bound(start);
  MUSA_REQUIRE(inside == mapped_.end() || inside->first >= start + bytes, MUSA_ERROR_INVALID_VALUE,
               "memory is mapped there");
  reserved_.erase(at);
  space().release(toPointer(start), bytes);
  return {};
}

Result Mappings::reservation(MUdeviceptr at, size_t bytes) {
  auto next = reserved_.upper_bound(at);
  MUSA_REQUIRE(next != reserved_.begin(), MUSA_ERROR_INVALID_VALUE, fmt::format("{:#x} is not reserved", at));
  auto [start, size] = *std::prev(next);
  MUSA_REQUIRE(at - start <= size && bytes <= size - (at - start), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes at {:#x} are not reserved", bytes, at));
  return {};
}

Result Mappings::map(MUdeviceptr at, size_t bytes, PhysicalHandle& handle) {
  std::lock_guard lock(mutex_);
  MUSA_TRY(reservation(at, bytes));
  auto next = mapped_.lower_bound(at);
  const bool taken = (next != mapped_.end() && next->first < at + bytes) ||
                     (next != mapped_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > at);
  MUSA_REQUIRE(!taken, MUSA_ERROR_INVALID_VALUE, "something is mapped there");
  MUSA_TRY(space().map(toPointer(at), *handle.memory));
  mapped_[at] = {bytes, handle.memory, &handle, {}};
  return {};
}

Result Mappings::cover(MUdeviceptr at, size_t bytes, Iterator& first, Iterator& last) {
  first = last = mapped_.find(at);
  MUdeviceptr end = at;
  while (last != mapped_.end() && last->first == end && end < at + bytes) end += (last++)->second.bytes;
  MUSA_REQUIRE(bytes != 0 && end == at + bytes, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes at {:#x} are not whole mappings", bytes, at));
  return {};
}

Result Mappings::unmap(MUdeviceptr at, size_t bytes) {
  std::lock_guard lock(mutex_);
  // Where nothing is mapped, nothing is to be done.
  auto next = mapped_.lower_bound(at);
  const bool before = next != mapped_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > at;
  if (!before && (next == mapped_.end() || next->first >= at + bytes) && bytes % space().granularity() == 0) {
    return reservation(at, bytes);
  }
  Iterator first, last;
  MUSA_TRY(cover(at, bytes, first, last));
  for (auto each = first; each != last; ++each) {
    driver().allocations().erase(each->first);
    space().unmap(toPointer(each->first), each->second.bytes);
  }
  mapped_.erase(first, last);
  return {};
}

// The rights of all devices together: they share the mapping of the process.
Result Mappings::apply(Context& context, MUdeviceptr at, Mapping& mapping) {
  auto rights = backend::MemoryAccess::kNone;
  for (const auto& [device, flags] : mapping.access) {
    if (flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE) rights = backend::MemoryAccess::kReadWrite;
    if (flags == MU_MEM_ACCESS_FLAGS_PROT_READ) rights = std::max(rights, backend::MemoryAccess::kRead);
  }
  MUSA_TRY(space().setAccess(toPointer(at), mapping.bytes, rights));
  driver().allocations().erase(at);
  if (rights == backend::MemoryAccess::kNone) return {};
  DeviceState* owner = driver().deviceOfBackend(mapping.memory->device());
  driver().allocations().insert({.base = at,
                                 .size = mapping.bytes,
                                 .kind = MemoryKind::kDevice,
                                 .context = &context,
                                 .device = owner ? owner->ordinal() : -1,
                                 .mapped = true,
                                 .writable = rights == backend::MemoryAccess::kReadWrite});
  return {};
}

Result Mappings::setAccess(Context& context, MUdeviceptr at, size_t bytes, const MUmemAccessDesc* access,
                           size_t count) {
  std::lock_guard lock(mutex_);
  Iterator first, last;
  MUSA_TRY(cover(at, bytes, first, last));
  for (auto each = first; each != last; ++each) {
    for (size_t i = 0; i < count; ++i) each->second.access[access[i].location.id] = access[i].flags;
    MUSA_TRY(apply(context, each->first, each->second));
  }
  return {};
}

Result Mappings::getAccess(int device, MUdeviceptr at, unsigned long long& flags) {
  std::lock_guard lock(mutex_);
  auto next = mapped_.upper_bound(at);
  MUSA_REQUIRE(next != mapped_.begin() && at - std::prev(next)->first < std::prev(next)->second.bytes,
               MUSA_ERROR_INVALID_VALUE, fmt::format("nothing is mapped at {:#x}", at));
  const auto& access = std::prev(next)->second.access;
  auto found = access.find(device);
  flags = found == access.end() ? MU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
  return {};
}

Result Mappings::find(MUdeviceptr at, PhysicalHandle*& handle) {
  std::lock_guard lock(mutex_);
  auto next = mapped_.upper_bound(at);
  MUSA_REQUIRE(next != mapped_.begin() && at - std::prev(next)->first < std::prev(next)->second.bytes,
               MUSA_ERROR_INVALID_VALUE, fmt::format("nothing is mapped at {:#x}", at));
  const Mapping& mapping = std::prev(next)->second;
  // Released meanwhile: the memory gets a handle again.
  if (!driver().physical.get(mapping.handle) || mapping.handle->memory != mapping.memory) {
    return {MUSA_ERROR_INVALID_VALUE, "the memory's handle was released"};
  }
  handle = mapping.handle;
  return {};
}

}  // namespace musashim::musa
