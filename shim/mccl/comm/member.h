// One rank of a communicator: what stands behind an mcclComm_t.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/bootstrap/party.h"
#include "mccl/calls/bursts.h"
#include "mccl/calls/patience.h"
#include "mccl/calls/recent_buffers.h"
#include "mccl/calls/running_lock.h"
#include "mccl/calls/upcoming.h"
#include "mccl/comm/communicator.h"
#include "mccl/comm/registrations.h"
#include "mccl/comm/user_reductions.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {

class GraphOrder;
class Meeting;

struct CommOptions {
  bool blocking = true;
  std::string name;
};

class Member final : public Party {
 public:
  // `bus` and `capability`: the device's, if the caller knows them.
  Member(int device, CommOptions options, const std::string& bus = "", int capability = 0)
      : device_(device), info_(ownInfo(device, bus, capability)), options_(std::move(options)) {}

  int device() const { return device_; }
  const CommOptions& options() const { return options_; }

  // These are valid once isReady().
  int rank() const { return rank_; }
  int ranks() const { return communicator_->ranks(); }
  int seat() const { return communicator_->seatOf(rank_); }  // in the clique
  Communicator& communicator() const { return *communicator_; }
  Clique& clique() { return communicator_->clique(); }

  // The ranks have met and formed a communicator.
  bool isReady() const { return met_.load(std::memory_order_acquire) == mcclSuccess && communicator_; }

  // mcclInProgress until the ranks have met; then mcclSuccess, or the first error.
  mcclResult_t state() const;
  // As above; mcclInProgress also while it is being finalized.
  mcclResult_t progress() {
    return finalized() && state() == mcclSuccess && !idle() ? mcclInProgress : state();
  }
  // Whether the ranks have met; unlike state() not what has happened since.
  mcclResult_t met() const { return met_.load(std::memory_order_acquire); }
  // Blocks until the ranks have met, or will not.
  void waitMet() const { met_.wait(mcclInProgress, std::memory_order_acquire); }

  const RankInfo& info() const override { return info_; }
  void admit(const Admission& admission) override;
  void reject(mcclResult_t result, const std::string& reason) override;
  void reject(mcclResult_t result) { reject(result, ""); }

  // The meeting that this member takes part in, so that abort can end it.
  void setMeeting(std::shared_ptr<Meeting> meeting);

  // Asks whoever initialises this member to give up.
  bool cancelled() const { return cancelled_.load(); }

  // Ends all waiting of this rank's work; see Clique::abort().
  void abort();

  // As abort, but the member may still shrink, split off, or be destroyed. False the second time.
  bool revoke();
  bool revoked() const { return revoked_.load(); }

  // Leaves the communicator: what happens to this process is no more the others' affair.
  void leave();

  // Work is numbered when queued and runs in that order, whatever its streams.
  uint64_t enqueueWork() { return enqueued_.fetch_add(1, std::memory_order_relaxed); }
  void cancelWork() {
    enqueued_.fetch_sub(1, std::memory_order_relaxed);
  }                                    // the last one, not queued after all
  bool awaitTurn(uint64_t index);      // false when the clique has stopped
  bool awaitFinished(uint64_t count);  // so many, or more; false as above
  void finishWork(uint64_t index);
  void waitIdle();
  bool waitIdle(Clock::time_point until);  // whether it is idle; a stop of the clique may go unnoticed
  bool idle();
  uint64_t calls() const { return enqueued_.load(std::memory_order_relaxed); }  // the next one's number
  uint64_t unfinished() const { return enqueued_.load() - completed_.load(); }

  // Held while this rank's work runs: launches of a captured graph have no number.
  RunningLock& running() { return running_; }

  // By the thread that runs the work: numbers of collectives.
  uint64_t nextCollective() { return collectives_++; }
  uint64_t collectives() const { return collectives_; }

  Upcoming& upcoming() { return upcoming_; }

  bool finalize() { return !finalized_.exchange(true); }  // false the second time
  bool finalized() const { return finalized_.load(); }

  // Splits of this communicator are numbered; all ranks make them in the same order.
  uint64_t nextSplit() { return splits_++; }
  // So are exchanges of memory.
  uint64_t nextMemoryExchange() { return memoryExchanges_++; }
  // A name for the next shrink to `survivors`, the same for all of them: ranks that were left
  // out of one shrink may take part in another.
  uint64_t nextShrink(std::span<const int> survivors);

  // For dependencies between its streams and other members', made and used by the thread that queues its
  // work.
  std::shared_ptr<Event>& event() { return event_; }

  // Of its work in graphs and on streams, once some is in graphs, which share it; for the same thread.
  std::shared_ptr<GraphOrder>& graphOrder() { return graphOrder_; }

  // What its queued work has written; for the same thread.
  RecentBuffers& written() { return written_; }
  // The stream right behind the latest work, if its collectives may be posted before it is done.
  std::optional<StreamMark>& queuedTo() { return queuedTo_; }
  Patience& patience() { return patience_; }
  Bursts& bursts() { return bursts_; }

  UserReductions& reductions() { return reductions_; }

  Registrations& registrations() { return registrations_; }

 private:
  template <class Condition>
  bool awaitCompleted(Condition&& holds);

  const int device_;
  const RankInfo info_;
  const CommOptions options_;
  int rank_ = -1;
  std::shared_ptr<Communicator> communicator_;
  std::atomic<mcclResult_t> met_{mcclInProgress};
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> finalized_{false};
  std::atomic<bool> revoked_{false};

  std::atomic<uint64_t> enqueued_{0};
  std::atomic<uint64_t> completed_{0};
  std::atomic<int> turnWaiters_{0};  // threads that look at completed_
  // Who waits a little for the end of all work is not woken for anything else.
  std::atomic<int> idleWaiters_{0};
  WaitWord idleWord_;
  WaitPoint idlePoint_{idleWord_, false, 0};
  RunningLock running_;
  uint64_t collectives_ = 0;
  Upcoming upcoming_;
  uint64_t splits_ = 0, memoryExchanges_ = 0;
  std::map<std::vector<int>, uint64_t> shrinks_;  // how often, by survivors
  UserReductions reductions_;
  Registrations registrations_;
  std::shared_ptr<Event> event_;
  std::shared_ptr<GraphOrder> graphOrder_;
  RecentBuffers written_;
  std::optional<StreamMark> queuedTo_;
  Patience patience_;
  Bursts bursts_;

  std::mutex mutex_;  // of what follows
  std::shared_ptr<Meeting> meeting_;
};

}  // namespace musashim::mccl
