#include "cpu/process/forked_child.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>

namespace musashim::backend::cpu {

namespace {

// Plain atomics: the child may only do what a signal handler may.
constexpr size_t kDescriptors = 4096;
std::array<std::atomic<int>, kDescriptors> descriptors;  // plus 1; 0: none

void closeAll() {
  for (auto& descriptor : descriptors) {
    if (int fd = descriptor.exchange(0); fd != 0) close(fd - 1);
  }
}

}  // namespace

void closeInForkedChildren(int fd) {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, closeAll); });
  for (auto& descriptor : descriptors) {
    int none = 0;
    if (descriptor.compare_exchange_strong(none, fd + 1)) return;
  }
}

void keepInForkedChildren(int fd) {
  for (auto& descriptor : descriptors) {
    int known = fd + 1;
    if (descriptor.compare_exchange_strong(known, 0)) return;
  }
}

}  // namespace musashim::backend::cpu
