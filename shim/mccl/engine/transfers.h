// Sends and receives of one rank: how they find their counterparts and are copied.
//
// Message k of an ordered pair of ranks is the k-th send and the k-th receive. Its place in
// the segment collects both sides; whoever comes second checks that they agree, then both
// copy pieces, and the last to leave frees the place.
//
// Messages of a group are independent of each other, but for one case: what is sent from where
// an earlier call of the group receives from another rank is sent after that. NCCL leaves it
// undefined; programs that pass data on in one group rely on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mccl/engine/segment.h"
#include "mccl/engine/task.h"

namespace musashim::mccl {

class Clique;

// The numbers of the next messages of one rank, per peer.
struct MessageCounts {
  std::vector<uint64_t> sent, received;
};

class Transfers {
 public:
  Transfers(Clique& clique, int rank, MessageCounts& counts, std::span<const TransferTask> tasks);

  // Returns when all are copied, or the clique has stopped.
  void run();

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
  void copyPieces(Pending& pending);
  void leave(Pending& pending);
  void reportDeadlock();

  Clique& clique_;
  const int rank_;
  std::vector<Pending> pending_;
  size_t left_;  // not done with
};

}  // namespace musashim::mccl
