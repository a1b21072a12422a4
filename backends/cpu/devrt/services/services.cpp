// Time, output, heap and trap of device code.
#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <cstdarg>
#include <cstring>

#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/services/assertions.h"
#include "cpu/devrt/services/device_state.h"
#include "cpu/devrt/services/fault.h"
#include "cpu/exec/clock.h"

namespace musashim::devrt {

namespace {

DeviceState& currentDevice() {
  return *static_cast<const GridState*>(__musa_thread.block->grid_state)->device;
}

// printf() in kernels returns how many arguments it took.
int countArguments(const char* format) {
  int count = 0;
  for (const char* at = format; *at; ++at) {
    if (*at != '%') continue;
    if (at[1] == '%') {
      ++at;
      continue;
    }
    for (++at; *at && strchr("-+ #0123456789.*hlLqjzt", *at); ++at) count += *at == '*';
    if (!*at) break;
    ++count;
  }
  return count;
}

void sleepUntil(int64_t deadline) {
  timespec until{deadline / 1'000'000'000, deadline % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace

}  // namespace musashim::devrt

using musashim::devrt::currentDevice;
using musashim::devrt::HostThread;

extern "C" {

MUSADEVRT_API uint64_t __musa_globaltimer(void) {
  return static_cast<uint64_t>(musashim::backend::cpu::monotonicNow());
}

MUSADEVRT_API uint64_t __musa_clock64(void) {
  using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{__musa_globaltimer()} * currentDevice().options.clockKHz / 1'000'000);
}

MUSADEVRT_API void __musa_nanosleep(uint32_t nanoseconds) {
  constexpr uint32_t kLongest = 1'000'000;  // as documented for CUDA
  constexpr int64_t kShortest = 2'000;      // below, a system call sleeps too long
  constexpr uint32_t kWaitsToYield = 64;
  auto now = [] { return musashim::backend::cpu::monotonicNow(); };
  int64_t deadline = now() + (nanoseconds < kLongest ? nanoseconds : kLongest);
  HostThread& thread = HostThread::current();
  bool onFiber = thread.fibers && thread.fibers->onFiber();
  bool onGrid = !onFiber && thread.grid && thread.grid->onFiber();
  // The thread may wait for one whose assertion has failed.
  if (__musa_failed != 0 && !onFiber) __musa_end_failed_block();
  bool first = true;  // the block's other threads, or the grid's other blocks, run at least once
  while (first || now() < deadline) {
    first = false;
    if (onFiber && thread.fibers->yield()) continue;
    // More threads than processors may wait for each other's blocks: one of those has to go on.
    if (++thread.shortWaits % kWaitsToYield == 0) (void)sched_yield();
    if (onGrid && thread.grid->yield()) continue;
    if (deadline - now() < kShortest) {
      while (now() < deadline) __builtin_ia32_pause();
    } else {
      musashim::devrt::sleepUntil(deadline);
    }
  }
}

MUSADEVRT_API int __musa_vprintf(const char* format, __builtin_va_list arguments) {
  if (!format) return -1;
  char text[1024];
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(text, sizeof text, format, arguments);
  if (length < 0) {
    va_end(again);
    return -2;
  }
  auto& fifo = currentDevice().printFifo;
  if (static_cast<size_t>(length) < sizeof text) {
    fifo.push({text, static_cast<size_t>(length)});
  } else {
    std::string longText(static_cast<size_t>(length), '\0');
    vsnprintf(longText.data(), longText.size() + 1, format, again);
    fifo.push(longText);
  }
  va_end(again);
  return musashim::devrt::countArguments(format);
}

MUSADEVRT_API int __musa_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = __musa_vprintf(format, arguments);
  va_end(arguments);
  return result;
}

MUSADEVRT_API int32_t __musa_device_ordinal(void) { return currentDevice().queries.ordinal; }

MUSADEVRT_API int32_t __musa_device_count(void) {
  const auto count = currentDevice().queries.count;
  return count != nullptr ? count() : 1;
}

MUSADEVRT_API int32_t __musa_device_attribute(int32_t* value, int32_t id, int32_t ordinal) {
  const auto attribute = currentDevice().queries.attribute;
  return attribute != nullptr && attribute(id, ordinal, *value);
}

MUSADEVRT_API uint64_t __musa_device_heap_bytes(void) { return currentDevice().options.heapBytes; }
MUSADEVRT_API uint64_t __musa_device_printf_bytes(void) { return currentDevice().options.printfBytes; }

MUSADEVRT_API void* __musa_malloc(uint64_t bytes) { return currentDevice().heap.allocate(bytes); }

MUSADEVRT_API void __musa_free(void* pointer) {
  if (!pointer || currentDevice().heap.release(pointer)) return;
  musashim::devrt::raiseFault(
      musashim::StatusCode::kIllegalAddress,
      fmt::format("free({}) of memory that malloc() in a kernel did not give", fmt::ptr(pointer)));
}

MUSADEVRT_API void __musa_trap(void) {
  musashim::devrt::raiseFault(musashim::StatusCode::kTrap, "__trap() was called");
}
}
