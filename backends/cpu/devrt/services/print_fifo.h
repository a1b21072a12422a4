// What kernels printed and nobody has flushed yet: a bounded queue of whole
// messages that drops the oldest when full, as hardware does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <vector>

#include "cpu/exec/spin_lock.h"

namespace musashim::devrt {

class PrintFifo {
 public:
  explicit PrintFifo(size_t bytes) : capacity_(bytes) {}

  // A message longer than the buffer keeps its beginning only.
  void push(std::string_view message);
  void flush(std::FILE* stream);
  void clear();

 private:
  void write(const void* data, size_t bytes);
  void read(void* data, size_t bytes);
  void dropOldest();

  const size_t capacity_;
  std::atomic<bool> isFlushed_{true};  // all that was pushed is written: most synchronisations find that
  std::mutex flushMutex_;              // keeps the output of concurrent flushes in order
  backend::cpu::SpinLock mutex_;       // guards what follows; shorter than a sleep
  std::vector<char> ring_;             // length-prefixed messages; empty until first used
  size_t begin_ = 0, used_ = 0;
};

}  // namespace musashim::devrt
