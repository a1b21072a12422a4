// An event: the place in a stream where it was recorded last, and when that was reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "interface/queue.h"
#include "interface/sharing.h"
#include "musa/result.h"

namespace musashim::musa {

class Context;
class Stream;
struct CapturedMark;

class Event {
 public:
  // `shared` holds the records of an event of several processes.
  Event(Context& context, unsigned flags, std::shared_ptr<backend::SharedEvent> shared = nullptr)
      : context_(context), flags_(flags), shared_(std::move(shared)) {}

  Context& context() const { return context_; }
  bool hasTiming() const { return (flags_ & MU_EVENT_DISABLE_TIMING) == 0; }

  Result record(Stream& stream);
  // As record(), at the end of a queue of a graph.
  Result recordOn(const std::shared_ptr<backend::Queue>& queue);

  // An event that was recorded last in a capturing stream has no place in time.
  std::shared_ptr<const CapturedMark> captured() const;
  void setCaptured(std::shared_ptr<const CapturedMark> captured);

  // The recorded place; a null queue when the event was never recorded, or last by
  // another process.
  backend::Fence fence() const;
  bool isComplete() const;  // also when never recorded
  // Later work of `stream` waits for the last record.
  void makeWait(Stream& stream) const;
  void makeWaitOn(backend::Queue& queue) const;  // of a graph
  // Waits for the last record, helping to run it, or until the device faults.
  void synchronize() const;

  // Null unless the event was made for several processes, or by another one.
  backend::SharedEvent* shared() const { return shared_.get(); }

  // Milliseconds between two events of one device, both recorded with timing.
  static Result elapsed(const Event& start, const Event& end, float& milliseconds);

 private:
  using Slot = std::shared_ptr<std::atomic<int64_t>>;

  struct Mark {
    backend::Fence fence;
    Slot time;
    backend::SharedEvent::Mark shared = 0;  // of our own last record
  };
  Mark mark() const;
  // True when another process made the last record, which `foreign` then names.
  bool isForeign(backend::SharedEvent::Mark& foreign) const;
  template <class Submit>
  Result recordWith(const backend::Queue& queue, Submit&& submit);
  template <class Submit>
  void waitWith(Submit&& submit) const;

  Context& context_;
  const unsigned flags_;
  const std::shared_ptr<backend::SharedEvent> shared_;
  mutable std::mutex mutex_;
  Mark mark_;
  std::shared_ptr<const CapturedMark> captured_;
};

}  // namespace musashim::musa
