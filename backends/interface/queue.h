// An in-order queue of work on one device.
//
// A queue numbers its commands 1, 2, 3, ...; a number is complete when its command
// and all before it are. Queues are independent: one that spins never holds up
// another. All functions may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "interface/command.h"

namespace musashim::backend {

class Queue;

// "Command `value` of `queue` is complete."
struct Fence {
  std::shared_ptr<Queue> queue;
  uint64_t value = 0;
};

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  virtual ~Queue() = default;

  // Appends `command`, to start when all before it and every fence in `waits` are
  // complete. Never blocks on the work. Returns the command's number.
  // On a faulted device, commands complete without running.
  virtual uint64_t submit(Command command, std::span<const Fence> waits) = 0;

  virtual uint64_t lastSubmitted() const = 0;
  virtual bool isComplete(uint64_t value) const = 0;

  // Returns when `value` is complete. The calling thread helps: it runs this queue's
  // commands, and those they wait for, when no other thread does. It runs nothing else.
  virtual void wait(uint64_t value) = 0;

  // Of commands that no thread has taken yet (Device::createQueue says what numbers mean).
  virtual void setPriority(int priority) = 0;

  // What an observer is to know it by (observer.h): whoever makes the queue says it before the first command.
  uint64_t label = 0;

  // The caller polls instead of waiting: makes sure pending work is under way.
  virtual void nudge() = 0;
};

}  // namespace musashim::backend
