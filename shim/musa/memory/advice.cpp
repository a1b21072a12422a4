#include "musa/memory/advice.h"

namespace musashim::musa {

AdviceTable::Parts& AdviceTable::partsOf(const Allocation& allocation) {
  auto [at, isNew] = byId_.try_emplace(allocation.id);
  if (isNew) at->second.emplace(allocation.base, Advice{});
  return at->second;
}

void AdviceTable::forget(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  byId_.erase(allocation.id);
}

void AdviceTable::split(Parts& parts, uintptr_t at) {
  auto next = parts.upper_bound(at);
  const auto& [begin, advice] = *std::prev(next);
  if (begin != at) parts.emplace_hint(next, at, advice);
}

std::vector<Advice> AdviceTable::of(const Allocation& allocation, uintptr_t address, size_t bytes) {
  std::lock_guard lock(mutex_);
  Parts& parts = partsOf(allocation);
  std::vector<Advice> found;
  for (auto part = std::prev(parts.upper_bound(address));
       part != parts.end() && part->first < address + bytes; ++part) {
    found.push_back(part->second);
  }
  return found;
}

}  // namespace musashim::musa
