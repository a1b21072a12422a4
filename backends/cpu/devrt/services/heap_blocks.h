// Hands out parts of the heap of kernels to many threads at once. Never touches the memory.
//
// Small blocks lie in slabs, each of blocks of one size. A slab belongs to an arena, one of some that threads
// spread over, so that they do not wait for each other; any thread may give back a block of it. All else is
// handed out from one list of ranges behind a lock, the slabs too.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "cpu/exec/spin_lock.h"
#include "cpu/memory/range_allocator.h"

namespace musashim::devrt {

class HeapBlocks {
 public:
  explicit HeapBlocks(uint64_t bytes);
  HeapBlocks(const HeapBlocks&) = delete;
  HeapBlocks& operator=(const HeapBlocks&) = delete;

  // The offset of a block, a multiple of 16; nothing when there is no room.
  std::optional<uint64_t> allocate(uint64_t bytes);
  // False when no block begins there.
  bool release(uint64_t offset);

 private:
  using SpinLock = backend::cpu::SpinLock;
  static constexpr uint64_t kGranularity = 16;
  static constexpr uint64_t kSlab = 16 << 10;
  static constexpr uint64_t kLargest = 4096;        // of the blocks in slabs
  static constexpr uint64_t kWorthSlabs = 1 << 20;  // a smaller heap would be cut up by them
  static constexpr unsigned kClasses = 36, kArenas = 32;
  static constexpr unsigned kWords = kSlab / kGranularity / 64;

  struct Slab {
    std::atomic<unsigned> arena{0};
    uint64_t offset = 0;
    unsigned kind = 0;  // class of sizes
    uint32_t size = 0, blocks = 0, used = 0;
    uint32_t freeWords = 0;                  // those of the map that are not zero
    std::array<uint64_t, kWords> free = {};  // a bit for each block
    Slab *next = nullptr, *previous = nullptr;
  };
  // The slabs with free blocks, by class of sizes.
  struct alignas(64) Arena {
    SpinLock lock;
    std::array<Slab*, kClasses> slabs = {};
  };

  static unsigned classOf(uint64_t bytes);
  static uint64_t sizeOf(unsigned kind);
  static unsigned arenaOfThread();

  std::optional<uint64_t> allocateSmall(unsigned kind);
  std::optional<uint64_t> allocateRange(uint64_t bytes, uint64_t alignment);
  std::optional<uint64_t> fromOtherArenas(unsigned kind);
  Slab* makeSlab(unsigned kind, unsigned arena);
  void giveBackEmptySlabs();

  // With the arena's lock held:
  static uint64_t take(Arena& arena, Slab& slab);
  static bool put(Arena& arena, Slab& slab, uint64_t offset);
  static void link(Arena& arena, Slab& slab);
  static void unlink(Arena& arena, Slab& slab);
  void retire(Arena& arena, Slab& slab);

  const uint64_t bytes_;
  std::array<Arena, kArenas> arenas_;
  std::vector<std::atomic<Slab*>> slabAt_;  // by offset
  SpinLock lock_;                           // guards what follows, and changes of slabAt_
  backend::cpu::RangeAllocator ranges_;
  std::deque<Slab> slabs_;
  Slab* spare_ = nullptr;
};

}  // namespace musashim::devrt
