// The sends and receives of one rank's group: those with ranks of this host (engine/transfers.h), and those
// with ranks of others, each by the connection of the two ranks.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "mccl/comm/communicator.h"
#include "mccl/engine/transfers.h"
#include "mccl/hosts/link.h"

namespace musashim::mccl {

class Messages {
 public:
  // The tasks' memory stays where it is.
  Messages(Communicator& communicator, int rank, std::span<const TransferTask> tasks);

  // As Transfers::run().
  bool run(Clock::time_point until = kForEver);

 private:
  struct Far {
    const TransferTask* task;
    // Receives whose data it passes on: from other hosts, and from ranks of this one.
    std::vector<const Far*> after = {};
    std::vector<size_t> afterNear = {};
    bool isDone = false;
  };
  // One direction of what goes on with one rank.
  struct Way {
    Link* link;
    bool isOut;
    std::deque<Far*> waiting;  // not begun
    std::deque<Far*> underWay;
    size_t done = 0;  // messages of the connection that are no concern any more
  };

  bool advance(bool& moved);
  mcclResult_t advance(Way& way, bool& moved);
  Way& wayOf(const TransferTask& task);
  bool mayBegin(const Far& far) const;
  void sortOut(std::span<const TransferTask> tasks);

  Communicator& communicator_;
  const int rank_;
  std::vector<TransferTask> nearTasks_;             // by seats
  std::vector<std::vector<const Far*>> nearAfter_;  // what each of them passes on of other hosts
  std::deque<Far> far_;
  std::deque<Way> ways_;
  std::optional<Transfers> near_;
  bool isNearDone_ = false;
};

}  // namespace musashim::mccl
