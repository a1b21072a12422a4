// Where the ranks of communicators to be meet: one for each unique id, one for each split.
#pragma once

#include <condition_variable>
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

  // Blocks until decided.
  void wait();

  // Rejects all who are here and all who come later; without effect once decided.
  void cancel(mcclResult_t result, const std::string& reason = "the initialisation was aborted");

 private:
  void decide();
  void close();
  mcclResult_t form(std::vector<Seat*> group);

  std::mutex mutex_;
  std::condition_variable decidedCondition_;
  std::vector<Seat> seats_;
  int taken_ = 0;
  bool decided_ = false;
  mcclResult_t cancelled_ = mcclSuccess;
};

}  // namespace musashim::mccl
