#include "musa/stream/event.h"

#include "musa/api/driver.h"
#include "musa/context/context.h"
#include "musa/graph/capture/capture.h"
#include "musa/stream/stream.h"

namespace musashim::musa {

Result Event::prepareRecord(const backend::Queue& queue, PendingRecord& record) const {
  if (shared_) {
    MUSA_TRY(shared_->newMark(queue, record.shared));
    record.command = backend::SignalShared{shared_, record.shared};
    return {};
  }
  if (!hasTiming()) return {};  // a marker
  if (!record.time) record.time = std::make_shared<std::atomic<int64_t>>(0);
  record.command = backend::Timestamp{record.time};
  return {};
}

void Event::finishRecord(const PendingRecord& record, const backend::Fence& fence) {
  std::lock_guard lock(mutex_);
  captured_ = nullptr;
  mark_ = {fence, record.time, record.shared};
  if (shared_) shared_->publish(record.shared);
}

Result Event::record(Stream& stream) {
  std::lock_guard lock(mutex_);
  captured_ = nullptr;
  PendingRecord record;
  // The old slot unless a pending command can still write to it, and after this one would.
  const bool inOrder = mark_.fence.queue.get() == &stream.queue();
  if (mark_.time && (inOrder || mark_.time.use_count() == 1)) record.time = std::move(mark_.time);
  if (!shared_ && stream.isCaughtUp()) {  // it is reached now
    if (hasTiming()) {
      if (!record.time) record.time = std::make_shared<std::atomic<int64_t>>(0);
      record.time->store(driver().backend().now(), std::memory_order_release);
    }
    mark_ = {stream.lastFence(), std::move(record.time), record.shared};
    return {};
  }
  MUSA_TRY(prepareRecord(stream.queue(), record));
  backend::Fence fence = stream.submit(std::move(record.command));
  mark_ = {std::move(fence), std::move(record.time), record.shared};
  if (shared_) shared_->publish(record.shared);
  return {};
}

bool Event::isRecorded() const { return mark().fence.queue != nullptr || (shared_ && shared_->last() != 0); }

std::shared_ptr<const CapturedMark> Event::captured() const {
  std::lock_guard lock(mutex_);
  return captured_;
}

void Event::setCaptured(std::shared_ptr<const CapturedMark> captured) {
  std::lock_guard lock(mutex_);
  captured_ = std::move(captured);
}

bool Event::isForeign(backend::SharedEvent::Mark& foreign) const {
  if (!shared_) return false;
  foreign = shared_->last();
  return foreign != mark().shared;
}

Event::Mark Event::mark() const {
  std::lock_guard lock(mutex_);
  return mark_;
}

backend::Fence Event::fence() const {
  backend::SharedEvent::Mark foreign = 0;
  if (isForeign(foreign)) return {};
  return mark().fence;
}

bool Event::waitCommand(backend::Command& command, backend::Fence& fence) const {
  backend::SharedEvent::Mark foreign = 0;
  if (isForeign(foreign)) {
    command = backend::AwaitShared{shared_, foreign};
    return !shared_->isReached(foreign);
  }
  command = backend::Marker{};
  fence = mark().fence;
  return fence.queue && !fence.queue->isComplete(fence.value);
}

void Event::makeWait(Stream& stream) const {
  backend::Command command;
  backend::Fence fence;
  if (waitCommand(command, fence)) stream.submit(std::move(command), std::span(&fence, fence.queue ? 1 : 0));
}

void Event::synchronize() const {
  backend::SharedEvent::Mark foreign = 0;
  if (isForeign(foreign)) {
    shared_->wait(foreign, [this] { return !context_.fault().isOk(); });
    return;
  }
  backend::Fence at = fence();
  if (at.queue) at.queue->wait(at.value);
}

bool Event::isComplete() const {
  backend::SharedEvent::Mark foreign = 0;
  if (isForeign(foreign)) return shared_->isReached(foreign);
  backend::Fence at = fence();
  if (!at.queue || at.queue->isComplete(at.value)) return true;
  at.queue->nudge();
  return false;
}

Result Event::elapsed(const Event& start, const Event& end, float& milliseconds) {
  MUSA_REQUIRE(start.hasTiming() && end.hasTiming(), MUSA_ERROR_INVALID_HANDLE,
               "an event was made without timing");
  MUSA_REQUIRE(&start.context_ == &end.context_, MUSA_ERROR_INVALID_HANDLE,
               "the events belong to different contexts");
  for (const Event* event : {&start, &end}) {
    if (auto captured = event->captured()) return refuseCapturedEvent(*captured, true);
  }
  Mark from = start.mark(), to = end.mark();
  MUSA_REQUIRE(from.fence.queue && to.fence.queue, MUSA_ERROR_INVALID_HANDLE, "an event was never recorded");
  for (const Mark* mark : {&from, &to}) {
    if (!mark->fence.queue->isComplete(mark->fence.value)) {
      mark->fence.queue->nudge();
      return {MUSA_ERROR_NOT_READY, "an event is not reached yet"};
    }
  }
  milliseconds = static_cast<float>(static_cast<double>(to.time->load() - from.time->load()) / 1e6);
  return {};
}

}  // namespace musashim::musa
