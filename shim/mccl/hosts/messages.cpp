#include "mccl/hosts/messages.h"

#include <algorithm>

#include "mccl/core/log.h"
#include "mccl/hosts/host_exchange.h"
#include "mccl/hosts/looks.h"

namespace musashim::mccl {
namespace {

constexpr auto kTurn = std::chrono::microseconds(50);  // of those of this host, while others are under way

}  // namespace

Messages::Messages(Communicator& communicator, int rank, std::span<const TransferTask> tasks)
    : communicator_(communicator), rank_(rank) {
  Clique& clique = communicator.clique();
  if (!communicator.hasFarRanks()) {
    near_.emplace(clique, rank, tasks);
    return;
  }
  sortOut(tasks);
  near_.emplace(clique, communicator.seatOf(rank), nearTasks_, [this](size_t index) {
    return std::ranges::all_of(nearAfter_[index], [](const Far* before) { return before->isDone; });
  });
}

void Messages::sortOut(std::span<const TransferTask> tasks) {
  for (const TransferTask& task : tasks) {
    std::vector<const Far*> after;
    std::vector<size_t> afterNear;
    for (const Far& earlier : far_) {
      if (task.isSend && !earlier.task->isSend && earlier.task->peer != task.peer &&
          overlap(*earlier.task, task))
        after.push_back(&earlier);
    }
    if (const int seat = communicator_.seatOf(task.peer); seat >= 0) {
      nearTasks_.push_back(task);
      nearTasks_.back().peer = seat;
      nearAfter_.push_back(std::move(after));
      continue;
    }
    for (size_t i = 0; task.isSend && i < nearTasks_.size(); ++i) {
      if (!nearTasks_[i].isSend && overlap(nearTasks_[i], task)) afterNear.push_back(i);
    }
    Far& far = far_.emplace_back(Far{&task, std::move(after), std::move(afterNear)});
    wayOf(task).waiting.push_back(&far);
  }
}

Messages::Way& Messages::wayOf(const TransferTask& task) {
  HostExchange& exchange = *communicator_.exchange();
  Link& link = exchange.messageLink(rank_, task.peer, task.isSend);
  for (Way& way : ways_) {
    if (way.link == &link) return way;
  }
  return ways_.emplace_back(Way{&link, task.isSend, {}, {}, link.completed()});
}

bool Messages::run(Clock::time_point until) {
  if (ways_.empty()) return near_->run(until);
  Clique& clique = communicator_.clique();
  if (!theNet()) {
    clique.fail(mcclSystemError, lastError());
    return true;
  }
  std::vector<Link*> links;
  Looks looks;
  while (!clique.stopped()) {
    bool moved = false;
    if (!advance(moved)) return true;
    std::erase_if(ways_, [](const Way& way) { return way.waiting.empty() && way.underWay.empty(); });
    if (ways_.empty()) return isNearDone_ || near_->run(until);
    if (!isNearDone_) isNearDone_ = near_->run(std::min(until, Clock::now() + kTurn));
    if (moved) {
      looks.somethingCame();
      continue;
    }
    if (until != kForEver && Clock::now() >= until) return false;
    if (!isNearDone_ || looks.again()) continue;
    links.clear();
    for (const Way& way : ways_) links.push_back(way.link);
    communicator_.exchange()->await(links, until);
  }
  return true;
}

// False when it has failed.
bool Messages::advance(bool& moved) {
  for (Way& way : ways_) {
    const mcclResult_t result = advance(way, moved);
    if (result == mcclSuccess) continue;
    const Far* first = way.underWay.empty() ? way.waiting.front() : way.underWay.front();
    communicator_.exchange()->fail(result, rank_, way.link->peer(),
                                   first->task->describe(rank_, first->task->peer));
    return false;
  }
  return true;
}

bool Messages::mayBegin(const Far& far) const {
  return std::ranges::all_of(far.after, [](const Far* before) { return before->isDone; }) &&
         std::ranges::all_of(far.afterNear, [&](size_t index) { return near_->isDone(index); });
}

mcclResult_t Messages::advance(Way& way, bool& moved) {
  while (!way.waiting.empty()) {
    Far& next = *way.waiting.front();
    if (!mayBegin(next)) break;
    bool taken = false;
    // The type is not compared: a message is bytes. Its number in the connection is.
    const int tag = static_cast<int>(way.link->begun() & 0x7fffffff);
    MCCL_RETURN_IF_ERROR(way.link->begin(next.task->buffer.pointer, next.task->bytes(), tag, taken));
    if (!taken) break;
    way.waiting.pop_front();
    way.underWay.push_back(&next);
    moved = true;
  }
  const size_t before = way.link->completedParts();
  MCCL_RETURN_IF_ERROR(way.link->poll());
  moved = moved || way.link->completedParts() != before;
  for (; way.done < way.link->completed() && !way.underWay.empty(); ++way.done) {
    way.underWay.front()->isDone = true;
    way.underWay.pop_front();
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
