// The buffers that a user has registered with one rank, and what it has made for kernels.
//
// Every rank reaches all memory anyway, so that registering a buffer makes nothing faster: handles are
// counted and checked, as NCCL does it. A buffer within the pages of one that is registered gets its handle.
// Windows and device communicators (device/) are kept here until they are given back, or the communicator
// ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace musashim::mccl {

class Registrations {
 public:
  void* addBuffer(const void* buffer, size_t bytes);
  // False when there is no such handle, or it has been given back as often as it was handed out.
  bool removeBuffer(const void* handle);

  enum Kind { kWindow, kDeviceComm };
  void keep(Kind kind, const void* handle, std::shared_ptr<void> made);
  // Null when there is no such handle of this kind.
  std::shared_ptr<void> take(Kind kind, const void* handle);
  // All that is left.
  std::map<const void*, std::shared_ptr<void>> takeAll();

 private:
  struct Entry {
    uintptr_t begin, end;
    size_t uses;
  };
  std::mutex mutex_;
  std::list<Entry> buffers_;                              // handles are their entries' addresses
  std::map<const void*, std::shared_ptr<void>> made_[2];  // by kind
};

}  // namespace musashim::mccl
