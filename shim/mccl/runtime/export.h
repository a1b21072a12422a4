// Makes a rank's buffers reachable for other processes.
//
// Memory that cannot be handed over (managed, from a pool, of the host) is staged: the
// others work on a copy that can.
#pragma once

#include <memory>
#include <vector>

#include "mccl.h"
#include "mccl/comm/roster.h"
#include "mccl/engine/address_book.h"
#include "mccl/group/work.h"

namespace musashim::mccl {

// The copies that stand in for buffers of one batch. They are freed by a thread that may call
// the runtime, some time after the batch.
class Staging {
 public:
  Staging() = default;
  ~Staging();
  Staging(Staging&&) = default;
  Staging& operator=(Staging&&) = default;

  // A stand-in for `bytes` at `original`, which is read or written by the others, or both.
  mcclResult_t add(void* original, size_t bytes, bool isRead, bool isWritten, void*& standIn);

  bool empty() const { return copies_.empty(); }
  void fill();   // before the batch's work
  void drain();  // after it

 private:
  struct Copy {
    void* original;
    void* standIn;
    size_t bytes;
    bool isRead, isWritten;
  };
  std::vector<Copy> copies_;
};

// Fills in the handle of one. False when its memory cannot be handed over.
bool exportBuffer(Buffer& buffer);

// Fills in the handles of all buffers of `work`, for the current device.
mcclResult_t exportBuffers(Work& work, Staging& staging);

// Maps what other processes have exported.
std::unique_ptr<AddressBook> makeMappedAddresses(const Roster& roster);

}  // namespace musashim::mccl
