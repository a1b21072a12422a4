#include "cpu/process/imports.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cpu/devrt/checks/check_hooks.h"
#include "cpu/memory/huge_pages.h"
#include "cpu/memory/page.h"
#include "cpu/memory/protection_keys.h"

namespace musashim::backend::cpu {

namespace {
Status stale() { return {StatusCode::kNotFound, "the shared memory was freed, or its process has ended"}; }
}  // namespace

ImportTable::Source::~Source() {
  if (page) munmap(const_cast<ExportPage*>(page), ExportTable::kBytes);
}

ImportTable::~ImportTable() {
  for (const auto& [key, mapping] : mappings_) unmap(mapping);
}

Status ImportTable::findSource(const MemoryTicket& ticket, std::shared_ptr<Source>& source) {
  std::weak_ptr<Source>& known = sources_[{ticket.file, ticket.key}];
  source = known.lock();
  if (source) return Status::ok();
  auto made = std::make_shared<Source>();
  MUSASHIM_RETURN_IF_ERROR(openPeerFile(ticket.file, ticket.pageOffset + ExportTable::kBytes, made->file));
  void* page = mmap(nullptr, ExportTable::kBytes, PROT_READ, MAP_SHARED, made->file.get(),
                    static_cast<off_t>(ticket.pageOffset));
  if (page == MAP_FAILED) return {StatusCode::kInvalidValue, "not a name of shared memory"};
  made->page = static_cast<const ExportPage*>(page);
  if (made->page->magic.load(std::memory_order_acquire) != ExportPage::kMagic ||
      made->page->key != ticket.key) {
    return stale();
  }
  source = std::move(made);
  known = source;
  return Status::ok();
}

Status ImportTable::map(const MemoryTicket& ticket, Mapping& mapping) {
  const ExportPage& page = *mapping.source->page;
  const ExportEntry& entry = page.entries[ticket.entry];
  const uint64_t offset = entry.offset, bytes = entry.bytes;
  // Read before this look at the generation: so they belong to it.
  if (entry.generation.load(std::memory_order_acquire) != ticket.generation) {
    return {StatusCode::kInvalidValue, "the shared memory was freed"};
  }
  if (bytes == 0 || offset > ticket.pageOffset || bytes > ticket.pageOffset - offset) return stale();
  const uint64_t begin = offset & ~(kPage - 1);
  mapping.length = ((offset + bytes + kPage - 1) & ~(kPage - 1)) - begin;
  mapping.start =
      mapAligned(mapping.length, PROT_READ | PROT_WRITE, MAP_SHARED, mapping.source->file.get(), begin);
  if (mapping.start == MAP_FAILED) {
    return {StatusCode::kOutOfMemory,
            fmt::format("cannot map {} bytes of another process: {}", mapping.length, strerror(errno))};
  }
  MUSASHIM_RETURN_IF_ERROR(
      ProtectionKeys::protectCommon(mapping.start, mapping.length, PROT_READ | PROT_WRITE));
  madvise(mapping.start, mapping.length, MADV_DONTDUMP);
  void* base = static_cast<std::byte*>(mapping.start) + (offset - begin);
  mapping.memory = {page.device, base, bytes};
  devrt::checks::addDeviceRange(mapping.start, mapping.length);
  devrt::checks::allocated(base, bytes, devrt::checks::MemoryKind::kDevice);
  devrt::checks::written(base, bytes);
  return Status::ok();
}

void ImportTable::unmap(const Mapping& mapping) {
  devrt::checks::released(mapping.memory.base);
  devrt::checks::removeDeviceRange(mapping.start);
  munmap(mapping.start, mapping.length);
}

Status ImportTable::open(const ShareTicket& ticket, OpenedMemory& opened) {
  MemoryTicket wanted;
  memcpy(&wanted, ticket.bytes, sizeof wanted);
  if (wanted.magic != MemoryTicket::kMagic || wanted.entry >= ExportPage::kEntries ||
      wanted.pageOffset % kPage != 0 || wanted.pageOffset > UINT64_MAX / 2) {
    return {StatusCode::kInvalidValue, "not a name of shared memory"};
  }
  if (wanted.file.process == getpid()) {
    return {StatusCode::kInvalidValue, "the memory is this process's own"};
  }
  std::lock_guard lock(mutex_);
  const MappingKey key{{wanted.file, wanted.key}, {wanted.entry, wanted.generation}};
  auto found = mappings_.find(key);
  if (found == mappings_.end()) {
    std::erase_if(sources_, [](const auto& entry) { return entry.second.expired(); });
    Mapping mapping;
    MUSASHIM_RETURN_IF_ERROR(findSource(wanted, mapping.source));
    MUSASHIM_RETURN_IF_ERROR(map(wanted, mapping));
    found = mappings_.emplace(key, std::move(mapping)).first;
    byAddress_.emplace(found->second.memory.base, key);
  }
  ++found->second.opens;
  opened = found->second.memory;
  return Status::ok();
}

Status ImportTable::close(void* base, bool& last) {
  std::lock_guard lock(mutex_);
  auto at = byAddress_.find(base);
  if (at == byAddress_.end()) {
    return {StatusCode::kInvalidValue, fmt::format("no shared memory was opened at {}", fmt::ptr(base))};
  }
  auto found = mappings_.find(at->second);
  last = --found->second.opens == 0;
  if (!last) return Status::ok();
  unmap(found->second);
  mappings_.erase(found);
  byAddress_.erase(at);
  return Status::ok();
}

}  // namespace musashim::backend::cpu
