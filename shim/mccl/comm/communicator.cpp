#include "mccl/comm/communicator.h"

#include "mccl/comm/meeting.h"

namespace musashim::mccl {

std::shared_ptr<Meeting> Communicator::splitMeeting(uint64_t number) {
  std::lock_guard lock(mutex_);
  Split& split = splits_[number];
  if (!split.meeting) split.meeting = std::make_shared<Meeting>(clique_.ranks());
  std::shared_ptr<Meeting> meeting = split.meeting;
  if (++split.asked == clique_.ranks()) splits_.erase(number);
  return meeting;
}

}  // namespace musashim::mccl
