// Where the ranks of communicators to be meet: one for each unique id, one for each split.
//
// Ranks of other processes still fetch the communicator's memory here when all have met. So those of this
// process are admitted last, when nobody needs the process any more: it may end as soon as its ranks have it.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/comm/member.h"

namespace musashim::mccl {

class Meeting {
 public:
  explicit Meeting(int seats) : seats_(seats) {}

  struct Seat {
    std::shared_ptr<Party> party;
    int color = 0;  // parties of one colour form a communicator; MCCL_SPLIT_NOCOLOR: none
    int key = 0;    // their order in it; equal keys by place
  };

  int seats() const { return static_cast<int>(seats_.size()); }

  // Takes seat `place`. The last to come decides for all. mcclInvalidUsage when the seat is
  // taken or all have met; the cancellation's result when it was cancelled; then the party is rejected too.
  mcclResult_t join(int place, Seat seat);

  bool decided();
  // Of a meeting that was cancelled: its result and text; mcclSuccess otherwise.
  mcclResult_t failure(std::string& reason);

  // Blocks until decided.
  void wait();

  // A party that came by a socket has gone: with all it needs, or too early.
  void leave(const std::string& reason);

  // Rejects all who are here and all who come later. Once decided, no longer waits for those who have yet to
  // leave.
  void cancel(mcclResult_t result, const std::string& reason = "the initialisation was aborted");

 private:
  void decide();
  void close();
  void reject(mcclResult_t result, const std::string& reason);
  void admitHeld();
  mcclResult_t form(std::vector<Seat*> group);

  std::mutex mutex_;
  std::condition_variable decidedCondition_;
  std::vector<Seat> seats_;
  int taken_ = 0;
  bool decided_ = false;
  mcclResult_t cancelled_ = mcclSuccess;
  std::string cancelledBy_;  // the reason
  int outside_ = 0;  // parties that came by a socket, from the decision until they leave
  std::vector<std::function<void()>> held_;  // admissions that wait for these
};

}  // namespace musashim::mccl
