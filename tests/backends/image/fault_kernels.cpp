// Kernels that fail, each kind of failure in one of their threads.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {

// Device code may do what sanitizers forbid: that is what some kernels are for.
#define UNCHECKED __attribute__((noinline, no_sanitize("undefined"), disable_sanitizer_instrumentation))

namespace {

UNCHECKED int overflow(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth > 1'000'000'000 ? 0 : overflow(depth + 1) + frame[0];
}

void faultThread(const MusaBlockContext* block) {
  const auto& p = params<FaultParams>(block);
  __musa_syncthreads();
  if (tid() == p.thread) fail(p.kind);
  __musa_syncthreads();
}

}  // namespace

UNCHECKED void fail(int kind) {
  static volatile int zero = 0;
  switch (kind) {
    case kStore:
      *reinterpret_cast<volatile int*>(uintptr_t{0x10}) = 1;
      break;
    case kDivide:
      zero = 7 / zero;
      break;
    case kIllegal:
      __builtin_trap();
    case kTrapCall:
      __musa_trap();
    case kAssertCall:
      __musa_assert_fail("i < n", "kernel.mu", 42, "void k(int)");
    case kOverflow:
      zero = overflow(0);
      break;
    case kBadFree:
      __musa_free(reinterpret_cast<void*>(uintptr_t{64}));
      break;
    case kNonCanonical:
      *reinterpret_cast<volatile int*>(uintptr_t{0xdead000000000000}) = 1;
      break;
  }
}

void faultKernel(const MusaBlockContext* block) {
  const auto& p = params<FaultParams>(block);
  for (uint32_t t = 0; t < threadsOf(block); ++t) {
    if (t != p.thread) continue;
    __musa_thread.thread_idx = {t, 0, 0};
    __musa_thread.linear_idx = t;
    fail(p.kind);
  }
}

void faultFibersKernel(const MusaBlockContext* block) { __musa_run_fibers(block, faultThread); }

}  // namespace test_image
