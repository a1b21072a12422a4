#include "cpu/process/exports.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace musashim::backend::cpu {

ExportTable::~ExportTable() {
  withdrawAll();
  if (page_) munmap(page_, kBytes);
}

Status ExportTable::mapPage() {
  if (page_) return Status::ok();
  void* page =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(pageOffset_));
  if (page == MAP_FAILED) {
    return {StatusCode::kOutOfMemory, fmt::format("cannot map the table of exports: {}", strerror(errno))};
  }
  page_ = static_cast<ExportPage*>(page);
  page_->key = randomKey();
  page_->device = device_;
  page_->magic.store(ExportPage::kMagic, std::memory_order_release);
  return Status::ok();
}

Status ExportTable::share(uint64_t offset, uint64_t bytes, ShareTicket& ticket) {
  std::lock_guard lock(mutex_);
  MUSASHIM_RETURN_IF_ERROR(mapPage());
  auto [at, isNew] = entryAt_.try_emplace(offset, 0);
  if (isNew) {
    if (free_.empty() && fresh_ == ExportPage::kEntries) {
      entryAt_.erase(at);
      return {StatusCode::kOutOfMemory, fmt::format("{} allocations are shared already", fresh_)};
    }
    if (free_.empty()) {
      at->second = fresh_++;
    } else {
      at->second = free_.back();
      free_.pop_back();
    }
    ExportEntry& entry = page_->entries[at->second];
    entry.offset = offset;
    entry.bytes = bytes;
    entry.generation.fetch_add(1, std::memory_order_release);
    shared_.fetch_add(1);
  }
  MemoryTicket made;
  made.entry = at->second;
  made.file = nameOf(fd_);
  made.pageOffset = pageOffset_;
  made.key = page_->key;
  made.generation = page_->entries[at->second].generation.load();
  ticket = {};
  memcpy(ticket.bytes, &made, sizeof made);
  return Status::ok();
}

void ExportTable::withdraw(uint64_t offset) {
  if (shared_.load(std::memory_order_acquire) == 0) [[likely]]
    return;
  std::lock_guard lock(mutex_);
  auto at = entryAt_.find(offset);
  if (at == entryAt_.end()) return;
  page_->entries[at->second].generation.fetch_add(1, std::memory_order_release);
  free_.push_back(at->second);
  entryAt_.erase(at);
  shared_.fetch_sub(1);
}

void ExportTable::withdrawAll() {
  std::lock_guard lock(mutex_);
  for (const auto& [offset, entry] : entryAt_) {
    page_->entries[entry].generation.fetch_add(1, std::memory_order_release);
    free_.push_back(entry);
  }
  entryAt_.clear();
  shared_.store(0);
}

}  // namespace musashim::backend::cpu
