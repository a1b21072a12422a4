#include "cpu/devrt/fibers/fiber_pool.h"

#include <sys/mman.h>

#include "cpu/memory/page.h"

namespace musashim::devrt {

namespace {

#ifndef MADV_GUARD_INSTALL
constexpr int MADV_GUARD_INSTALL = 102;  // Linux 6.13: a guard page without a mapping of its own
#endif

// Tops of stacks that lie a power of two apart would share one cache set.
size_t stagger(uint32_t index) { return (index % 32) * 192; }

}  // namespace

FiberPool::FiberPool(size_t stackBytes, uint32_t maxFibers)
    : stackBytes_((stackBytes + kPage - 1) & ~(kPage - 1)),
      slotBytes_(stackBytes_ + kPage),
      fibers_(maxFibers) {}

FiberPool::~FiberPool() {
  for (uint32_t i = 0; i < ready_; ++i) fibers_[i].sanitizer.destroy();
  if (stacks_) munmap(stacks_, slotBytes_ * maxFibers());
}

bool FiberPool::grow(uint32_t count) {
  if (count <= ready_) return true;
  if (count > maxFibers()) return false;
  if (!stacks_) {
    void* memory = mmap(nullptr, slotBytes_ * maxFibers(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return false;
    stacks_ = static_cast<char*>(memory);
    madvise(stacks_, slotBytes_ * maxFibers(), MADV_NOHUGEPAGE);
  }
  for (; ready_ < count; ++ready_) {
    char* slot = stacks_ + slotBytes_ * ready_;
    if (madvise(slot, kPage, MADV_GUARD_INSTALL) != 0 && mprotect(slot, kPage, PROT_NONE) != 0) return false;
    Fiber& fiber = fibers_[ready_];
    fiber.index = ready_;
    fiber.stackTop = slot + slotBytes_ - stagger(ready_);
    fiber.sanitizer.setStack(slot + kPage, static_cast<size_t>(fiber.stackTop - slot) - kPage);
  }
  return true;
}

bool FiberPool::isStack(uintptr_t address) const {
  return stacks_ && address - reinterpret_cast<uintptr_t>(stacks_) < slotBytes_ * maxFibers();
}

bool FiberPool::isGuard(uintptr_t address) const {
  return isStack(address) && (address - reinterpret_cast<uintptr_t>(stacks_)) % slotBytes_ < kPage;
}

}  // namespace musashim::devrt
