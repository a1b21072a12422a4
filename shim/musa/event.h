// An event: the place in a stream where it was recorded last, and when that was reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "interface/queue.h"
#include "musa/result.h"

namespace musashim::musa {

class Context;
class Stream;

class Event {
 public:
  Event(Context& context, unsigned flags) : context_(context), flags_(flags) {}

  Context& context() const { return context_; }
  bool hasTiming() const { return (flags_ & MU_EVENT_DISABLE_TIMING) == 0; }

  void record(Stream& stream);

  // The recorded place; a null queue when the event was never recorded.
  backend::Fence fence() const;
  bool isComplete() const;  // also when never recorded

  // Milliseconds between two events of one device, both recorded with timing.
  static Result elapsed(const Event& start, const Event& end, float& milliseconds);

 private:
  using Slot = std::shared_ptr<std::atomic<int64_t>>;

  struct Mark {
    backend::Fence fence;
    Slot time;
  };
  Mark mark() const;

  Context& context_;
  const unsigned flags_;
  mutable std::mutex mutex_;
  Mark mark_;
};

}  // namespace musashim::musa
