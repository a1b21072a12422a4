// What processes of one user share: memory of devices and events.
//
// A ticket is a name that one process gives and another opens; it holds no resource.
// What it names must still exist when it is opened, and stays usable for whoever has
// opened it, also when the process that gave the ticket has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "interface/status.h"

namespace musashim::backend {

class Queue;

// Fits the 64 bytes of the API's handles.
struct ShareTicket {
  alignas(8) std::byte bytes[64] = {};
};

// Memory of another process, mapped here.
struct OpenedMemory {
  size_t device = 0;  // whose memory it is: an index of the backend
  void* base = nullptr;
  size_t bytes = 0;  // as the other process allocated it
};

// An event of several processes: the last record that any of them made.
//
// A record is a mark taken from newMark(), a SignalShared command with it, and
// publish(). From then on waits are for that mark. All functions may be called from
// any thread.
class SharedEvent {
 public:
  using Mark = uint64_t;  // 0: never recorded

  virtual ~SharedEvent() = default;

  // A mark for a record in `queue`; marks of a queue are signalled in order.
  // kOutOfMemory when too many queues have records of this event pending.
  virtual Status newMark(const Queue& queue, Mark& mark) = 0;
  virtual void publish(Mark mark) = 0;
  virtual void signal(Mark mark) = 0;

  virtual Mark last() const = 0;
  // Also true when the process that made the record has ended.
  virtual bool isReached(Mark mark) = 0;
  // Blocks until reached, or until `giveUp` is true (asked every some milliseconds).
  virtual void wait(Mark mark, const std::function<bool()>& giveUp) = 0;

  virtual ShareTicket ticket() const = 0;
};

}  // namespace musashim::backend
