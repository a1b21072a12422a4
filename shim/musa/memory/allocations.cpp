#include "musa/memory/allocations.h"

#include <mutex>

namespace musashim::musa {
namespace {

std::atomic<uint64_t> lastVersion{0};

}  // namespace

constinit thread_local AllocationTable::Found AllocationTable::recent_[2] = {};
constinit thread_local unsigned AllocationTable::oldest_ = 0;

const Allocation* AllocationTable::remember(uint64_t version, const Allocation& allocation) {
  Found& place = recent_[oldest_];
  oldest_ = 1 - oldest_;
  place = {version, allocation};
  return &place.allocation;
}

void AllocationTable::changed() { version_.store(lastVersion.fetch_add(1) + 1, std::memory_order_release); }

uint64_t AllocationTable::insert(Allocation allocation) {
  std::unique_lock lock(mutex_);
  changed();
  allocation.id = nextId_++;
  if (allocation.size == 0) allocation.size = 1;
  if (spare_) {
    spare_.key() = allocation.base;
    spare_.mapped() = allocation;
    auto placed = ranges_.insert(std::move(spare_));
    if (!placed.inserted) placed.position->second = allocation;
    spare_ = std::move(placed.node);
  } else {
    ranges_[allocation.base] = allocation;
  }
  remember(version_.load(std::memory_order_relaxed), allocation);
  return allocation.id;
}

const Allocation* AllocationTable::search(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return nullptr;
  const Allocation& candidate = std::prev(next)->second;
  if (!candidate.contains(address, 1)) return nullptr;
  return remember(version_.load(std::memory_order_relaxed), candidate);
}

std::optional<Allocation> AllocationTable::find(uintptr_t address) const {
  const Allocation* found = peek(address);
  return found ? std::optional(*found) : std::nullopt;
}

bool AllocationTable::contains(const Allocation& allocation, uintptr_t address, size_t bytes) const {
  if (allocation.contains(address, bytes)) return true;
  if (!allocation.mapped || bytes > UINTPTR_MAX - address) return false;
  std::shared_lock lock(mutex_);
  uintptr_t end = allocation.base + allocation.size;
  for (auto next = ranges_.find(end); next != ranges_.end() && next->second.mapped;
       next = ranges_.find(end)) {
    end += next->second.size;
    if (address + bytes <= end) return true;
  }
  return false;
}

bool AllocationTable::overlaps(uintptr_t address, size_t size) const {
  std::shared_lock lock(mutex_);
  auto next = ranges_.lower_bound(address);
  if (next != ranges_.end() && next->first - address < size) return true;
  return next != ranges_.begin() && std::prev(next)->second.contains(address, 1);
}

bool AllocationTable::erase(uintptr_t address) {
  std::unique_lock lock(mutex_);
  changed();
  auto found = ranges_.find(address);
  if (found == ranges_.end()) return false;
  spare_ = ranges_.extract(found);
  return true;
}

bool AllocationTable::markFreeing(uintptr_t address) {
  std::unique_lock lock(mutex_);
  changed();
  auto found = ranges_.find(address);
  if (found == ranges_.end() || found->second.freeing) return false;
  found->second.freeing = true;
  return true;
}

bool AllocationTable::setSyncMemops(uintptr_t address, bool wait) {
  std::unique_lock lock(mutex_);
  changed();
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return false;
  Allocation& allocation = std::prev(next)->second;
  if (!allocation.contains(address, 1) || !allocation.isDevice()) return false;
  allocation.syncMemops = wait;
  return true;
}

std::vector<Allocation> AllocationTable::extract(const Context* context) {
  std::unique_lock lock(mutex_);
  changed();
  std::vector<Allocation> taken;
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    if (it->second.context == context) {
      taken.push_back(it->second);
      it = ranges_.erase(it);
    } else {
      ++it;
    }
  }
  return taken;
}

}  // namespace musashim::musa
