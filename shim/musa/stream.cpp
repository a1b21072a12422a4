#include "musa/stream.h"

#include <utility>
#include <vector>

#include "musa/context.h"

namespace musashim::musa {
Stream::Stream(Context& context, StreamKind kind, int priority, std::shared_ptr<backend::Queue> queue,
               uint64_t id)
    : context_(context), kind_(kind), priority_(priority), id_(id), queue_(std::move(queue)) {}

Stream::~Stream() = default;

backend::Fence Stream::submit(backend::Command command, std::span<const backend::Fence> waits) {
  if (kind_ == StreamKind::kLegacy) return submitLegacy(std::move(command), waits);
  if (takesPartInLegacy()) return submitBlocking(std::move(command), waits);
  return {queue_, queue_->submit(std::move(command), waits)};
}

backend::Fence Stream::submitBlocking(backend::Command command, std::span<const backend::Fence> waits) {
  std::lock_guard order(orderMutex_);
  Stream& legacy = context_.legacyStream();
  uint64_t last = legacy.queue_->lastSubmitted();
  if (last <= seenLegacy_ || legacy.queue_->isComplete(last)) {
    return {queue_, queue_->submit(std::move(command), waits)};
  }
  std::vector<backend::Fence> all(waits.begin(), waits.end());
  all.push_back({legacy.queue_, last});
  seenLegacy_ = last;
  return {queue_, queue_->submit(std::move(command), all)};
}

backend::Fence Stream::submitLegacy(backend::Command command, std::span<const backend::Fence> waits) {
  auto lock = context_.lockStreams();
  if (!context_.hasBlockingStreams()) return {queue_, queue_->submit(std::move(command), waits)};

  // No blocking stream may submit between our look at it and our own submission, or
  // neither command would wait for the other.
  std::vector<std::unique_lock<std::mutex>> order;
  std::vector<backend::Fence> all(waits.begin(), waits.end());
  for (Stream* stream : context_.streams()) {
    if (!stream->takesPartInLegacy()) continue;
    order.emplace_back(stream->orderMutex_);
    uint64_t last = stream->queue_->lastSubmitted();
    if (last <= stream->legacySeen_ || stream->queue_->isComplete(last)) continue;
    all.push_back({stream->queue_, last});
    stream->legacySeen_ = last;
  }
  context_.appendRetired(all);
  return {queue_, queue_->submit(std::move(command), all)};
}

backend::Fence Stream::submitKeeping(backend::Command command, std::shared_ptr<void> resource) {
  std::lock_guard lock(keptMutex_);
  dropFinished();
  kept_.push_back({UINT64_MAX, std::move(resource)});
  backend::Fence fence = submit(std::move(command));
  kept_.back().value = fence.value;
  return fence;
}

void Stream::dropFinished() {
  while (!kept_.empty() && queue_->isComplete(kept_.front().value)) kept_.pop_front();
}

void Stream::synchronize() {
  if (kind_ == StreamKind::kLegacy && context_.hasBlockingStreams()) {
    queue_->wait(submit(backend::Marker{}).value);
  } else {
    queue_->wait(queue_->lastSubmitted());
  }
  std::lock_guard lock(keptMutex_);
  dropFinished();
}

bool Stream::isIdle() {
  auto idle = [](Stream& stream) {
    if (stream.queue_->isComplete(stream.queue_->lastSubmitted())) return true;
    stream.queue_->nudge();
    return false;
  };
  bool result = idle(*this);
  if (kind_ == StreamKind::kLegacy && context_.hasBlockingStreams()) {
    auto lock = context_.lockStreams();
    for (Stream* stream : context_.streams()) {
      if (stream->takesPartInLegacy()) result = idle(*stream) && result;
    }
  }
  return result;
}

}  // namespace musashim::musa
