#include "mccl/comm/meeting.h"

#include <algorithm>
#include <map>

#include "mccl/core/log.h"

namespace musashim::mccl {

mcclResult_t Meeting::join(int place, Seat seat) {
  std::lock_guard lock(mutex_);
  mcclResult_t result = mcclSuccess;
  if (cancelled_ != mcclSuccess) {
    result = fail(cancelled_, "rank {} comes to a communicator whose initialisation has failed", place);
  } else if (decided_ || seats_[place].member) {
    result = fail(mcclInvalidUsage, "rank {} of {} ranks has already checked in", place, seats_.size());
  }
  if (result != mcclSuccess) {
    seat.member->reject(result);
    return result;
  }
  seats_[place] = std::move(seat);
  if (++taken_ == seats()) {
    decide();
    close();
  }
  return mcclSuccess;
}

bool Meeting::decided() {
  std::lock_guard lock(mutex_);
  return decided_;
}

void Meeting::wait() {
  std::unique_lock lock(mutex_);
  decidedCondition_.wait(lock, [&] { return decided_; });
}

void Meeting::cancel(mcclResult_t result) {
  std::lock_guard lock(mutex_);
  if (decided_) return;
  cancelled_ = result;
  for (Seat& seat : seats_) {
    if (seat.member) seat.member->reject(result);
  }
  close();
}

void Meeting::close() {
  decided_ = true;
  for (Seat& seat : seats_) seat.member.reset();  // members hold the meeting, too
  decidedCondition_.notify_all();
}

void Meeting::decide() {
  std::map<int, std::vector<Seat*>> groups;
  for (Seat& seat : seats_) groups[seat.color].push_back(&seat);
  for (auto& [color, group] : groups) {
    // Without a colour there is nothing to be a member of, and nobody holds the member.
    const mcclResult_t result = color == MCCL_SPLIT_NOCOLOR ? mcclSuccess : form(group);
    if (result == mcclSuccess && color != MCCL_SPLIT_NOCOLOR) continue;
    for (Seat* seat : group) seat->member->reject(result);
  }
}

mcclResult_t Meeting::form(std::vector<Seat*> group) {
  // Seats lie in the order of their places.
  std::sort(group.begin(), group.end(),
            [](const Seat* a, const Seat* b) { return a->key != b->key ? a->key < b->key : a < b; });
  std::map<int, size_t> rankOfDevice;
  for (size_t rank = 0; rank < group.size(); ++rank) {
    const auto [other, isNew] = rankOfDevice.emplace(group[rank]->member->device(), rank);
    if (isNew || settings().multiRankGpu) continue;
    return fail(mcclInvalidUsage, "Duplicate GPU detected : rank {} and rank {} both on MUSA device {}",
                other->second, rank, other->first);
  }
  auto communicator = std::make_shared<Communicator>(static_cast<int>(group.size()));
  for (size_t rank = 0; rank < group.size(); ++rank)
    group[rank]->member->admit(communicator, static_cast<int>(rank));
  return mcclSuccess;
}

}  // namespace musashim::mccl
