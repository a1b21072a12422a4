// Denormal numbers as zero, for kernels that ask for it: the processor's control register says it, of each
// fiber for itself.
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include "abi/musa_device_abi.h"

namespace musashim::devrt {

#ifdef __x86_64__
inline unsigned controlRegister() { return _mm_getcsr(); }
inline void setControlRegister(unsigned value) {
  if (value != _mm_getcsr()) _mm_setcsr(value);
}
constexpr unsigned kFlushToZero = 1u << 15, kDenormalsAreZero = 1u << 6;
#else
inline unsigned controlRegister() { return 0; }
inline void setControlRegister(unsigned) {}
constexpr unsigned kFlushToZero = 0, kDenormalsAreZero = 0;
#endif

// From here on in this thread or fiber, arithmetic treats denormals as the kernel wants it.
inline void treatDenormalsAs(const MusaKernelInfo& kernel) {
  const unsigned others = controlRegister() & ~(kFlushToZero | kDenormalsAreZero);
  const bool flush = (kernel.flags & MUSA_KERNEL_FLUSHES_DENORMALS) != 0;
  setControlRegister(flush ? others | kFlushToZero | kDenormalsAreZero : others);
}

// While this lives; then the thread's own way is back.
class DenormalsOf {
 public:
  explicit DenormalsOf(const MusaKernelInfo& kernel) : before_(controlRegister()) {
    treatDenormalsAs(kernel);
  }
  ~DenormalsOf() { setControlRegister(before_); }
  DenormalsOf(const DenormalsOf&) = delete;
  DenormalsOf& operator=(const DenormalsOf&) = delete;

 private:
  const unsigned before_;
};

}  // namespace musashim::devrt
