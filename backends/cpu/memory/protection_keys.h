// Which threads may touch which devices' memory: the processor's protection keys tell, at no cost per access.
//
// Every thread is kept from all devices' memory but inside a ThreadAccess: host code that touches it, and a
// kernel that touches a peer's without peer access, get SIGSEGV with SEGV_PKUERR. There is a key per device
// while they last (15 in all, of which two are left to the program), then devices share them. Memory that is
// mapped for several devices (virtual memory management, other processes' memory) has one key more, which
// every kernel has. Where processor or system have no keys, there is nothing of this and nothing else
// changes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "interface/status.h"

namespace musashim::backend::cpu {

// Bits of the processor's register of rights (PKRU), two per key; set here for what shall be open.
using KeyBits = uint32_t;

class ProtectionKeys {
 public:
  // Keys for `devices` devices, once per process; those that are there already stay. kNotSupported, with the
  // reason, when there are none to be had.
  static Status create(size_t devices);

  static KeyBits all() { return all_.load(std::memory_order_relaxed); }  // 0: there are no keys
  static KeyBits ofDevice(size_t device);                                // its own, and the common one

  // Gives memory a device's key, or the common one. It must be mapped already, with `protection`.
  static Status protectOf(size_t device, void* start, size_t bytes, int protection);
  static Status protectCommon(void* start, size_t bytes, int protection);

  // What new threads inherit from threads inside a ThreadAccess is taken from them.
  static void closeThread();

 private:
  static inline std::atomic<KeyBits> all_{0};
};

#ifdef __x86_64__
inline KeyBits readRights() {
  uint32_t low, high;
  asm volatile("rdpkru" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}
inline void writeRights(KeyBits rights) { asm volatile("wrpkru" : : "a"(rights), "c"(0), "d"(0) : "memory"); }
#else
inline KeyBits readRights() { return 0; }
inline void writeRights(KeyBits) {}
#endif

// The calling thread may touch memory with the keys `open`, and no other device's, until restoreThread() gets
// what this returned.
inline KeyBits openToThread(KeyBits open) {
  const KeyBits all = ProtectionKeys::all();
  if (all == 0) return 0;
  const KeyBits before = readRights();
  const KeyBits now = (before | all) & ~open;
  if (now != before) writeRights(now);
  return before;
}
inline void restoreThread(KeyBits before) {
  if (ProtectionKeys::all() != 0 && readRights() != before) writeRights(before);
}

class ThreadAccess {
 public:
  explicit ThreadAccess(KeyBits open) : before_(openToThread(open)) {}
  ~ThreadAccess() { restoreThread(before_); }
  ThreadAccess(const ThreadAccess&) = delete;
  ThreadAccess& operator=(const ThreadAccess&) = delete;

 private:
  const KeyBits before_;
};

}  // namespace musashim::backend::cpu
