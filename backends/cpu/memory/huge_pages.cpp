#include "cpu/memory/huge_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "cpu/memory/reserve.h"

namespace musashim::backend::cpu {
namespace {

constexpr int kCollapse = 25;  // MADV_COLLAPSE, which older headers do not have

uint64_t blockAtOrAfter(uint64_t offset) { return (offset + kHugePage - 1) / kHugePage; }

}  // namespace

std::vector<HugeBlocks::Run> HugeBlocks::take(uint64_t offset, uint64_t size) {
  std::vector<Run> runs;
  const uint64_t end = std::min<uint64_t>(done_.size(), (offset + size) / kHugePage);
  for (uint64_t block = blockAtOrAfter(offset); block < end; ++block) {
    if (done_[block]) continue;
    done_[block] = true;
    const uint64_t at = block * kHugePage;
    if (!runs.empty() && runs.back().offset + runs.back().size == at) {
      runs.back().size += kHugePage;
    } else {
      runs.push_back({at, kHugePage});
    }
  }
  return runs;
}

void HugeBlocks::forget(uint64_t offset, uint64_t size) {
  const uint64_t end = std::min<uint64_t>(done_.size(), blockAtOrAfter(offset + size));
  for (uint64_t block = offset / kHugePage; block < end; ++block) done_[block] = false;
}

void makeHuge(std::byte* begin, uint64_t size) {
  static std::atomic<bool> unsupported{false};
  if (unsupported.load(std::memory_order_relaxed)) return;
  // A block without a page that was written is refused.
  for (uint64_t at = 0; at < size; at += kHugePage) {
    const std::atomic_ref<std::byte> first(begin[at]);
    std::byte same = first.load(std::memory_order_relaxed);
    first.compare_exchange_strong(same, same, std::memory_order_relaxed);
  }
  if (madvise(begin, size, kCollapse) != 0 && errno == EINVAL) {
    unsupported.store(true, std::memory_order_relaxed);
  }
}

void* mapAligned(size_t bytes, int protection, int flags, int fd, uint64_t offset) {
  void* room = reserveAligned(bytes, kHugePage, offset % kHugePage);
  if (room == MAP_FAILED) return room;
  void* mapped = mmap(room, bytes, protection, flags | MAP_FIXED, fd, static_cast<off_t>(offset));
  if (mapped != MAP_FAILED) return mapped;
  const int error = errno;
  munmap(room, bytes);
  errno = error;
  return mapped;
}

}  // namespace musashim::backend::cpu
