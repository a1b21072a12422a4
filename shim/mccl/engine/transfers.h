// Sends and receives of one rank: how they find their counterparts and are copied.
//
// Message k of an ordered pair of ranks is the k-th send and the k-th receive. Its place in
// the segment collects both sides; whoever comes second checks that they agree, then both
// copy pieces, and the last to leave frees the place. Who has posted all of its messages sleeps until the
// last of them is copied, or a large one wants its help.
//
// Messages of a group are independent of each other, but for one case: what is sent from where
// an earlier call of the group receives from another rank is sent after that. NCCL leaves it
// undefined; programs that pass data on in one group rely on it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mccl/engine/segment.h"
#include "mccl/engine/task.h"

namespace musashim::mccl {

class Clique;

// Copies a part of one of the messages that make up `inAll` bytes. The two may overlap, as in a send to
// oneself in place.
void copyMessage(void* to, const void* from, size_t bytes, size_t inAll);

// The numbers of the next messages of one rank, per peer.
struct MessageCounts {
  std::vector<uint64_t> sent, received;
};

class Transfers {
 public:
  // The tasks' memory stays where it is.
  // `mayBegin`: whether what a task waits for elsewhere is done, by its index; looked at again in each run().
  Transfers(Clique& clique, int rank, std::span<const TransferTask> tasks,
            std::function<bool(size_t)> mayBegin = {});

  bool isDone(size_t index) const { return pending_[index].gone; }

  // Returns true when all are copied, or the clique has stopped; false when the time is over: then it has to
  // be called again, by whatever thread.
  bool run(Clock::time_point until = kForEver);

 private:
  struct Pending {
    const TransferTask* task;
    uint64_t number;
    Message* message;
    std::vector<size_t> after;  // indices of the receives that have to end first
    bool posted = false;
    bool gone = false;
  };

  bool advance(Pending& pending);  // true when it is done with
  bool canAdvance(const Pending& pending) const;
  bool mayPost(const Pending& pending) const;
  bool post(Pending& pending);
  void match(Message& message, uint64_t number, int from, int to);
  void advanceAll();
  void noteFinished(int side) const;
  void notifyWatching(int side) const;
  void copyPieces(Pending& pending);
  void leave(Pending& pending);
  void reportDeadlock();

  Clique& clique_;
  const int rank_;
  const std::function<bool(size_t)> mayBegin_;
  std::vector<Pending> pending_;
  size_t bytes_ = 0;  // of all messages, sent and received
  size_t left_;       // not done with
};

}  // namespace musashim::mccl
