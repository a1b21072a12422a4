// Failed assertions of device code. Each thread whose assertion has failed names itself, as on hardware; the
// block ends when its other threads have come as far as they come without them.
#pragma once

#include "cpu/devrt/export.h"
#include "cpu/devrt/host_thread.h"

extern "C" {
// Not 0: an assertion of the block that runs now on this host thread has failed.
extern MUSADEVRT_API __thread uint32_t __musa_failed __attribute__((tls_model("initial-exec")));

// What compiled blocks do in place of __musa_assert_fail: each thread says that it has failed, and behind the
// loop over threads the block ends.
MUSADEVRT_API void __musa_assert_failed(const char* expression, const char* file, unsigned line,
                                        const char* function);
MUSADEVRT_API void __musa_end_failed_block(void) __attribute__((noreturn));
}

namespace musashim::devrt {

// After the block has ended: the first failed assertion is its fault, whatever happened to other threads
// since.
void takeAssertion(HostThread& thread);

}  // namespace musashim::devrt
