#include "musa/event.h"

#include "musa/context.h"
#include "musa/graph/capture.h"
#include "musa/stream.h"

namespace musashim::musa {

// `submit` appends a command to `queue` and gives its fence.
template <class Submit>
Result Event::recordWith(const backend::Queue& queue, Submit&& submit) {
  std::lock_guard lock(mutex_);
  captured_ = nullptr;
  if (shared_) {
    backend::SharedEvent::Mark mark = 0;
    MUSA_TRY(shared_->newMark(queue, mark));
    mark_ = {submit(backend::SignalShared{shared_, mark}), nullptr, mark};
    shared_->publish(mark);
    return {};
  }
  if (!hasTiming()) {
    mark_ = {submit(backend::Marker{}), nullptr};
    return {};
  }
  // A fresh slot unless no pending command can still write to the old one.
  if (!mark_.time || mark_.time.use_count() != 1) mark_.time = std::make_shared<std::atomic<int64_t>>(0);
  mark_.fence = submit(backend::Timestamp{mark_.time});
  return {};
}

Result Event::record(Stream& stream) {
  return recordWith(stream.queue(),
                    [&](backend::Command command) { return stream.submit(std::move(command)); });
}

Result Event::recordOn(const std::shared_ptr<backend::Queue>& queue) {
  return recordWith(*queue, [&](backend::Command command) {
    return backend::Fence{queue, queue->submit(std::move(command), {})};
  });
}

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

template <class Submit>
void Event::waitWith(Submit&& submit) const {
  backend::SharedEvent::Mark foreign = 0;
  if (isForeign(foreign)) {
    if (!shared_->isReached(foreign)) submit(backend::AwaitShared{shared_, foreign}, {});
    return;
  }
  backend::Fence at = fence();
  if (at.queue && !at.queue->isComplete(at.value)) submit(backend::Marker{}, std::span(&at, 1));
}

void Event::makeWait(Stream& stream) const {
  waitWith([&](backend::Command command, std::span<const backend::Fence> waits) {
    stream.submit(std::move(command), waits);
  });
}

void Event::makeWaitOn(backend::Queue& queue) const {
  waitWith([&](backend::Command command, std::span<const backend::Fence> waits) {
    queue.submit(std::move(command), waits);
  });
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
  MUSA_REQUIRE(!start.captured() && !end.captured(), MUSA_ERROR_CAPTURED_EVENT,
               "recorded last in a capturing stream");
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
