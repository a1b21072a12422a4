// The buffers and windows that a user has registered with one rank.
//
// Every rank reaches all memory anyway, so that registering makes nothing faster: handles are counted and
// checked, as NCCL does it. A buffer within the pages of one that is registered gets its handle; each window
// is one of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

namespace musashim::mccl {

class Registrations {
 public:
  void* addBuffer(const void* buffer, size_t bytes);
  void* addWindow(const void* buffer, size_t bytes);
  // False when there is no such handle, or it has been given back as often as it was handed out.
  bool removeBuffer(const void* handle) { return remove(buffers_, handle); }
  bool removeWindow(const void* handle) { return remove(windows_, handle); }

 private:
  struct Entry {
    uintptr_t begin, end;
    size_t uses;
  };
  bool remove(std::list<Entry>& entries, const void* handle);

  std::mutex mutex_;
  std::list<Entry> buffers_, windows_;  // handles are their entries' addresses
};

}  // namespace musashim::mccl
