#include "mccl/bootstrap/meeting.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "mccl/bootstrap/listener.h"
#include "mccl/core/log.h"
#include "mccl/core/system_error.h"
#include "mccl/topology/plan.h"

namespace musashim::mccl {

mcclResult_t Meeting::join(int place, Seat seat) {
  std::lock_guard lock(mutex_);
  mcclResult_t result = mcclSuccess;
  if (cancelled_ != mcclSuccess) {
    result = fail(cancelled_, "rank {} comes to a communicator whose initialisation has failed: {}", place,
                  cancelledBy_);
  } else if (decided_ || seats_[place].party) {
    result = fail(mcclInvalidUsage, "rank {} of {} ranks has already checked in", place, seats_.size());
  }
  if (result != mcclSuccess) {
    seat.party->reject(result, lastError());
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

mcclResult_t Meeting::failure(std::string& reason) {
  std::lock_guard lock(mutex_);
  reason = cancelledBy_;
  return cancelled_;
}

void Meeting::wait() {
  std::unique_lock lock(mutex_);
  decidedCondition_.wait(lock, [&] { return decided_; });
}

void Meeting::leave(const std::string& reason) {
  std::lock_guard lock(mutex_);
  if (!decided_) return reject(mcclRemoteError, reason);
  if (--outside_ == 0) admitHeld();
}

void Meeting::cancel(mcclResult_t result, const std::string& reason) {
  std::lock_guard lock(mutex_);
  if (decided_) return admitHeld();
  reject(result, reason);
}

void Meeting::reject(mcclResult_t result, const std::string& reason) {
  cancelled_ = result;
  cancelledBy_ = reason;
  for (Seat& seat : seats_) {
    if (seat.party) seat.party->reject(result, reason);
  }
  close();
}

void Meeting::close() {
  decided_ = true;
  for (Seat& seat : seats_) seat.party.reset();  // members hold the meeting, too
  decidedCondition_.notify_all();
}

void Meeting::admitHeld() {
  for (const std::function<void()>& admit : std::exchange(held_, {})) admit();
}

void Meeting::decide() {
  outside_ = static_cast<int>(
      std::ranges::count_if(seats_, [](const Seat& seat) { return seat.party->comesBySocket(); }));
  std::map<int, std::vector<Seat*>> groups;
  for (Seat& seat : seats_) groups[seat.color].push_back(&seat);
  for (auto& [color, group] : groups) {
    // Without a colour there is nothing to be a member of, and nobody holds the member.
    const mcclResult_t result = color == MCCL_SPLIT_NOCOLOR ? mcclSuccess : form(group);
    if (result == mcclSuccess && color != MCCL_SPLIT_NOCOLOR) continue;
    const std::string reason = result == mcclSuccess ? "" : lastError();
    for (Seat* seat : group) seat->party->reject(result, reason);
  }
  if (outside_ == 0) admitHeld();
}

namespace {

// Of the ranks of this process, which need none among themselves.
mcclResult_t tellOwnAddress(Roster& roster) {
  SocketAddress own;
  MCCL_RETURN_IF_ERROR(Listener::open(own));
  for (size_t rank = 0; rank < roster.ranks.size(); ++rank) {
    if (roster.isLocal(static_cast<int>(rank))) roster.ranks[rank].address = own;
  }
  return mcclSuccess;
}

}  // namespace

mcclResult_t Meeting::form(std::vector<Seat*> group) {
  // Seats lie in the order of their places.
  std::sort(group.begin(), group.end(),
            [](const Seat* a, const Seat* b) { return a->key != b->key ? a->key < b->key : a < b; });
  std::map<std::string, size_t> rankOfDevice;
  Roster roster{randomBytes(), randomBytes(), {}};
  for (size_t rank = 0; rank < group.size(); ++rank) {
    const RankInfo& info = group[rank]->party->info();
    roster.ranks.push_back(info);
    const auto [other, isNew] = rankOfDevice.emplace(info.place(), rank);
    if (isNew || settings().multiRankGpu) continue;
    return fail(mcclInvalidUsage, "Duplicate GPU detected : rank {} and rank {} both on MUSA device {}",
                other->second, rank, info.bus[0] ? info.bus : std::to_string(info.device));
  }
  if (roster.hasFarRanks()) MCCL_RETURN_IF_ERROR(tellOwnAddress(roster));
  const int ranks = static_cast<int>(group.size());
  ChannelPlan plan;
  MCCL_RETURN_IF_ERROR(topology::planFor(roster, plan));
  bool shared = false;
  for (int rank = 0; rank < ranks; ++rank) {
    shared = shared || (roster.isNear(rank) && group[rank]->party->comesBySocket());
  }
  std::shared_ptr<Segment> segment;
  if (!roster.nearRanks().empty())
    MCCL_RETURN_IF_ERROR(Communicator::makeSegment(roster, shared, plan, segment));
  std::shared_ptr<Communicator> communicator;
  for (int rank = 0; rank < ranks && !communicator; ++rank) {
    if (roster.isLocal(rank)) communicator = Communicator::findOrMake(roster, segment);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    const std::shared_ptr<Party>& party = group[rank]->party;
    if (party->comesBySocket()) {
      party->admit({roster, roster.isNear(rank) ? segment : nullptr, nullptr, rank});
      continue;
    }
    held_.push_back([party, segment, communicator, rank] {
      party->admit({communicator->roster(), segment, communicator, rank});
    });
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
