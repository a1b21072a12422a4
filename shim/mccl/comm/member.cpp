#include "mccl/comm/member.h"

#include "mccl/comm/meeting.h"

namespace musashim::mccl {

mcclResult_t Member::state() const {
  return isReady() ? communicator_->clique().error() : met_.load(std::memory_order_acquire);
}

void Member::admit(std::shared_ptr<Communicator> communicator, int rank) {
  communicator_ = std::move(communicator);
  rank_ = rank;
  met_.store(mcclSuccess, std::memory_order_release);
}

void Member::reject(mcclResult_t result) { met_.store(result, std::memory_order_release); }

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
  // Decides a meeting that is still open, so that what follows is final.
  if (meeting) meeting->cancel(mcclRemoteError);
  if (isReady()) clique().abort();
}

bool Member::awaitTurn(uint64_t index) {
  clique().waitPoint().wait(
      [&] { return completed_.load(std::memory_order_acquire) == index || clique().stopped(); });
  return !clique().stopped();
}

void Member::finishWork(uint64_t index) {
  completed_.store(index + 1, std::memory_order_release);
  clique().waitPoint().notify();
}

bool Member::idle() {
  return !isReady() || clique().stopped() || completed_.load(std::memory_order_acquire) == enqueued_.load();
}

void Member::waitIdle() {
  if (isReady()) clique().waitPoint().wait([&] { return idle(); });
}

void* Member::addRegistration(void* buffer, size_t bytes) {
  auto registration = std::make_unique<Registration>(Registration{buffer, bytes});
  void* handle = registration.get();
  std::lock_guard lock(mutex_);
  registrations_.emplace(handle, std::move(registration));
  return handle;
}

bool Member::removeRegistration(void* handle) {
  std::lock_guard lock(mutex_);
  return registrations_.erase(handle) == 1;
}

}  // namespace musashim::mccl
