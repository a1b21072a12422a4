#include "musa/stream/stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "musa/context/context.h"

namespace musashim::musa {
Stream::Stream(Context& context, StreamKind kind, int priority, std::shared_ptr<backend::Queue> queue,
               uint64_t id)
    : context_(context), kind_(kind), priority_(priority), id_(id), queue_(std::move(queue)) {
  queue_->label = id << 1 | (kind == StreamKind::kLegacy ? 1 : 0);
}

Stream::~Stream() = default;

// No blocking stream may submit between the legacy stream's look at it and its own
// submission, or neither command would wait for the other.
void Stream::takeTurn(Turn& turn) {
  turn.own = std::unique_lock(orderMutex_);
  if (kind_ == StreamKind::kLegacy) {
    turn.streams = context_.lockStreams();
    if (!context_.hasBlockingStreams()) return;
    for (Stream* stream : context_.streams()) {
      if (!stream->takesPartInLegacy()) continue;
      turn.others.emplace_back(stream->orderMutex_);
      uint64_t last = stream->queue_->lastSubmitted();
      if (last <= stream->legacySeen_ || stream->queue_->isComplete(last)) continue;
      turn.waits.push_back({stream->queue_, last});
      stream->legacySeen_ = last;
    }
    context_.appendRetired(turn.waits);
  } else if (takesPartInLegacy()) {
    Stream& legacy = context_.legacyStream();
    uint64_t last = legacy.queue_->lastSubmitted();
    if (last <= seenLegacy_ || legacy.queue_->isComplete(last)) return;
    turn.waits.push_back({legacy.queue_, last});
    seenLegacy_ = last;
  }
}

backend::Fence Stream::submit(backend::Command command, std::span<const backend::Fence> waits) {
  Turn turn;
  takeTurn(turn);
  if (turn.waits.empty()) return {queue_, queue_->submit(std::move(command), waits)};
  turn.waits.insert(turn.waits.end(), waits.begin(), waits.end());
  return {queue_, queue_->submit(std::move(command), turn.waits)};
}

// The fence joined last instead of the command that joins it spares whoever comes next a way through this
// queue: of copies between two devices, one after the other, each would wait for a thread of either.
backend::Fence Stream::frontier() {
  Turn turn;
  takeTurn(turn);
  if (!turn.waits.empty()) return {queue_, queue_->submit(backend::Marker{}, turn.waits)};
  const backend::Fence last = lastFence();
  return last.value == joinedBy_ && joined_.queue != nullptr ? joined_ : last;
}

void Stream::join(const backend::Fence& fence) {
  Turn turn;
  takeTurn(turn);
  const uint64_t last = queue_->lastSubmitted();
  const bool followsJoined =
      last == joinedBy_ && joined_.queue == fence.queue && joined_.value <= fence.value;
  const bool standsForAll = turn.waits.empty() && (followsJoined || queue_->isComplete(last));
  joined_ = standsForAll ? fence : backend::Fence{};
  turn.waits.push_back(fence);
  joinedBy_ = queue_->submit(backend::Marker{}, turn.waits);
}

backend::Fence Stream::submitGroup(std::span<const backend::Fence> waits, const GroupBody& body) {
  Turn turn;
  takeTurn(turn);
  turn.waits.insert(turn.waits.end(), waits.begin(), waits.end());
  backend::Fence begin = lastFence();
  if (!turn.waits.empty()) begin.value = queue_->submit(backend::Marker{}, turn.waits);
  std::vector<backend::Fence> ends;
  body(begin, ends);
  return {queue_, queue_->submit(backend::Marker{}, ends)};
}

MUlaunchAttributeValue Stream::attribute(MUlaunchAttributeID id) const {
  std::lock_guard lock(attributesMutex_);
  auto found = attributes_.find(id);
  if (found != attributes_.end()) return found->second;
  MUlaunchAttributeValue value{};
  // Until it is set a stream has none of the policies, as recorded.
  if (id == MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = -1;
  return value;
}

void Stream::setPriority(int priority) {
  priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  priority_.store(priority, std::memory_order_relaxed);
  queue_->setPriority(priority);
}

void Stream::setAttribute(MUlaunchAttributeID id, const MUlaunchAttributeValue& value) {
  std::lock_guard lock(attributesMutex_);
  attributes_[id] = value;
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

uint64_t Stream::submitted() const {
  const uint64_t own = queue_->lastSubmitted();
  return takesPartInLegacy() ? own + context_.legacyStream().queue_->lastSubmitted() : own;
}

bool Stream::isCaughtUp() const {
  auto isDone = [](const Stream& stream) {
    return stream.queue_->isComplete(stream.queue_->lastSubmitted());
  };
  if (kind_ == StreamKind::kLegacy) return !context_.hasBlockingStreams() && isDone(*this);
  return isDone(*this) && (!takesPartInLegacy() || isDone(context_.legacyStream()));
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
