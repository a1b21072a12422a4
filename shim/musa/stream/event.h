// An event: the place in a stream where it was recorded last, and when that was reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "interface/queue.h"
#include "interface/sharing.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Context;
class Stream;
struct CapturedMark;

class Event {
  using Slot = std::shared_ptr<std::atomic<int64_t>>;

 public:
  struct PendingRecord {
    backend::Command command;
    Slot time;
    backend::SharedEvent::Mark shared = 0;
  };

  // `shared` holds the records of an event of several processes.
  Event(Context& context, unsigned flags, std::shared_ptr<backend::SharedEvent> shared = nullptr)
      : context_(context), flags_(flags), shared_(std::move(shared)) {}

  Context& context() const { return context_; }
  bool hasTiming() const { return (flags_ & MU_EVENT_DISABLE_TIMING) == 0; }

  Result record(Stream& stream);
  // As record(), in two steps for graphs: the command to put into `queue`, and, once it is
  // there, the place.
  Result prepareRecord(const backend::Queue& queue, PendingRecord& record) const;
  void finishRecord(const PendingRecord& record, const backend::Fence& fence);

  bool isRecorded() const;  // ever, by whichever process
  // An event that was recorded last in a capturing stream has no place in time.
  std::shared_ptr<const CapturedMark> captured() const;
  void setCaptured(std::shared_ptr<const CapturedMark> captured);

  // The recorded place; a null queue when the event was never recorded, or last by
  // another process.
  backend::Fence fence() const;
  bool isComplete() const;  // also when never recorded
  // Later work of `stream` waits for the last record.
  void makeWait(Stream& stream) const;
  // The same as a command with a fence, for graphs; false when there is nothing to wait for.
  bool waitCommand(backend::Command& command, backend::Fence& fence) const;
  // Waits for the last record, helping to run it, or until the device faults.
  void synchronize() const;

  // Null unless the event was made for several processes, or by another one.
  backend::SharedEvent* shared() const { return shared_.get(); }

  // Milliseconds between two events of one device, both recorded with timing.
  static Result elapsed(const Event& start, const Event& end, float& milliseconds);

 private:
  struct Mark {
    backend::Fence fence;
    Slot time;
    backend::SharedEvent::Mark shared = 0;  // of our own last record
  };
  Mark mark() const;
  // True when another process made the last record, which `foreign` then names.
  bool isForeign(backend::SharedEvent::Mark& foreign) const;

  Context& context_;
  const unsigned flags_;
  const std::shared_ptr<backend::SharedEvent> shared_;
  mutable std::mutex mutex_;
  Mark mark_;
  std::shared_ptr<const CapturedMark> captured_;
};

}  // namespace musashim::musa
