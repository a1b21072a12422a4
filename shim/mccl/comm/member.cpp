#include "mccl/comm/member.h"

#include <fmt/core.h>

#include "mccl/bootstrap/meeting.h"
#include "mccl/core/log.h"
#include "mccl/watch/host_watch.h"

namespace musashim::mccl {

mcclResult_t Member::state() const {
  if (!isReady()) return met();
  const mcclResult_t error = communicator_->error();
  // One's own revocation is no error.
  return error == mcclRemoteError && revoked() ? mcclSuccess : error;
}

void Member::admit(const Admission& admission) {
  communicator_ = admission.communicator;
  rank_ = admission.rank;
  met_.store(mcclSuccess, std::memory_order_release);
  met_.notify_all();
}

void Member::reject(mcclResult_t result, const std::string& reason) {
  if (!reason.empty()) setLastError(reason);
  met_.store(result, std::memory_order_release);
  met_.notify_all();
}

void Member::setMeeting(std::shared_ptr<Meeting> meeting) {
  std::lock_guard lock(mutex_);
  meeting_ = std::move(meeting);
}

void Member::abort() {
  std::shared_ptr<Meeting> meeting;
  {
    std::lock_guard lock(mutex_);
    meeting = std::move(meeting_);
  }
  cancelled_.store(true);
  // Decides a meeting that is still open, so that what follows is final.
  if (meeting) meeting->cancel(mcclRemoteError);
  waitMet();
  if (isReady()) clique().abort(fmt::format("{} has aborted the communicator", info_.describe(rank_)));
}

bool Member::revoke() {
  if (revoked_.exchange(true)) return false;
  clique().abort(fmt::format("{} has revoked the communicator", info_.describe(rank_)));
  return true;
}

void Member::leave() {
  if (!isReady()) return;
  clique().noteLeaving(seat());
  if (communicator_->hasFarRanks() && seat() == 0) HostWatch::leave(*communicator_);
}

uint64_t Member::nextShrink(std::span<const int> survivors) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t name = shrinks_[{survivors.begin(), survivors.end()}]++;
  for (int rank : survivors) name = (name ^ static_cast<uint64_t>(rank + 1)) * kPrime;
  return name >> 1;  // room for name + 1
}

template <class Condition>
bool Member::awaitCompleted(Condition&& holds) {
  if (!holds(completed_.load(std::memory_order_acquire))) {
    turnWaiters_.fetch_add(1);
    clique().waitPoint().wait([&] { return holds(completed_.load()) || clique().stopped(); });
    turnWaiters_.fetch_sub(1);
  }
  return !clique().stopped();
}

bool Member::awaitTurn(uint64_t index) {
  return awaitCompleted([=](uint64_t completed) { return completed == index; });
}

bool Member::awaitFinished(uint64_t count) {
  return awaitCompleted([=](uint64_t completed) { return completed >= count; });
}

// Other ranks sleep at the same place: they are not woken for nothing. Sequentially consistent on both sides:
// either the waiter is seen here, or it sees the change.
void Member::finishWork(uint64_t index) {
  completed_.store(index + 1);
  if (turnWaiters_.load() > 0) clique().waitPoint().notify();
  if (idleWaiters_.load() > 0 && idle()) idlePoint_.notify();
}

bool Member::idle() { return !isReady() || clique().stopped() || completed_.load() == enqueued_.load(); }

void Member::waitIdle() {
  if (!isReady()) return;
  turnWaiters_.fetch_add(1);
  clique().waitPoint().wait([&] { return idle(); });
  turnWaiters_.fetch_sub(1);
}

bool Member::waitIdle(Clock::time_point until) {
  idleWaiters_.fetch_add(1);
  const bool isIdle = idlePoint_.wait([&] { return idle(); }, true, until);
  idleWaiters_.fetch_sub(1);
  return isIdle;
}

}  // namespace musashim::mccl
