#include "cpu/devrt/fibers/fiber_jump.h"

#include <cstdint>
#include <new>

namespace musashim::devrt {
namespace {

// System V's ABI for x86-64, 3.2.1: a function keeps these registers, and 3.2.3: the control bits of MXCSR
// and of the x87.
struct Kept {
  uint32_t mxcsr;
  uint16_t x87;
  void* registers[6];  // r15, r14, r13, r12, rbx, rbp
  void (*goesOn)(FiberJump);
  void* nobody;  // the return address of who never returns, where debuggers end
};
static_assert(sizeof(Kept) == 72);

}  // namespace

FiberContext makeFiber(void* top, void (*main)(FiberJump)) {
  const auto end = reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15};  // which it is at a call
  auto* kept = new (reinterpret_cast<void*>(end - sizeof(Kept))) Kept{};
  __asm__("stmxcsr %0\n\tfnstcw %1" : "=m"(kept->mxcsr), "=m"(kept->x87));
  kept->goesOn = main;
  return kept;
}

// Every fiber waits behind the same call of this function, so the processor predicts the return. FiberJump is
// both the result of who goes on and the parameter of who begins.
__attribute__((naked, noinline)) FiberJump jump(FiberContext, void*) {
  __asm__(
      "pushq %rbp\n\t"
      "pushq %rbx\n\t"
      "pushq %r12\n\t"
      "pushq %r13\n\t"
      "pushq %r14\n\t"
      "pushq %r15\n\t"
      "subq $8, %rsp\n\t"
      "stmxcsr (%rsp)\n\t"
      "fnstcw 4(%rsp)\n\t"
      "movq %rsp, %rax\n\t"
      "movq %rsi, %rdx\n\t"
      "movq %rdi, %rsp\n\t"
      "movq %rax, %rdi\n\t"
      "ldmxcsr (%rsp)\n\t"
      "fldcw 4(%rsp)\n\t"
      "addq $8, %rsp\n\t"
      "popq %r15\n\t"
      "popq %r14\n\t"
      "popq %r13\n\t"
      "popq %r12\n\t"
      "popq %rbx\n\t"
      "popq %rbp\n\t"
      "ret");
}

}  // namespace musashim::devrt
