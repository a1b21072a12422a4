#include "mccl/group/launch.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "mccl/core/log.h"
#include "mccl/group/at_once.h"
#include "mccl/group/batch.h"
#include "mccl/group/together_batch.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/stream.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

mcclResult_t checkSelfTransfers(const Work& work) {
  int balance = 0;
  for (const TransferTask& task : work.transfers) {
    if (task.peer == work.member->rank()) balance += task.isSend ? 1 : -1;
  }
  if (balance == 0) return mcclSuccess;
  return fail(mcclInvalidUsage, "Trying to {} self without a matching {}",
              balance > 0 ? "send to" : "recv from", balance > 0 ? "recv" : "send");
}

// Whether the streams of the group record graphs: all or none.
mcclResult_t findCapture(std::span<const Work> works, bool& capturing) {
  capturing = false;
  bool first = true;
  for (const Work& work : works) {
    for (musaStream_t stream : work.streams) {
      bool captured = false;
      MCCL_RETURN_IF_ERROR(isCapturing(work.member->device(), stream, captured));
      if (!first && captured != capturing) {
        return fail(mcclInvalidUsage, "Either all streams of a group are captured, or none.");
      }
      capturing = captured;
      first = false;
    }
  }
  return mcclSuccess;
}

// Finds out whether a batch comes to stand directly behind the one before it. With marks from before and
// after it is queued: what another thread queues meanwhile may be on either side.
class QueueWatch {
 public:
  QueueWatch(std::span<const musaStream_t> streams, Batch& batch, Member& member)
      : member_(member),
        stream_(streams.front()),
        before_(streams.size() == 1 && batch.mayBePostedBehind() ? markOf(stream_) : std::nullopt),
        mayBePosted_(batch.mayBePosted()),
        collectives_(batch.collectives()) {}

  // The batch may be gone by now.
  void noteQueued(uint64_t turn) {
    std::optional<StreamMark>& queuedTo = member_.queuedTo();
    const bool follows = before_ && mayBePosted_ && queuedTo == before_;
    const std::optional<StreamMark> after = before_ ? markOf(stream_) : std::nullopt;
    const bool isAlone =
        after && after->stream == before_->stream && after->commands == before_->commands + 1;
    queuedTo = isAlone ? after : std::nullopt;
    if (follows && isAlone) member_.upcoming().add(turn, collectives_);
  }

 private:
  Member& member_;
  const musaStream_t stream_;
  const std::optional<StreamMark> before_;
  const bool mayBePosted_;
  std::vector<CollectiveTask>& collectives_;  // once queued, guarded by Upcoming
};

// A batch that has begun cannot be taken back: the others wait for it.
mcclResult_t queueBatch(std::span<const musaStream_t> streams, std::unique_ptr<Batch> batch, uint64_t turn,
                        Member& member) {
  QueueWatch watch(streams, *batch, member);
  GraphOrder* const order = member.graphOrder().get();
  mcclResult_t result = order ? order->enter(streams.front()) : mcclSuccess;
  if (result == mcclSuccess) result = queueWork(streams, &Batch::run, batch.get());
  if (result == mcclSuccess && order) (void)order->leave(streams.front());  // queued: no way back
  if (result == mcclSuccess) {
    (void)batch.release();  // run() frees it
    watch.noteQueued(turn);
  } else if (batch->hasBegun()) {
    member.clique().fail(result, "the work of a rank could not be queued: " + lastError());
    Batch::run(streams.front(), musaSuccess, batch.release());
  } else {
    member.cancelWork();
  }
  return result;
}

// Whether the call has become part of the latest work, which still stands last on the stream and has not
// begun.
bool joinLatest(const Work& work, const Staging& staging, uint64_t turn) {
  Member& member = *work.member;
  if (work.streams.size() != 1 || !work.transfers.empty() || !staging.empty() || !member.queuedTo() ||
      member.graphOrder() || !mayBePostedAhead(work.collectives))
    return false;
  return markOf(work.streams.front()) == member.queuedTo() && member.upcoming().join(turn, work.collectives);
}

mcclResult_t captureBatch(std::span<const musaStream_t> streams, std::unique_ptr<Batch> batch,
                          Member& member) {
  member.upcoming().close();
  std::shared_ptr<GraphOrder>& order = member.graphOrder();
  if (!order) order = std::make_shared<GraphOrder>();
  batch->becomeGraphs();
  MCCL_RETURN_IF_ERROR(order->enterGraph(streams.front()));
  MCCL_RETURN_IF_ERROR(captureWork(streams, &Batch::replay, batch.release(), &Batch::destroy));
  return order->leaveGraph(streams.front());
}

// Whether nothing that is in graphs has to be heeded.
bool isFreeOfGraphs(Member& member) { return !member.graphOrder() || member.graphOrder()->isOver(); }

// `isOnly`: the group holds nothing else.
mcclResult_t launchAlone(Work& work, bool capturing, bool isOnly) {
  Member& member = *work.member;
  DeviceScope scope(member.device());
  MCCL_RETURN_IF_ERROR(scope.result());
  const bool beginsAtOnce = isOnly && !capturing && isFreeOfGraphs(member) && mayBeginAtOnce(work);
  if (!capturing) noteWritten(work);
  Staging staging;
  if (member.communicator().sharesMemory()) MCCL_RETURN_IF_ERROR(exportBuffers(work, staging));
  const auto makeBatch = [&] {
    return std::make_unique<Batch>(work.member, std::move(work.collectives), std::move(work.transfers),
                                   std::move(staging));
  };
  if (capturing) return captureBatch(work.streams, makeBatch(), member);
  const uint64_t turn = member.enqueueWork();
  if (!beginsAtOnce && joinLatest(work, staging, turn)) return mcclSuccess;
  auto batch = makeBatch();
  batch->setTurn(turn);
  if (beginsAtOnce) {
    const bool isDone = batch->runUntil(endOfPatience(member));
    member.patience().note(isDone);
    if (isDone) return mcclSuccess;
  }
  return queueBatch(work.streams, std::move(batch), turn, member);
}

// Whether all ranks reach each other by messages, directly or through others.
bool areConnected(std::span<const std::span<const TransferTask>> transfers) {
  struct Leaders {  // one memory for all calls
    std::vector<size_t> ofRanks;
  };
  auto& leader = support::PerThread<Leaders>::get().ofRanks;
  leader.resize(transfers.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](size_t rank) {
    while (leader[rank] != rank) rank = leader[rank] = leader[leader[rank]];
    return rank;
  };
  size_t islands = transfers.size();
  for (size_t rank = 0; rank < transfers.size(); ++rank) {
    for (const TransferTask& task : transfers[rank]) {
      const size_t a = find(rank), b = find(static_cast<size_t>(task.peer));
      if (a == b) continue;
      leader[a] = b;
      if (--islands == 1) return true;
    }
  }
  return islands == 1;
}

struct TransfersOfRanks {  // one memory for all calls
  std::vector<std::span<const TransferTask>> lists;
};

// Whether the works of one communicator are those of all its ranks and fit each other; then brings them into
// the ranks' order.
bool belongTogether(std::span<Work*> works, std::vector<TransferMatch>& matches) {
  Communicator& communicator = works.front()->member->communicator();
  const size_t ranks = static_cast<size_t>(communicator.ranks());
  if (works.size() != ranks || !communicator.allLocal() || ranks < 2) return false;
  const size_t collectives = works.front()->collectives.size();
  bool anyTransfer = false;
  for (const Work* work : works) {
    if (work->collectives.size() != collectives || work->member->graphOrder()) return false;
    anyTransfer = anyTransfer || !work->transfers.empty();
  }
  std::sort(works.begin(), works.end(),
            [](const Work* a, const Work* b) { return a->member->rank() < b->member->rank(); });
  if (!anyTransfer) return true;
  auto& transfers = support::PerThread<TransfersOfRanks>::get().lists;
  transfers.resize(ranks);
  for (size_t rank = 0; rank < ranks; ++rank) transfers[rank] = works[rank]->transfers;
  if (!matchTransfers(transfers, matches)) return false;
  // Without a collective, ranks that do not reach each other by messages must not wait for each other.
  return collectives > 0 || areConnected(transfers);
}

}  // namespace

mcclResult_t checkAll(std::span<const Work> works) {
  for (const Work& work : works) {
    if (work.member->options().blocking != works.front().member->options().blocking) {
      return fail(mcclInvalidArgument,
                  "Blocking and nonblocking communicators are not allowed in the same group.");
    }
    MCCL_RETURN_IF_ERROR(checkSelfTransfers(work));
  }
  return mcclSuccess;
}

mcclResult_t launchAll(std::vector<Work>& works) {
  if (works.empty()) return mcclSuccess;
  MCCL_RETURN_IF_ERROR(checkAll(works));
  bool capturing = false;
  MCCL_RETURN_IF_ERROR(findCapture(works, capturing));
  struct Lists {  // one memory for all calls
    std::vector<Work*> rest, cluster, others;
  };
  auto& [rest, cluster, others] = support::PerThread<Lists>::get();
  rest.clear();
  for (Work& work : works) rest.push_back(&work);
  // Communicator by communicator; of those that do not run together, rank by rank.
  while (!rest.empty()) {
    const Communicator* communicator = &rest.front()->member->communicator();
    cluster.clear();
    others.clear();
    for (Work* work : rest)
      (&work->member->communicator() == communicator ? cluster : others).push_back(work);
    rest.swap(others);
    WorkOfAll all;
    if (capturing || !belongTogether(cluster, all.matches)) {
      for (Work* work : cluster) MCCL_RETURN_IF_ERROR(launchAlone(*work, capturing, works.size() == 1));
      continue;
    }
    all.works = cluster;
    const bool isFirst = waitsForNothing(all);
    if (isFirst && runAtOnce(all)) continue;
    MCCL_RETURN_IF_ERROR(TogetherBatch::launch(all, isFirst));
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
