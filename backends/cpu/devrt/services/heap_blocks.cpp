#include "cpu/devrt/services/heap_blocks.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace musashim::devrt {

using backend::cpu::RangeAllocator;

namespace {

constexpr unsigned kParts = 24;      // the first class of sizes above 1 KiB
constexpr unsigned kMostParts = 15;  // of a slab of these

// All threads of a device may come at once, and none holds it for long: so many that sleep and are woken
// would take ten times as long.
class PatientLock {
 public:
  explicit PatientLock(backend::cpu::SpinLock& lock) : lock_(lock) {
    constexpr int kTries = 400, kMostPauses = 32;  // half a millisecond
    int pauses = 1;
    for (int tries = 0; tries < kTries; ++tries) {
      if (lock_.try_lock()) return;
      for (int i = 0; i < pauses; ++i) backend::cpu::cpuPause();
      pauses = std::min(2 * pauses, kMostPauses);
    }
    lock_.lock();
  }
  ~PatientLock() { lock_.unlock(); }
  PatientLock(const PatientLock&) = delete;
  PatientLock& operator=(const PatientLock&) = delete;

 private:
  backend::cpu::SpinLock& lock_;
};

}  // namespace

HeapBlocks::HeapBlocks(uint64_t bytes)
    : bytes_(bytes), slabAt_(bytes < kWorthSlabs ? 0 : bytes / kSlab), ranges_(bytes, kGranularity) {}

// Multiples of 16 up to 256, then four sizes between powers of two; above 1 KiB, of which few are in a slab,
// what divides it by 15, 14 ... 4.
unsigned HeapBlocks::classOf(uint64_t bytes) {
  if (bytes <= 256) return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / kGranularity);
  if (bytes > 1024) {
    const uint64_t size = (bytes + kGranularity - 1) / kGranularity * kGranularity;
    return kParts + static_cast<unsigned>(kMostParts - kSlab / size);
  }
  const unsigned power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
  return 16 + 4 * (power - 8) + static_cast<unsigned>((bytes - 1) >> (power - 2) & 3);
}

uint64_t HeapBlocks::sizeOf(unsigned kind) {
  if (kind < 16) return (kind + 1) * kGranularity;
  if (kind >= kParts) return kSlab / (kMostParts - (kind - kParts)) / kGranularity * kGranularity;
  const unsigned power = 8 + (kind - 16) / 4;
  return (uint64_t{1} << power) + ((kind - 16) % 4 + 1) * (uint64_t{1} << (power - 2));
}

unsigned HeapBlocks::arenaOfThread() {
  static std::atomic<unsigned> threads{0};
  thread_local const unsigned number = threads.fetch_add(1, std::memory_order_relaxed);
  return number % kArenas;
}

std::optional<uint64_t> HeapBlocks::allocate(uint64_t bytes) {
  if (bytes <= kLargest && !slabAt_.empty()) {
    if (const auto offset = allocateSmall(classOf(bytes))) return offset;
  }
  if (const auto offset = allocateRange(bytes, kGranularity)) return offset;
  giveBackEmptySlabs();
  return allocateRange(bytes, kGranularity);
}

std::optional<uint64_t> HeapBlocks::allocateSmall(unsigned kind) {
  const unsigned number = arenaOfThread();
  Arena& arena = arenas_[number];
  {
    std::lock_guard lock(arena.lock);
    if (Slab* const slab = arena.slabs[kind]) return take(arena, *slab);
  }
  Slab* const slab = makeSlab(kind, number);
  if (slab == nullptr) return fromOtherArenas(kind);
  std::lock_guard lock(arena.lock);
  link(arena, *slab);
  return take(arena, *slab);
}

std::optional<uint64_t> HeapBlocks::fromOtherArenas(unsigned kind) {
  for (Arena& arena : arenas_) {
    std::lock_guard lock(arena.lock);
    if (Slab* const slab = arena.slabs[kind]) return take(arena, *slab);
  }
  return std::nullopt;
}

std::optional<uint64_t> HeapBlocks::allocateRange(uint64_t bytes, uint64_t alignment) {
  const PatientLock lock(lock_);
  for (const auto from : {RangeAllocator::From::kDirty, RangeAllocator::From::kClean}) {
    if (const auto offset = ranges_.allocate(bytes, alignment, from)) return offset;
  }
  ranges_.cleanAll([](uint64_t, uint64_t) {});  // join used and fresh parts
  return ranges_.allocate(bytes, alignment, RangeAllocator::From::kClean);
}

// It is whole before others can see it: a program may give back what it never got.
HeapBlocks::Slab* HeapBlocks::makeSlab(unsigned kind, unsigned arena) {
  const auto offset = allocateRange(kSlab, kSlab);
  if (!offset) return nullptr;
  const PatientLock lock(lock_);
  Slab* slab = spare_;
  if (slab != nullptr) {
    spare_ = slab->next;
  } else {
    slab = &slabs_.emplace_back();
  }
  slab->arena.store(arena, std::memory_order_relaxed);
  slab->offset = *offset;
  slab->kind = kind;
  slab->size = static_cast<uint32_t>(sizeOf(kind));
  slab->blocks = static_cast<uint32_t>(kSlab / slab->size);
  slab->used = 0;
  slab->freeWords = 0;
  slab->next = slab->previous = nullptr;
  for (unsigned word = 0; word < kWords; ++word) {
    const unsigned left = slab->blocks > word * 64 ? slab->blocks - word * 64 : 0;
    slab->free[word] = left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
    slab->freeWords |= uint32_t{slab->free[word] != 0} << word;
  }
  slabAt_[*offset / kSlab].store(slab, std::memory_order_release);
  return slab;
}

uint64_t HeapBlocks::take(Arena& arena, Slab& slab) {
  const auto word = static_cast<unsigned>(std::countr_zero(slab.freeWords));
  const auto bit = static_cast<unsigned>(std::countr_zero(slab.free[word]));
  slab.free[word] &= slab.free[word] - 1;
  if (slab.free[word] == 0) slab.freeWords &= ~(1u << word);
  if (++slab.used == slab.blocks) unlink(arena, slab);
  return slab.offset + uint64_t{word * 64 + bit} * slab.size;
}

bool HeapBlocks::put(Arena& arena, Slab& slab, uint64_t offset) {
  const auto at = static_cast<uint32_t>(offset - slab.offset);
  const uint32_t block = at / slab.size;
  const uint64_t bit = uint64_t{1} << block % 64;
  if (block * slab.size != at || block >= slab.blocks || (slab.free[block / 64] & bit) != 0) return false;
  slab.free[block / 64] |= bit;
  slab.freeWords |= 1u << block / 64;
  if (slab.used-- == slab.blocks) link(arena, slab);
  return true;
}

void HeapBlocks::link(Arena& arena, Slab& slab) {
  Slab*& first = arena.slabs[slab.kind];
  slab.next = first;
  slab.previous = nullptr;
  if (first != nullptr) first->previous = &slab;
  first = &slab;
}

void HeapBlocks::unlink(Arena& arena, Slab& slab) {
  (slab.previous != nullptr ? slab.previous->next : arena.slabs[slab.kind]) = slab.next;
  if (slab.next != nullptr) slab.next->previous = slab.previous;
}

// Of a slab without blocks in use.
void HeapBlocks::retire(Arena& arena, Slab& slab) {
  unlink(arena, slab);
  const PatientLock lock(lock_);
  slabAt_[slab.offset / kSlab].store(nullptr, std::memory_order_relaxed);
  ranges_.release(slab.offset);
  slab.next = spare_;
  spare_ = &slab;
}

void HeapBlocks::giveBackEmptySlabs() {
  for (Arena& arena : arenas_) {
    std::lock_guard lock(arena.lock);
    for (Slab* slab : arena.slabs) {
      while (slab != nullptr) {
        Slab* const next = slab->next;
        if (slab->used == 0) retire(arena, *slab);
        slab = next;
      }
    }
  }
}

bool HeapBlocks::release(uint64_t offset) {
  if (offset >= bytes_) return false;
  const uint64_t at = offset / kSlab;
  while (at < slabAt_.size()) {
    Slab* const slab = slabAt_[at].load(std::memory_order_acquire);
    if (slab == nullptr) break;
    const unsigned number = slab->arena.load(std::memory_order_relaxed);
    Arena& arena = arenas_[number];
    std::lock_guard lock(arena.lock);
    // It may have been retired meanwhile, and have begun another life.
    if (slabAt_[at].load(std::memory_order_relaxed) != slab ||
        slab->arena.load(std::memory_order_relaxed) != number)
      continue;
    if (!put(arena, *slab, offset)) return false;
    // One is kept for the next block of its kind.
    if (slab->used == 0 && (slab->next != nullptr || slab->previous != nullptr)) retire(arena, *slab);
    return true;
  }
  const PatientLock lock(lock_);
  return ranges_.release(offset).has_value();
}

}  // namespace musashim::devrt
