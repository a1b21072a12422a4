#include "musa/memory/pool/pool.h"

#include <fmt/core.h>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"

namespace musashim::musa {
void Pool::count(uint64_t bytes) {
  const uint64_t now = used.fetch_add(bytes) + bytes;
  uint64_t high = usedHigh.load();
  while (high < now && !usedHigh.compare_exchange_weak(high, now)) {
  }
}

bool Pool::reserve(uint64_t bytes) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (properties.maxSize != 0) {
    constexpr uint64_t kStep = uint64_t{32} << 20;
    lock.lock();  // of those who reserve at once, the last one must not go beyond it
    if (used.load() + bytes > (properties.maxSize + kStep - 1) / kStep * kStep) return false;
  }
  count(bytes);
  return true;
}

void Pool::uncount(uint64_t bytes) {
  if (used.fetch_sub(bytes) == bytes) dropIfUnused();
}

void Pool::destroy() {
  driver().pools.retire(this);
  destroyed_.store(true);
  dropIfUnused();
}

void Pool::dropIfUnused() {
  if (!destroyed_.load() || used.load() != 0) return;
  if (!gone_.exchange(true)) driver().pools.destroyRetired(this);
}

Result Pool::setAccess(const MUmemAccessDesc* access, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const MUmemAccess_flags flags = access[i].flags;
    const bool known = flags == MU_MEM_ACCESS_FLAGS_PROT_NONE || flags == MU_MEM_ACCESS_FLAGS_PROT_READ ||
                       flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    MUSA_REQUIRE(known && access[i].location.type == MU_MEM_LOCATION_TYPE_DEVICE, MUSA_ERROR_INVALID_VALUE,
                 "unknown flags, or not a device");
    DeviceState* other = nullptr;
    MUSA_TRY(findDevice(access[i].location.id, other));
    MUSA_REQUIRE(other != &device || flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE, MUSA_ERROR_INVALID_DEVICE,
                 "a device cannot be kept from its own pool");
  }
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < count; ++i) {
    access_[access[i].location.id] = access[i].flags;
    DeviceState* other = nullptr;
    MUSA_TRY(findDevice(access[i].location.id, other));
    // Of the device's other memory the peer then sees more than on hardware.
    if (other != &device && access[i].flags != MU_MEM_ACCESS_FLAGS_PROT_NONE)
      other->backend().setPeerAccess(device.backend(), true);
  }
  return {};
}

Result Pool::getAccess(int ordinal, MUmemAccess_flags& flags) {
  DeviceState* other = nullptr;
  MUSA_TRY(findDevice(ordinal, other));
  std::lock_guard lock(mutex_);
  auto found = access_.find(ordinal);
  flags = found != access_.end() ? found->second
          : other == &device     ? MU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                 : MU_MEM_ACCESS_FLAGS_PROT_NONE;
  return {};
}

Result findPool(MUmemoryPool handle, Pool*& pool) {
  pool = driver().pools.get(handle);
  MUSA_REQUIRE(pool, MUSA_ERROR_INVALID_VALUE, fmt::format("no pool {}", fmt::ptr(handle)));
  return {};
}

}  // namespace musashim::musa
