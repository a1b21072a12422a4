#include "cpu/devrt/checks/check_place.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <mutex>
#include <vector>

#include "cpu/devrt/checks/check_memory.h"
#include "cpu/memory/page.h"

namespace musashim::devrt::checks {

namespace {

struct Ranges {
  std::mutex mutex;
  std::vector<std::pair<uintptr_t, size_t>> list;
};
Ranges& deviceRanges() {
  static auto* const ranges = new Ranges;  // arenas end at exit, in no certain order
  return *ranges;
}

bool isMapped(uintptr_t address) {
  unsigned char resident;
  return mincore(reinterpret_cast<void*>(address & ~(kPage - 1)), kPage, &resident) == 0;
}

}  // namespace

void addDeviceRange(const void* base, size_t bytes) {
  Ranges& ranges = deviceRanges();
  std::lock_guard lock(ranges.mutex);
  ranges.list.emplace_back(reinterpret_cast<uintptr_t>(base), bytes);
}

void removeDeviceRange(const void* base) {
  Ranges& ranges = deviceRanges();
  std::lock_guard lock(ranges.mutex);
  std::erase_if(ranges.list,
                [&](const auto& range) { return range.first == reinterpret_cast<uintptr_t>(base); });
}

bool isDeviceRange(uintptr_t address) {
  Ranges& ranges = deviceRanges();
  std::lock_guard lock(ranges.mutex);
  for (const auto& [base, bytes] : ranges.list) {
    if (address - base < bytes) return true;
  }
  return false;
}

std::string distanceText(uintptr_t address, uint64_t bytes, uintptr_t base, uint64_t size) {
  const uintptr_t end = base + size;
  if (address < base) return fmt::format("{} bytes before", base - address);
  if (address >= end) return fmt::format("{} bytes after", address - end + 1);
  return fmt::format("{} bytes inside, and ends {} bytes after", address - base, address + bytes - end);
}

std::vector<std::string> describeAddress(uintptr_t address, uint64_t bytes) {
  if (address < kPage) return {"and is a null pointer or an offset from one"};
  MemoryTable& table = MemoryTable::instance();
  if (auto freed = table.freedAt(address)) {
    return {fmt::format("and is {} bytes inside the freed allocation at {:#x} of size {} bytes",
                        address - freed->base, freed->base, freed->bytes)};
  }
  auto near = table.nearest(address);
  constexpr uintptr_t kNear = kPage;
  const bool isNear = near && address - (near->base - kNear) < near->bytes + 2 * kNear;
  if (!isNear && !isDeviceRange(address) && isMapped(address)) {
    return {"and is host memory that the device cannot reach"};
  }
  if (!near) return {"and nothing is allocated"};
  return {fmt::format("and is {} the nearest allocation at {:#x} of size {} bytes",
                      distanceText(address, bytes, near->base, near->bytes), near->base, near->bytes)};
}

}  // namespace musashim::devrt::checks
