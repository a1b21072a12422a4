// Turns the processor's complaints about device code into device faults.
//
// The handler does not jump: it makes the thread continue in land(), on a stack
// that is sound, when the kernel returns from the signal. So the signal mask, the
// signal stack and the sanitizers' own book-keeping come out right by themselves.
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <mutex>

#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/services/fault.h"
#include "cpu/memory/page.h"

#if !defined(__x86_64__)
#error "redirectTo() knows x86-64 only: add this processor's registers"
#endif

namespace musashim::devrt {

namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr size_t kSignalStackBytes = 64 << 10;

std::array<struct sigaction, NSIG> previousActions;

[[noreturn]] __attribute__((no_sanitize("address", "thread", "undefined"))) void land() {
  leaveDeviceCode(*HostThread::currentOrNull());
}

// Resumes the interrupted thread in land(), as if called with an empty stack at `stack`.
void redirectToLand(ucontext_t& context, uintptr_t stack) {
  constexpr uintptr_t kRedZone = 128;
  stack = ((stack - kRedZone) & ~uintptr_t{15}) - sizeof(void*);
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack);
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&land);
  constexpr greg_t kDirectionFlag = 0x400;
  context.uc_mcontext.gregs[REG_EFL] &= ~kDirectionFlag;
}

StatusCode codeOf(int signal) {
  switch (signal) {
    case SIGFPE:
      return StatusCode::kArithmeticFault;
    case SIGILL:
      return StatusCode::kIllegalInstruction;
    case SIGTRAP:
      return StatusCode::kTrap;
    default:
      return StatusCode::kIllegalAddress;
  }
}

// Not device code: what was there before us decides.
void passOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = previousActions[static_cast<size_t>(signal)];
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    // The instruction runs again and the default action ends the process.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    if (info->si_code <= 0) raise(signal);  // sent, not caused: it will not come again
  } else {
    previous.sa_handler(signal);
  }
}

// Where land() can run: below what is in use, or, when the stack itself has overflown,
// from its beginning, as nothing on it will be used again.
uintptr_t soundStack(const HostThread& thread, const ucontext_t& context) {
  auto stack = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
  uintptr_t address = thread.fault.address;
  if (thread.fibers && thread.fibers->onFiber()) {
    return thread.fibers->pool().isGuard(address) ? thread.fibers->currentStackTop() : stack;
  }
  if (thread.grid && thread.grid->onFiber())
    return thread.grid->isGuard(address) ? thread.grid->currentStackTop() : stack;
  constexpr uintptr_t kLargestFrame = 1 << 20;
  bool overflow =
      thread.fault.signal == SIGSEGV && address < stack + kPage && address + kLargestFrame > stack;
  return overflow ? thread.recoveryStack : stack;
}

// The address has a protection key that this thread may not use.
bool isProtected(int signal, const siginfo_t& info) {
  return signal == SIGSEGV && info.si_code == SEGV_PKUERR;
}

// What works in a signal handler only.
void explainHostAccess(const siginfo_t& info) {
  char text[] =
      "musashim: host code has touched memory of a device, at 0x0000000000000000. That is a segmentation "
      "fault on "
      "hardware, too: copy it (musaMemcpy), or use managed memory.\n";
  char* digit = std::strstr(text, "0x") + 2;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  for (int shift = 60; shift >= 0; shift -= 4) *digit++ = "0123456789abcdef"[(address >> shift) & 15];
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
}

void onSignal(int signal, siginfo_t* info, void* context) {
  HostThread* thread = HostThread::currentOrNull();
  bool caused = info->si_code > 0;  // by an instruction, not by kill()
  if (!thread || !thread->inDeviceCode || !caused) {
    if (isProtected(signal, *info)) explainHostAccess(*info);
    passOn(signal, info, context);
    return;
  }
  thread->inDeviceCode = 0;
  thread->fault.code = codeOf(signal);
  thread->fault.signal = signal;
  thread->fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
  thread->fault.isProtected = isProtected(signal, *info);
  thread->fault.threadKnown = __musa_thread.linear_idx != UINT32_MAX;
  thread->fault.thread = __musa_thread.thread_idx;
  ucontext_t& interrupted = *static_cast<ucontext_t*>(context);
  uintptr_t stack = soundStack(*thread, interrupted);
  forgetFrames(static_cast<uintptr_t>(interrupted.uc_mcontext.gregs[REG_RSP]), stack);
  redirectToLand(interrupted, stack);
}

void installHandlers() {
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : kSignals) sigaction(signal, &action, &previousActions[static_cast<size_t>(signal)]);
}

}  // namespace

void prepareSignals(HostThread& thread) {
  static std::once_flag installed;
  std::call_once(installed, installHandlers);
  // A fault on an overflowing stack can only be handled on another.
  stack_t existing{};
  if (sigaltstack(nullptr, &existing) != 0 || !(existing.ss_flags & SS_DISABLE)) return;
  void* memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kSignalStackBytes;
  if (sigaltstack(&stack, nullptr) == 0) {
    thread.signalStack = memory;
  } else {
    munmap(memory, kSignalStackBytes);
  }
}

void discardSignalStack(HostThread& thread) {
  if (!thread.signalStack) return;
  stack_t existing{};
  if (sigaltstack(nullptr, &existing) == 0 && existing.ss_sp == thread.signalStack) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  munmap(thread.signalStack, kSignalStackBytes);
}

}  // namespace musashim::devrt
