// Tells AddressSanitizer and ThreadSanitizer about switches of stacks. Nothing in
// ordinary builds.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MUSADEVRT_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#define MUSADEVRT_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace musashim::devrt {

// The frames between the two addresses are left and will not return.
inline void forgetFrames([[maybe_unused]] uintptr_t low, [[maybe_unused]] uintptr_t high) {
#ifdef MUSADEVRT_ASAN
  if (low < high) __asan_unpoison_memory_region(reinterpret_cast<void*>(low), high - low);
#endif
}

// One side of a switch: a fiber's stack or the host thread's own.
class SanitizerContext {
 public:
  // Just before leaving `from` for `to`.
  static void beforeSwitch([[maybe_unused]] SanitizerContext& from, [[maybe_unused]] SanitizerContext& to) {
#ifdef MUSADEVRT_ASAN
    __sanitizer_start_switch_fiber(&from.fakeStack_, to.bottom_, to.size_);
#endif
#ifdef MUSADEVRT_TSAN
    if (!to.tsanFiber_) to.tsanFiber_ = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(to.tsanFiber_, 0);
#endif
  }

  // Just after arriving on `here`, from `from`.
  static void afterSwitch([[maybe_unused]] SanitizerContext& here, [[maybe_unused]] SanitizerContext& from) {
#ifdef MUSADEVRT_ASAN
    __sanitizer_finish_switch_fiber(here.fakeStack_, &from.bottom_, &from.size_);
    here.fakeStack_ = nullptr;
#endif
  }

  void setStack([[maybe_unused]] const void* bottom, [[maybe_unused]] size_t size) {
#ifdef MUSADEVRT_ASAN
    bottom_ = bottom;
    size_ = size;
#endif
  }

  // The host thread's side: known to the sanitizer already.
  void adoptCurrent() {
#ifdef MUSADEVRT_TSAN
    tsanFiber_ = __tsan_get_current_fiber();
#endif
  }

  // The stack was left in the middle and will be used from its top again.
  void forget() {
#ifdef MUSADEVRT_ASAN
    __asan_unpoison_memory_region(bottom_, size_);
    fakeStack_ = nullptr;
#endif
    destroy();
  }

  void destroy() {
#ifdef MUSADEVRT_TSAN
    if (tsanFiber_) __tsan_destroy_fiber(tsanFiber_);
    tsanFiber_ = nullptr;
#endif
  }

 private:
#ifdef MUSADEVRT_ASAN
  void* fakeStack_ = nullptr;
  const void* bottom_ = nullptr;
  size_t size_ = 0;
#endif
#ifdef MUSADEVRT_TSAN
  void* tsanFiber_ = nullptr;
#endif
};

}  // namespace musashim::devrt
