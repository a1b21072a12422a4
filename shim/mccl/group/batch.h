// One group's work of one rank, as a function on its stream.
#pragma once

#include <musa_runtime_api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mccl/comm/member.h"
#include "mccl/engine/task.h"
#include "mccl/hosts/messages.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/graph_order.h"

namespace musashim::mccl {

// Whether collectives may be posted as soon as those before them are: the factor of one may be what the
// collective before computes.
bool mayBePostedAhead(std::span<const CollectiveTask> tasks);

class Batch {
 public:
  Batch(std::shared_ptr<Member> member, std::vector<CollectiveTask> collectives,
        std::vector<TransferTask> transfers, Staging staging)
      : member_(std::move(member)),
        collectives_(std::move(collectives)),
        transfers_(std::move(transfers)),
        staging_(std::move(staging)) {}

  // The member's number of this work: queue batches in the order of their numbers.
  void setTurn(uint64_t index) { index_ = index; }

  // Runs it on the calling thread, which its streams would do now, for a limited time. False when it is not
  // done by then: the stream's callback goes on with it.
  bool runUntil(Clock::time_point until);

  bool hasBegun() const { return running_.owns_lock(); }

  // Whether its collectives may be posted as soon as those before it are. What is staged is copied in
  // between.
  bool mayBePosted() const;
  // Whether those of the next batch may be posted as soon as its own are.
  bool mayBePostedBehind() const { return transfers_.empty() && staging_.empty(); }
  // Once queued, guarded by Upcoming.
  std::vector<CollectiveTask>& collectives() { return collectives_; }

  // The stream's callback; `data` is the batch, which it frees. On a
  // faulted device the other ranks are freed with mcclUnhandledMusaError instead of waiting for ever.
  static void run(musaStream_t stream, musaError_t status, void* data);

  // From now on the batch is a graph's: it no longer keeps its member alive. It runs behind what the member
  // has queued up to now; what comes later heeds the order.
  void becomeGraphs() {
    order_ = member_->graphOrder();
    index_ = member_->calls();
    capturedMember_ = std::exchange(member_, nullptr);
  }

  // A graph's node; `data` is the batch. Runs as often as the graph is launched, and does
  // nothing once the communicator is destroyed.
  static void replay(void* data);
  // With the graph the batch ends.
  static void destroy(void* data) { delete static_cast<Batch*>(data); }

 private:
  bool runAll(Member& member, Clock::time_point until);
  uint64_t lastTurn() const { return index_ + calls_ - 1; }
  void postAhead(Member& member);

  std::shared_ptr<Member> member_;
  std::weak_ptr<Member> capturedMember_;
  std::shared_ptr<GraphOrder> order_;  // a graph's nodes need it
  uint64_t index_ = 0, calls_ = 1;
  std::vector<CollectiveTask> collectives_;
  std::vector<TransferTask> transfers_;
  Staging staging_;

  // How far it has come.
  std::unique_lock<RunningLock> running_;  // of the member; held from the begin to the end
  size_t next_ = 0;                        // collective
  Upcoming::Posted posted_;                // of the collectives: what the others know
  std::optional<Messages> messages_;
};

}  // namespace musashim::mccl
