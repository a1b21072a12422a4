#include "failures/refusals.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace {

constinit thread_local long left = -1;  // until one is refused; below 0: none
constinit thread_local bool refused = false;
constinit thread_local bool throwsOther = false;
constinit std::atomic<size_t> large{SIZE_MAX};
constinit std::atomic<int> refusedLarge{0};

bool isLarge(size_t bytes) {
  if (bytes < large.load(std::memory_order_relaxed)) return false;
  ++refusedLarge;
  return true;
}

void* take(size_t bytes, size_t alignment) {
  if (left >= 0 && left-- == 0) {
    refused = true;
    if (throwsOther) throw std::runtime_error("no luck");
    throw std::bad_alloc();
  }
  if (isLarge(bytes)) throw std::bad_alloc();
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes == 0 ? 1 : bytes) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return take(bytes, alignof(std::max_align_t)); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace musashim::test {

RefuseOne::RefuseOne(long after, Thrown thrown) {
  refused = false;
  throwsOther = thrown == Thrown::kOther;
  left = after;
}
RefuseOne::~RefuseOne() { left = -1; }
bool RefuseOne::hasRefused() const { return refused; }

RefuseLarge::RefuseLarge(size_t bytes) {
  refusedLarge = 0;
  large = bytes;
}
RefuseLarge::~RefuseLarge() { large = SIZE_MAX; }
int RefuseLarge::count() const { return refusedLarge; }

}  // namespace musashim::test
