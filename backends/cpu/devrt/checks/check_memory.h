// What a checked program has allocated, and which bytes of it have been written.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include "cpu/devrt/checks/check_hooks.h"

namespace musashim::devrt::checks {

// Which bytes have been written: a byte for every four, with a bit for each. Host threads, and compiled code
// (musa_check_inline.h), set those of neighbours at the same time.
class WrittenMap {
 public:
  explicit WrittenMap(size_t bytes);
  ~WrittenMap();
  WrittenMap(const WrittenMap&) = delete;
  WrittenMap& operator=(const WrittenMap&) = delete;

  void mark(size_t first, size_t bytes);
  // How many of the bytes have been written.
  size_t count(size_t first, size_t bytes) const;
  uint8_t* map() { return map_; }

 private:
  const size_t size_;
  uint8_t* const map_;  // pages come when touched
};

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  std::string name;                      // of a variable
  std::atomic<bool> initialised{false};  // as a whole
  std::unique_ptr<WrittenMap> written;   // while it is not

  bool contains(uintptr_t address) const { return address - base < bytes; }
  // False when [address, address + size) has bytes that nobody has written.
  bool isWritten(uintptr_t address, size_t size) const;
  size_t writtenBytes(uintptr_t address, size_t size) const;
  void mark(uintptr_t address, size_t size);
};

// The process's. All functions may be called from any thread.
class MemoryTable {
 public:
  static MemoryTable& instance();  // never destroyed

  void insert(uintptr_t base, size_t bytes, MemoryKind kind, std::string name = {});
  void release(uintptr_t base);
  void releaseWithin(uintptr_t base, size_t bytes);
  void trustAll();

  // The live allocation that holds `address`. It stays readable for a while after
  // its release.
  Allocation* find(uintptr_t address) const;
  // Changes whenever an earlier answer of find() may be wrong.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  const uint64_t* generationWord() const { return reinterpret_cast<const uint64_t*>(&generation_); }

  // False when the checks began after the first allocation: code loaded at run time.
  static bool isComplete();

  // For reports: what was there, and what is near.
  struct Range {
    uintptr_t base;
    size_t bytes;
    std::string name;
  };
  std::optional<Range> freedAt(uintptr_t address) const;
  std::optional<Range> nearest(uintptr_t address) const;
  std::deque<Range> live(MemoryKind kind) const;

 private:
  void forgetFreed(uintptr_t base, size_t bytes);  // with mutex_ held
  void retire(std::unique_ptr<Allocation> allocation);

  static constexpr size_t kRemembered = 4096;  // released allocations
  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, std::unique_ptr<Allocation>> live_;
  std::map<uintptr_t, size_t> freed_;  // ranges that nobody has got again
  std::deque<std::unique_ptr<Allocation>> retired_;
  std::atomic<uint64_t> generation_{1};
};

}  // namespace musashim::devrt::checks
