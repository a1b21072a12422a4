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

bool Registrations::removeBuffer(const void* handle) {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const Entry& entry) { return &entry == handle; });
  if (found == buffers_.end()) return false;
  if (--found->uses == 0) buffers_.erase(found);
  return true;
}

void Registrations::keep(Kind kind, const void* handle, std::shared_ptr<void> made) {
  std::lock_guard lock(mutex_);
  made_[kind].emplace(handle, std::move(made));
}

std::shared_ptr<void> Registrations::take(Kind kind, const void* handle) {
  std::lock_guard lock(mutex_);
  auto node = made_[kind].extract(handle);
  return node.empty() ? nullptr : std::move(node.mapped());
}

std::map<const void*, std::shared_ptr<void>> Registrations::takeAll() {
  std::lock_guard lock(mutex_);
  auto all = std::move(made_[kWindow]);
  all.merge(made_[kDeviceComm]);
  made_[kWindow].clear();
  made_[kDeviceComm].clear();
  return all;
}

}  // namespace musashim::mccl
