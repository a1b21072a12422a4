#include "musa/event.h"

#include "musa/context.h"
#include "musa/stream.h"

namespace musashim::musa {

void Event::record(Stream& stream) {
  std::lock_guard lock(mutex_);
  if (!hasTiming()) {
    mark_ = {stream.submit(backend::Marker{}), nullptr};
    return;
  }
  // A fresh slot unless no pending command can still write to the old one.
  if (!mark_.time || mark_.time.use_count() != 1) mark_.time = std::make_shared<std::atomic<int64_t>>(0);
  mark_.fence = stream.submit(backend::Timestamp{mark_.time});
}

Event::Mark Event::mark() const {
  std::lock_guard lock(mutex_);
  return mark_;
}

backend::Fence Event::fence() const {
  std::lock_guard lock(mutex_);
  return mark_.fence;
}

bool Event::isComplete() const {
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
