#include "musa/allocations.h"

#include <mutex>

namespace musashim::musa {

uint64_t AllocationTable::insert(Allocation allocation) {
  std::unique_lock lock(mutex_);
  allocation.id = nextId_++;
  if (allocation.size == 0) allocation.size = 1;
  ranges_[allocation.base] = allocation;
  return allocation.id;
}

std::optional<Allocation> AllocationTable::find(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return std::nullopt;
  const Allocation& candidate = std::prev(next)->second;
  if (!candidate.contains(address, 1)) return std::nullopt;
  return candidate;
}

bool AllocationTable::overlaps(uintptr_t address, size_t size) const {
  std::shared_lock lock(mutex_);
  auto next = ranges_.lower_bound(address);
  if (next != ranges_.end() && next->first - address < size) return true;
  return next != ranges_.begin() && std::prev(next)->second.contains(address, 1);
}

bool AllocationTable::erase(uintptr_t address) {
  std::unique_lock lock(mutex_);
  return ranges_.erase(address) != 0;
}

bool AllocationTable::markFreeing(uintptr_t address) {
  std::unique_lock lock(mutex_);
  auto found = ranges_.find(address);
  if (found == ranges_.end() || found->second.freeing) return false;
  found->second.freeing = true;
  return true;
}

std::vector<Allocation> AllocationTable::extract(const Context* context) {
  std::unique_lock lock(mutex_);
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
