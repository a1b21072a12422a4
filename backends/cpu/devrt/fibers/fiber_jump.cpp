#include "cpu/devrt/fibers/fiber_jump.h"

namespace musashim::devrt {

// jump_fcontext() resumes a fiber by a jump, which leaves the processor's stack of
// return addresses one off, so that every return on the way back to the kernel is
// mispredicted. Here the jump lands on a `ret` that pops what our own call pushed.
__attribute__((naked, noinline)) boost::context::detail::transfer_t jumpBalanced(
    boost::context::detail::fcontext_t, void*) {
  __asm__(
      "leaq 1f(%rip), %rax\n\t"
      "pushq %rax\n\t"
      "jmp jump_fcontext\n"
      "1:\n\t"
      "ret");
}

}  // namespace musashim::devrt
