#include "cpu/memory/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cpu/exec/clock.h"
#include "cpu/memory/protection_keys.h"
#include "cpu/process/forked_child.h"

namespace musashim::backend::cpu {

namespace {

// Allocations from here on are multiples of huge pages, as on hardware.
constexpr uint64_t kBigAllocation = 1ull << 20;
// Freed pages kept for the next allocation; more than that goes back to the machine, if it is short of
// memory: it takes longer to give a page anew, which it clears, than a fill takes.
constexpr uint64_t kKeptDirtyBytes = 256ull << 20;
constexpr uint64_t kQuarantineBytes = 256ull << 20;
// Larger allocations get their pages when they are touched, as not all of them are ever used whole: huge ones
// where a copy or a fill is the first (takeFresh).
constexpr uint64_t kLargestHuge = 128ull << 20;

// All arenas of the process.
struct Arenas {
  std::mutex mutex;
  std::vector<Arena*> list;

  static Arenas& instance() {
    static auto* arenas = new Arenas;  // devices may outlive what is destroyed at exit
    return *arenas;
  }
};

}  // namespace

Status Arena::create(const std::string& name, uint64_t bytes, uint64_t granularity, MemoryLedger& ledger,
                     std::unique_ptr<Arena>& arena, devrt::checks::MemoryKind kind,
                     std::optional<size_t> device) {
  bytes &= ~(kHugePage - 1);
  UniqueFd file;
  MUSASHIM_RETURN_IF_ERROR(createMemoryFile(name, bytes + kTailBytes, file));
  void* base = mapAligned(bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (base == MAP_FAILED) {
    return {StatusCode::kOutOfMemory,
            fmt::format("cannot map {} bytes for {}: {}", bytes, name, strerror(errno))};
  }
  madvise(base, bytes, MADV_HUGEPAGE);  // faster first touch; fine when the kernel refuses
  madvise(base, bytes, MADV_DONTDUMP);
  // A child that only forks has no devices; their memory must end with this process.
  if (device) {
    madvise(base, bytes, MADV_DONTFORK);
    MUSASHIM_RETURN_IF_ERROR(ProtectionKeys::protectOf(*device, base, bytes, PROT_READ | PROT_WRITE));
  }
  arena.reset(new Arena(name, std::move(file), static_cast<std::byte*>(base), bytes, granularity, ledger,
                        kind, device));
  devrt::checks::addDeviceRange(base, bytes);
  ledger.add(arena.get());
  return Status::ok();
}

Arena::Arena(std::string name, UniqueFd file, std::byte* base, uint64_t bytes, uint64_t granularity,
             MemoryLedger& ledger, devrt::checks::MemoryKind kind, std::optional<size_t> device)
    : name_(std::move(name)),
      file_(std::move(file)),
      base_(base),
      granularity_(granularity),
      ledger_(ledger),
      device_(ledger.board() ? device : std::nullopt),
      ranges_(std::make_unique<RangeAllocator>(bytes, granularity)),
      huge_(bytes),
      kind_(kind) {
  closeInForkedChildren(file_.get());
  if (ledger_.board()) ledger_.board()->addFile(file_.get());
  Arenas& all = Arenas::instance();
  std::lock_guard lock(all.mutex);
  all.list.push_back(this);
}

Arena::~Arena() {
  {
    Arenas& all = Arenas::instance();
    std::lock_guard lock(all.mutex);
    std::erase(all.list, this);
  }
  devrt::checks::removeDeviceRange(base_);
  devrt::checks::releasedAll(base_, ranges_->size());
  ledger_.remove(this);
  ledger_.release(ranges_->usedBytes() + ranges_->dirtyBytes());
  unclaim(ranges_->usedBytes());
  if (ledger_.board()) ledger_.board()->removeFile(file_.get());
  keepInForkedChildren(file_.get());
  munmap(base_, ranges_->size());
}

bool Arena::claim(uint64_t bytes) {
  return !device_ || ledger_.board()->claim(*device_, bytes, ranges_->size());
}

void Arena::unclaim(uint64_t bytes) {
  if (device_) ledger_.board()->release(*device_, bytes);
}

bool Arena::tryAllocate(uint64_t bytes, uint64_t alignment, void** pointer) {
  std::vector<HugeBlocks::Run> fresh;
  if (!place(bytes, alignment, pointer, fresh)) return false;
  if (fresh.empty()) return true;
  const int64_t start = monotonicNow();
  const ThreadAccess access(ProtectionKeys::all());
  for (const HugeBlocks::Run& run : fresh) makeHuge(base_ + run.offset, run.size);
  ledger_.discount(monotonicNow() - start);
  return true;
}

bool Arena::place(uint64_t bytes, uint64_t alignment, void** pointer, std::vector<HugeBlocks::Run>& fresh) {
  std::lock_guard lock(mutex_);
  if (!claim(bytes)) return false;
  // Dirty ranges are reserved already and their pages are warm.
  std::optional<uint64_t> offset = ranges_->allocate(bytes, alignment, RangeAllocator::From::kDirty);
  if (!offset) {
    bool reserved = ledger_.reserve(bytes);
    if (reserved) offset = ranges_->allocate(bytes, alignment, RangeAllocator::From::kClean);
    if (!offset) {
      if (reserved) ledger_.release(bytes);
      unclaim(bytes);
      return false;
    }
  }
  *pointer = base_ + *offset;
  if (alignment == kHugePage && bytes <= kLargestHuge) fresh = huge_.take(*offset, bytes);
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
  unclaim(released->size);
  if (ranges_->dirtyBytes() > kKeptDirtyBytes && ranges_->dirtyBytes() > ledger_.keepable()) {
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
  unclaim(ranges_->usedBytes());
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size));
  huge_.forget(0, size);
  ranges_ = std::make_unique<RangeAllocator>(size, granularity_);
}

std::vector<std::byte*> Arena::takeFresh(const void* begin, uint64_t bytes) {
  std::vector<std::byte*> blocks;
  Arenas& all = Arenas::instance();
  std::lock_guard lock(all.mutex);
  const auto first = static_cast<const std::byte*>(begin);
  for (Arena* arena : all.list) {
    std::lock_guard own(arena->mutex_);
    if (first < arena->base_ || first >= arena->base_ + arena->ranges_->size()) continue;
    for (const HugeBlocks::Run& run : arena->huge_.take(arena->offsetOf(first), bytes)) {
      for (uint64_t at = 0; at < run.size; at += kHugePage) blocks.push_back(arena->base_ + run.offset + at);
    }
    break;
  }
  return blocks;
}

void Arena::discard(uint64_t offset, uint64_t size) {
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(size));
  huge_.forget(offset, size);
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
  uint64_t used = device_ ? ledger_.board()->usedByAll(*device_) : ranges_->usedBytes();
  used -= std::min(used, quarantinedBytes_);
  return ranges_->size() - std::min(used, ranges_->size());
}

uint64_t Arena::keptBytes() const {
  std::lock_guard lock(mutex_);
  return ranges_->dirtyBytes();
}

uint64_t Arena::touchedBytes() const {
  struct stat status{};
  return fstat(file_.get(), &status) == 0 ? static_cast<uint64_t>(status.st_blocks) * 512 : 0;
}

}  // namespace musashim::backend::cpu
