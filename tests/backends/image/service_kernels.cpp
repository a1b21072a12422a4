// Kernels that print, allocate, sleep and look at clocks.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {
namespace {

void printThread(const MusaBlockContext* block) {
  int result = __musa_printf("b%u t%u %s %5.2f%%\n", block->block_idx.x, tid(), "text", 1.5);
  params<OutParams>(block).out[0] = result;
}

// Thread 0 waits, sleeping, for what the last thread does later.
void sleepThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  if (tid() == 0) {
    while (__atomic_load_n(p.out, __ATOMIC_ACQUIRE) == 0) __musa_nanosleep(100);
    p.out[1] = 1;
  } else if (tid() == threadsOf(block) - 1) {
    __atomic_store_n(p.out, 1, __ATOMIC_RELEASE);
  }
}

}  // namespace

void printKernel(const MusaBlockContext* block) { __musa_run_fibers(block, printThread); }

// Prints `argument` numbered lines.
void printManyKernel(const MusaBlockContext* block) {
  for (uint32_t i = 0; i < params<OutParams>(block).argument; ++i) __musa_printf("line %06u\n", i);
}

// out[0]: pieces of `argument` bytes until the heap was full; out[1]: after freeing all, again.
void heapKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  for (int round = 0; round < 2; ++round) {
    void** last = nullptr;
    p.out[round] = 0;
    while (void* piece = __musa_malloc(p.argument)) {
      *static_cast<void***>(piece) = last;
      last = static_cast<void**>(piece);
      ++p.out[round];
    }
    while (last) {
      void** next = static_cast<void**>(*last);
      __musa_free(last);
      last = next;
    }
  }
}

// Cycles and nanoseconds that a sleep of `argument` nanoseconds took.
void timeKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  uint64_t nanoseconds = __musa_globaltimer(), cycles = __musa_clock64();
  __musa_nanosleep(p.argument);
  p.out[1] = static_cast<int64_t>(__musa_clock64() - cycles);
  p.out[0] = static_cast<int64_t>(__musa_globaltimer() - nanoseconds);
}

void sleepKernel(const MusaBlockContext* block) { __musa_run_fibers(block, sleepThread); }

}  // namespace test_image
