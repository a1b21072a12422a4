#include "mccl/group/batch.h"

#include <fmt/core.h>

namespace musashim::mccl {

void Batch::run(musaStream_t, musaError_t status, void* data) {
  const std::unique_ptr<Batch> held(static_cast<Batch*>(data));
  Batch& batch = *held;
  Member& member = *batch.member_;
  if (status != musaSuccess) {
    member.clique().fail(mcclUnhandledMusaError,
                         fmt::format("device {} of rank {} has failed with error {}", member.device(),
                                     member.rank(), static_cast<int>(status)));
  } else if (member.awaitTurn(batch.index_)) {
    (void)batch.runAll(member, kForEver);
  }
  if (batch.running_) batch.running_.unlock();
  member.finishWork(batch.index_);
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
  if (const std::shared_ptr<Member> member = batch.capturedMember_.lock())
    (void)batch.runAll(*member, kForEver);
}

// False when the time was over first: the next call goes on from there.
bool Batch::runAll(Member& member, Clock::time_point until) {
  if (!running_) running_ = std::unique_lock(member.running());
  Clique& clique = member.clique();
  if (next_ == 0 && !arrived_ && !messages_ && !clique.stopped()) staging_.fill();
  for (; next_ < collectives_.size() && !clique.stopped(); ++next_) {
    if (!arrived_) {
      arrived_ = member.nextCollective();
      clique.arrive(member.rank(), *arrived_, collectives_[next_]);
    }
    if (!clique.complete(member.rank(), *arrived_, until)) return false;
    arrived_.reset();
  }
  if (!transfers_.empty() && !clique.stopped()) {
    if (!messages_) messages_.emplace(clique, member.rank(), transfers_);
    if (!messages_->run(until)) return false;
  }
  if (!clique.stopped()) staging_.drain();
  next_ = 0;
  arrived_.reset();
  messages_.reset();
  running_.unlock();
  return true;
}

}  // namespace musashim::mccl
