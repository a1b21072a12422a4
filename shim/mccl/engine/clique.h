// The ranks of one communicator, where their streams meet. Each process that has ranks of it
// has a clique; they share a segment.
//
// A collective runs in three steps, on the threads that run the ranks' streams:
//   arrive: each rank posts its task; it may post some collectives before it leaves the first of them;
//   work:   once all have, one checks that all agree; whoever is there takes pieces, of all ranks' buffers,
//           until none is left;
//   done:   all leave when the last piece is done.
// So a rank that wakes late finds its work done.
// Small work has a fixed part for each rank, which it does as soon as it sees that all have come; others do
// it if it sleeps. Each writes only of itself that it has come, and that its part is done (16 KiB between two
// processes: 1.5 times as fast as when the last to come did it all). Where ranks outnumber processors there
// is one part, and the last to come does it.
// When one thread has the calls of all ranks, it need not let them meet: runTogether().
//
// Failure and abort end every wait for good; the results of unfinished work are undefined.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mccl/engine/address_book.h"
#include "mccl/engine/collective_plan.h"
#include "mccl/engine/helpers.h"
#include "mccl/engine/segment.h"
#include "mccl/engine/task.h"
#include "mccl/engine/transfer_match.h"
#include "mccl/engine/transfers.h"
#include "mccl/engine/wait_point.h"

namespace musashim::mccl {

// Collectives with ranks of other hosts, for all ranks of this one.
class Beyond {
 public:
  virtual ~Beyond() = default;
  // Whether the thread of `rank` is to run them.
  virtual bool isRunBy(int rank) const = 0;
  // One with these tasks, one per rank here. False when the time is over first: then to be called again, by
  // whatever thread.
  virtual bool run(uint64_t sequence, std::span<const CollectiveTask* const> tasks,
                   Clock::time_point until) = 0;
};

class Clique {
 public:
  explicit Clique(int ranks);  // all of this process
  // `numbers`: of the ranks in the communicator, where they are not their places here.
  Clique(std::shared_ptr<Segment> segment, std::unique_ptr<AddressBook> addresses,
         std::vector<int> numbers = {});

  int ranks() const { return segment_->ranks(); }
  int numberOf(int rank) const { return numbers_.empty() ? rank : numbers_[static_cast<size_t>(rank)]; }

  // From now on collectives are those of ranks on several hosts, which `beyond` does for all of this one.
  void goAcross(Beyond& beyond) { beyond_ = &beyond; }

  // Tells the others that `rank` has come to a collective.
  // `sequence` numbers the rank's collectives 0, 1, 2, ...; one thread per rank at a time. It has to
  // complete() the one kSlots before first.
  void arrive(int rank, uint64_t sequence, const CollectiveTask& task);

  // Whether the others have come to the collective that `rank` has come to last.
  bool allHaveCome(int rank) const;

  // Blocks until a collective that `rank` has come to is done, or the clique has stopped. False when it is
  // not done in time: then it has to be called again, by whatever thread.
  bool complete(int rank, uint64_t sequence, Clock::time_point until = kForEver);

  // Notes where the thread that runs the work of `rank` is; moves it when another rank's is there as well,
  // and each could have a processor, or more than its share of them.
  void findProcessor(int rank);
  // Whether the threads of the others were elsewhere when they came to their latest work.
  bool hasProcessorAlone(int rank) const { return !sharesProcessor(rank, ranks()); }
  // Whether others that were on the processor of `rank` have yet to come to a collective: they need it.
  bool isAheadOnProcessor(int rank, uint64_t sequence) const;

  // The numbers of the next messages of `rank`; for its Transfers.
  MessageCounts& countsOf(int rank) { return counts_[rank]; }

  // One collective with the tasks of all ranks, which are of this process and have nothing else
  // to do meanwhile.
  void runTogether(std::span<const CollectiveTask* const> tasks);

  // All ranks' sends and receives; see matchTransfers().
  void runTogether(std::span<const TransferMatch> matches);

  // Of a collective that all have come to.
  bool isDone(uint64_t sequence) const;

  // The collective in which `rank` waits for `forRank`, which has not come to it; empty when it does not.
  std::string waitsInCollective(int rank, int forRank) const;

  // Stops the clique with an error that all ranks see; the first one stays.
  void fail(mcclResult_t result, const std::string& message);

  // Stops the clique on behalf of one rank: the others see mcclRemoteError. On return no
  // thread touches any rank's buffers, and none will.
  void abort(const std::string& message);

  bool stopped() const { return control_.stopped.load(std::memory_order_acquire) != 0; }
  mcclResult_t error() const;
  std::string errorText() const;  // of fail(); may be empty

  // `rank` could not map memory of `other`. That is no error when others have done the work
  // meanwhile and freed it, and another error when `other` has died: waits a little for either.
  void reportUnreachable(int rank, int other, const std::function<bool()>& isDone);

  // A rank's process has died: what it was doing will never end.
  void noteDeath(int rank);
  void noteLeaving(int rank);

  WaitPoint& waitPoint() { return waitPoint_; }
  // Where `rank` waits for its messages.
  WaitPoint& messagePoint(int rank) { return messagePoints_[rank]; }
  Segment& segment() const { return *segment_; }
  const std::shared_ptr<Segment>& sharedSegment() const { return segment_; }
  AddressBook& addresses() { return *addresses_; }

  // Counts the threads that touch buffers, so that abort() can wait for them.
  class WorkScope {
   public:
    WorkScope(Clique& clique, int rank);
    ~WorkScope();
    bool mayWork() const { return mayWork_; }

   private:
    Clique& clique_;
    std::atomic<uint32_t>& workers_;
    bool mayWork_;
  };

 private:
  bool haveCome(int rank, uint64_t sequence) const;
  bool completeSmall(int rank, uint64_t sequence, bool isLast, Clock::time_point until);
  bool completeLarge(int rank, uint64_t sequence, Clock::time_point until);
  bool completeAcross(int rank, uint64_t sequence, Clock::time_point until);
  void begin(int rank, uint64_t sequence);
  bool agree(uint64_t sequence);
  bool prepare(int rank, uint64_t sequence, size_t pieceBytes);
  size_t partsOf(uint64_t sequence, int rank) const;
  bool doPart(int rank, uint64_t sequence, size_t part);
  bool arePartsDone(uint64_t sequence, size_t parts) const;
  template <class Ready>
  bool waitFor(int rank, uint64_t sequence, Ready&& ready, Clock::time_point until);
  void stop(mcclResult_t result, const std::string& message);
  void notifyAll();
  void help(int rank, uint64_t sequence);
  bool isHelper(int rank, const CollectiveTask& task) const;
  // With one of the ranks below `end`.
  bool sharesProcessor(int rank, int end) const;
  void leaveCrowd(int rank);
  size_t ownShare(int rank) const;  // of the chunks of each collective: the rank begins with it
  void copyTogether(std::span<const TransferMatch> matches);
  bool nobodyWorks() const;

  std::shared_ptr<Segment> segment_;
  std::unique_ptr<AddressBook> addresses_;
  const std::vector<int> numbers_;
  Beyond* beyond_ = nullptr;
  Control& control_;
  WaitPoint waitPoint_;
  std::vector<WaitPoint> messagePoints_;              // per rank
  std::vector<const CollectiveTask*> posts_[kSlots];  // of the segment, per slot and rank
  std::vector<CollectivePlan> plans_;                 // per rank: what its thread works from
  // For runTogether(): what helpers read of it stays in their caches.
  const Helpers::Work runChunk_ = [this](size_t chunk, Order order) {
    if (!stopped()) plans_[0].run(chunk, order);
  };
  std::vector<MessageCounts> counts_;  // per rank
  std::vector<int> stays_;             // per rank: calls until its thread may be moved again
};

}  // namespace musashim::mccl
