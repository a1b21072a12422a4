#include "mccl/group/batch.h"

#include <fmt/core.h>

#include <algorithm>

#include "mccl/runtime/driver_calls.h"

namespace musashim::mccl {

void Batch::run(musaStream_t, musaError_t status, void* data) {
  const std::unique_ptr<Batch> held(static_cast<Batch*>(data));
  Batch& batch = *held;
  Member& member = *batch.member_;
  if (!batch.hasBegun()) {
    batch.posted_ = member.upcoming().take(batch.index_);
    batch.calls_ = batch.posted_.calls;
  }
  if (status != musaSuccess) {
    member.clique().fail(mcclUnhandledMusaError,
                         fmt::format("device {} of rank {} has failed with error {}", member.device(),
                                     member.rank(), static_cast<int>(status)));
  } else if (member.awaitTurn(batch.index_)) {
    (void)batch.runAll(member, kForEver);
  }
  if (batch.running_) batch.running_.unlock();
  member.finishWork(batch.lastTurn());
}

bool Batch::runUntil(Clock::time_point until) {
  if (!member_->running().try_lock()) return false;
  running_ = std::unique_lock(member_->running(), std::adopt_lock);
  if (!runAll(*member_, until)) return false;
  member_->finishWork(index_);
  return true;
}

void Batch::replay(void* data) {
  Batch& batch = *static_cast<Batch*>(data);
  const std::shared_ptr<Member> member = batch.capturedMember_.lock();
  if (member && member->awaitFinished(batch.index_)) (void)batch.runAll(*member, kForEver);
}

bool Batch::mayBePosted() const {
  return mayBePostedBehind() && !hasBegun() && mayBePostedAhead(collectives_);
}

bool mayBePostedAhead(std::span<const CollectiveTask> tasks) {
  return !tasks.empty() &&
         std::ranges::none_of(tasks, [](const CollectiveTask& task) { return task.deviceFactor; });
}

// Posts the next collective, and what may be posted with it.
void Batch::postAhead(Member& member) {
  const auto post = [&](const CollectiveTask& task, uint64_t& number) {
    const bool isNext = &task == &collectives_[next_];
    const uint64_t left = posted_.first + next_;  // number of what has to be done first
    if (!isNext && (task.deviceFactor || member.collectives() >= left + kSlots)) return false;
    number = member.nextCollective();
    member.clique().arrive(member.seat(), number, task);
    return true;
  };
  if (posted_.postRest(collectives_, post) && member_ && mayBePostedBehind())
    member.upcoming().postFrom(lastTurn() + 1, post);
}

// False when the time was over first: the next call goes on from there.
bool Batch::runAll(Member& member, Clock::time_point until) {
  if (!running_) running_ = std::unique_lock(member.running());
  Clique& clique = member.clique();
  const MemoryAccess access;
  if (next_ == 0 && posted_.count == 0 && !messages_ && !clique.stopped()) staging_.fill();
  for (; next_ < collectives_.size() && !clique.stopped(); ++next_) {
    postAhead(member);
    if (!clique.complete(member.seat(), posted_.first + next_, until)) return false;
  }
  if (!transfers_.empty() && !clique.stopped()) {
    if (!messages_) messages_.emplace(member.communicator(), member.rank(), transfers_);
    if (!messages_->run(until)) return false;
  }
  if (!clique.stopped()) staging_.drain();
  next_ = 0;
  posted_ = {};
  messages_.reset();
  running_.unlock();
  return true;
}

}  // namespace musashim::mccl
