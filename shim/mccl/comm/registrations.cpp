#include "mccl/comm/registrations.h"

#include <algorithm>

namespace musashim::mccl {
namespace {

constexpr uintptr_t kPage = 4096;

uintptr_t pageOf(uintptr_t address) { return address & ~(kPage - 1); }

}  // namespace

void* Registrations::addBuffer(const void* buffer, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(buffer);
  const uintptr_t begin = pageOf(address), end = pageOf(address + bytes + kPage - 1);
  std::lock_guard lock(mutex_);
  const auto known = std::find_if(buffers_.begin(), buffers_.end(), [&](const Entry& entry) {
    return entry.begin <= begin && entry.end >= end;
  });
  if (known == buffers_.end()) return &buffers_.emplace_back(Entry{begin, end, 1});
  ++known->uses;
  return &*known;
}

void* Registrations::addWindow(const void* buffer, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(buffer);
  std::lock_guard lock(mutex_);
  return &windows_.emplace_back(Entry{begin, begin + bytes, 1});
}

bool Registrations::remove(std::list<Entry>& entries, const void* handle) {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return &entry == handle; });
  if (found == entries.end()) return false;
  if (--found->uses == 0) entries.erase(found);
  return true;
}

}  // namespace musashim::mccl
