#include "cpu/memory/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace musashim::backend::cpu {

namespace {

constexpr uint64_t kHugePage = 2ull << 20;
// Allocations from here on are multiples of huge pages, as on hardware.
constexpr uint64_t kBigAllocation = 1ull << 20;
// Freed pages kept for the next allocation; more than that goes back to the machine.
constexpr uint64_t kKeptDirtyBytes = 256ull << 20;
constexpr uint64_t kQuarantineBytes = 256ull << 20;

}  // namespace

Status Arena::create(const std::string& name, uint64_t bytes, uint64_t granularity, MemoryLedger& ledger,
                     std::unique_ptr<Arena>& arena, devrt::checks::MemoryKind kind) {
  int fd = memfd_create(name.c_str(), MFD_CLOEXEC);
  if (fd < 0) {
    return {StatusCode::kOutOfMemory,
            fmt::format("cannot create the memory of {}: {}", name, strerror(errno))};
  }
  bytes &= ~(kHugePage - 1);
  void* base = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(bytes)) == 0) {
    // Huge pages need a base aligned like them: map more and cut.
    base = mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (base != MAP_FAILED) {
    uint64_t start = (reinterpret_cast<uint64_t>(base) + kHugePage - 1) & ~(kHugePage - 1);
    uint64_t head = start - reinterpret_cast<uint64_t>(base);
    if (head > 0) munmap(base, head);
    if (head < kHugePage) munmap(reinterpret_cast<void*>(start + bytes), kHugePage - head);
    base = mmap(reinterpret_cast<void*>(start), bytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
  }
  if (base == MAP_FAILED) {
    std::string reason = strerror(errno);
    close(fd);
    return {StatusCode::kOutOfMemory, fmt::format("cannot map {} bytes for {}: {}", bytes, name, reason)};
  }
  madvise(base, bytes, MADV_HUGEPAGE);  // faster first touch; fine when the kernel refuses
  madvise(base, bytes, MADV_DONTDUMP);
  arena.reset(new Arena(name, fd, static_cast<std::byte*>(base), bytes, granularity, ledger, kind));
  devrt::checks::addDeviceRange(base, bytes);
  ledger.add(arena.get());
  return Status::ok();
}

Arena::Arena(std::string name, int fd, std::byte* base, uint64_t bytes, uint64_t granularity,
             MemoryLedger& ledger, devrt::checks::MemoryKind kind)
    : name_(std::move(name)),
      fd_(fd),
      base_(base),
      granularity_(granularity),
      ledger_(ledger),
      ranges_(std::make_unique<RangeAllocator>(bytes, granularity)),
      kind_(kind) {}

Arena::~Arena() {
  devrt::checks::removeDeviceRange(base_);
  devrt::checks::releasedAll(base_, ranges_->size());
  ledger_.remove(this);
  ledger_.release(ranges_->usedBytes() + ranges_->dirtyBytes());
  munmap(base_, ranges_->size());
  close(fd_);
}

bool Arena::tryAllocate(uint64_t bytes, uint64_t alignment, void** pointer) {
  std::lock_guard lock(mutex_);
  // Dirty ranges are reserved already and their pages are warm.
  std::optional<uint64_t> offset = ranges_->allocate(bytes, alignment, RangeAllocator::From::kDirty);
  if (!offset) {
    if (!ledger_.reserve(bytes)) return false;
    offset = ranges_->allocate(bytes, alignment, RangeAllocator::From::kClean);
    if (!offset) {
      ledger_.release(bytes);
      return false;
    }
  }
  *pointer = base_ + *offset;
  return true;
}

Status Arena::allocate(size_t bytes, void** pointer) {
  *pointer = nullptr;
  bool big = bytes >= kBigAllocation;
  uint64_t size = big ? bytes : ranges_->roundUp(bytes);
  if (bytes <= ranges_->size()) {
    if (big) size = (bytes + kHugePage - 1) & ~(kHugePage - 1);
    uint64_t alignment = big ? kHugePage : granularity_;
    bool made = tryAllocate(size, alignment, pointer);
    if (!made) {
      ledger_.trimAll();  // kept pages of any device may be what is missing
      made = tryAllocate(size, alignment, pointer);
    }
    if (made) {
      devrt::checks::allocated(*pointer, bytes, kind_);
      return Status::ok();
    }
  }
  return {StatusCode::kOutOfMemory,
          fmt::format("{} has no room for {} bytes: {} of {} are free, the machine can give {}", name_, bytes,
                      freeBytes(), ranges_->size(), ledger_.headroom())};
}

Status Arena::release(void* pointer) {
  std::lock_guard lock(mutex_);
  return devrt::checks::on() ? quarantine(pointer) : releaseNow(pointer);
}

Status Arena::quarantine(void* pointer) {
  std::optional<uint64_t> size;
  if (pointer >= base_) size = ranges_->sizeOf(offsetOf(pointer));
  const bool waits = std::find(quarantine_.begin(), quarantine_.end(), pointer) != quarantine_.end();
  if (!size || waits) {
    return {StatusCode::kInvalidValue,
            fmt::format("no allocation of {} begins at {}", name_, fmt::ptr(pointer))};
  }
  devrt::checks::released(pointer);
  quarantine_.push_back(pointer);
  quarantinedBytes_ += *size;
  emptyQuarantine(kQuarantineBytes);
  return Status::ok();
}

void Arena::emptyQuarantine(uint64_t downTo) {
  while (quarantinedBytes_ > downTo) {
    void* oldest = quarantine_.front();
    quarantine_.pop_front();
    quarantinedBytes_ -= ranges_->sizeOf(offsetOf(oldest)).value_or(0);
    (void)releaseNow(oldest).isOk();
  }
}

Status Arena::releaseNow(void* pointer) {
  uint64_t offset = offsetOf(pointer);
  std::optional<RangeAllocator::Released> released;
  if (static_cast<std::byte*>(pointer) >= base_ && offset < ranges_->size())
    released = ranges_->release(offset);
  if (!released) {
    return {StatusCode::kInvalidValue,
            fmt::format("no allocation of {} begins at {}", name_, fmt::ptr(pointer))};
  }
  if (ranges_->dirtyBytes() > kKeptDirtyBytes) {
    discard(released->freeOffset, released->freeSize);
    ranges_->cleanLastReleased();
  }
  return Status::ok();
}

void Arena::releaseAll() {
  std::lock_guard lock(mutex_);
  uint64_t size = ranges_->size();
  devrt::checks::releasedAll(base_, size);
  quarantine_.clear();
  quarantinedBytes_ = 0;
  ledger_.release(ranges_->usedBytes() + ranges_->dirtyBytes());
  fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size));
  ranges_ = std::make_unique<RangeAllocator>(size, granularity_);
}

void Arena::discard(uint64_t offset, uint64_t size) {
  fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(size));
  ledger_.release(size);
}

void Arena::trim() {
  std::lock_guard lock(mutex_);
  emptyQuarantine(0);
  ranges_->cleanAll([this](uint64_t offset, uint64_t size) { discard(offset, size); });
}

uint64_t Arena::usedBytes() const {
  std::lock_guard lock(mutex_);
  return ranges_->usedBytes() - quarantinedBytes_;
}

uint64_t Arena::freeBytes() const {
  std::lock_guard lock(mutex_);
  return ranges_->size() - ranges_->usedBytes() + quarantinedBytes_;
}

uint64_t Arena::keptBytes() const {
  std::lock_guard lock(mutex_);
  return ranges_->dirtyBytes();
}

uint64_t Arena::touchedBytes() const {
  struct stat status{};
  return fstat(fd_, &status) == 0 ? static_cast<uint64_t>(status.st_blocks) * 512 : 0;
}

}  // namespace musashim::backend::cpu
