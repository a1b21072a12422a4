#include "cpu/devrt/services/print_fifo.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace musashim::devrt {

using Length = uint32_t;

void PrintFifo::push(std::string_view message) {
  if (capacity_ <= sizeof(Length)) return;
  message = message.substr(0, capacity_ - sizeof(Length));
  std::lock_guard lock(mutex_);
  isFlushed_.store(false, std::memory_order_relaxed);
  if (ring_.empty()) ring_.resize(capacity_);
  Length length = static_cast<Length>(message.size());
  while (used_ + sizeof length + length > capacity_) dropOldest();
  write(&length, sizeof length);
  write(message.data(), length);
}

void PrintFifo::write(const void* data, size_t bytes) {
  size_t at = (begin_ + used_) % capacity_;
  size_t first = std::min(bytes, capacity_ - at);
  memcpy(ring_.data() + at, data, first);
  memcpy(ring_.data(), static_cast<const char*>(data) + first, bytes - first);
  used_ += bytes;
}

void PrintFifo::read(void* data, size_t bytes) {
  size_t first = std::min(bytes, capacity_ - begin_);
  memcpy(data, ring_.data() + begin_, first);
  memcpy(static_cast<char*>(data) + first, ring_.data(), bytes - first);
  begin_ = (begin_ + bytes) % capacity_;
  used_ -= bytes;
}

void PrintFifo::dropOldest() {
  Length length;
  read(&length, sizeof length);
  begin_ = (begin_ + length) % capacity_;
  used_ -= length;
}

void PrintFifo::flush(std::FILE* stream) {
  if (isFlushed_.load(std::memory_order_acquire)) return;
  std::lock_guard flushLock(flushMutex_);
  std::string text;
  {
    std::lock_guard lock(mutex_);
    if (used_ == 0) {
      isFlushed_.store(true, std::memory_order_release);
      return;
    }
    text.reserve(used_);
    while (used_ > 0) {
      Length length;
      read(&length, sizeof length);
      size_t at = text.size();
      text.resize(at + length);
      read(text.data() + at, length);
    }
  }
  fwrite(text.data(), 1, text.size(), stream);
  fflush(stream);
}

void PrintFifo::clear() {
  std::lock_guard lock(mutex_);
  begin_ = used_ = 0;
}

}  // namespace musashim::devrt
