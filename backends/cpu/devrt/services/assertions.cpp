#include "cpu/devrt/services/assertions.h"

#include <fmt/format.h>

#include <utility>

#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

namespace {

thread_local PendingFault first;  // while __musa_failed is set

}  // namespace

void takeAssertion(HostThread& thread) {
  if (std::exchange(__musa_failed, 0) != 0) thread.fault = std::exchange(first, {});
}

}  // namespace musashim::devrt

using musashim::devrt::HostThread;

extern "C" {

MUSADEVRT_API __thread uint32_t __musa_failed __attribute__((tls_model("initial-exec"))) = 0;

MUSADEVRT_API void __musa_assert_failed(const char* expression, const char* file, unsigned line,
                                        const char* function) {
  const MusaDim3& block = __musa_thread.block->block_idx;
  const MusaDim3& thread = __musa_thread.thread_idx;
  std::string text = fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.",
                                 file, line, function ? function : "", block.x, block.y, block.z, thread.x,
                                 thread.y, thread.z, expression);
  fmt::print(stderr, "{}\n", text);
  if (std::exchange(__musa_failed, 1) != 0) return;
  musashim::devrt::first = {.code = musashim::StatusCode::kAssert,
                            .message = std::move(text),
                            .threadKnown = __musa_thread.linear_idx != UINT32_MAX,
                            .thread = thread};
}

MUSADEVRT_API void __musa_end_failed_block(void) { musashim::devrt::leaveDeviceCode(HostThread::current()); }

MUSADEVRT_API void __musa_assert_fail(const char* expression, const char* file, unsigned line,
                                      const char* function) {
  __musa_assert_failed(expression, file, line, function);
  HostThread& host = HostThread::current();
  if (host.fibers && host.fibers->onFiber()) host.fibers->fail();
  __musa_end_failed_block();
}
}
