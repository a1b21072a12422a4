#include "mccl/group/at_once.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "mccl/engine/helpers.h"
#include "mccl/group/all_ranks.h"
#include "mccl/group/estimate.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

// Bytes of traffic: 100 to 200 us, during which all processors work on it.
constexpr float kMost = 32 << 20;
// Of all ranks' work, of each thread: half a millisecond, in which all of them work on it. Queued, a call of
// 8 ranks takes 40 us more, and one of 16 ranks 60 (measured).
constexpr float kMostOfThread = 16 << 20;

constexpr uint64_t kMuchQueued = 64;    // calls
constexpr uint64_t kMostInBurst = 512;  // fewer than what streams of a GPU take before calls block

// Programs built with checks learn from work on streams that a library has written memory: the first work
// with a buffer goes there.
bool writesKnownBuffers(const Work& work) {
  const RecentBuffers& written = work.member->written();
  const int rank = work.member->rank();
  return std::all_of(work.collectives.begin(), work.collectives.end(),
                     [&](const CollectiveTask& task) {
                       return !writesRecvBuffer(task, rank) || written.contains(task.recv.pointer);
                     }) &&
         std::all_of(work.transfers.begin(), work.transfers.end(), [&](const TransferTask& task) {
           return task.isSend || written.contains(task.buffer.pointer);
         });
}

// A call is queued in much less time than the ranks need to do it: who queues could do so with all calls of a
// program, before a single one could try again to meet the others. So a long queue is waited for, as long as
// it gets shorter. Whether it is done.
bool waitForBacklog(Member& member, uint64_t much) {
  uint64_t left = member.unfinished();
  if (left < much || member.patience().isStuck(member.calls() - left)) return false;
  while (!member.waitIdle(endOfPatience(member))) {
    const uint64_t before = std::exchange(left, member.unfinished());
    if (left < before) continue;
    member.patience().noteStuck(member.calls() - left);
    return false;
  }
  return true;
}

}  // namespace

bool waitsForNothing(const WorkOfAll& all) {
  const auto isIdle = [](const Work* work) { return work->member->idle(); };
  if (!std::all_of(all.works.begin(), all.works.end(), isIdle)) return false;
  const RelaxedCapture relaxed;
  return std::all_of(all.works.begin(), all.works.end(),
                     [](const Work* work) { return areIdle(work->member->device(), work->streams); });
}

bool runAtOnce(const WorkOfAll& all) {
  const auto isKnown = [](const Work* work) { return writesKnownBuffers(*work); };
  const float most = kMostOfThread * static_cast<float>(std::max<size_t>(2, Helpers::most()));
  if (trafficOf(all) > most || !std::all_of(all.works.begin(), all.works.end(), isKnown)) return false;
  TurnOfAll(all.works).run(all.matches);
  return true;
}

bool mayBeginAtOnce(const Work& work) {
  Member& member = *work.member;
  if (trafficOf(work) > kMost || !writesKnownBuffers(work) || member.clique().stopped()) return false;
  const uint64_t unfinished = member.unfinished();
  if (Bursts::pay(member.ranks(), Helpers::processors()) &&
      member.bursts().queues(member.calls(), unfinished > 0)) {
    (void)waitForBacklog(member, kMostInBurst);
    return false;
  }
  if (!member.patience().waits(member.calls()) && !waitForBacklog(member, kMuchQueued)) return false;
  if (member.unfinished() > 0) {
    const bool othersAreNear = member.clique().allHaveCome(member.seat());
    if (!othersAreNear && !member.patience().isTrying()) return false;
    if (!member.waitIdle(endOfPatience(member, unfinished))) {
      member.patience().note(false);
      return false;
    }
  }
  const RelaxedCapture relaxed;
  // Work that has just ended leaves its stream a little later.
  for (int look = unfinished > 0 ? 100 : 1; look > 0; --look) {
    if (areIdle(member.device(), work.streams)) return true;
    cpuRelax();
  }
  return false;
}

Clock::time_point endOfPatience(Member& member, uint64_t queued) {
  constexpr uint64_t kMostCalls = 50;
  if (member.communicator().hasFarRanks()) return Clock::now() + std::chrono::milliseconds(1);
  const int ranks = member.ranks();
  const auto each = std::chrono::microseconds(20 + 5 * ranks);
  const auto forOthers = Patience::limit(ranks, Helpers::processors());
  return Clock::now() + forOthers + each * std::min(queued, kMostCalls);
}

void noteWritten(const Work& work) {
  RecentBuffers& written = work.member->written();
  for (const CollectiveTask& task : work.collectives) written.add(task.recv.pointer);
  for (const TransferTask& task : work.transfers) {
    if (!task.isSend) written.add(task.buffer.pointer);
  }
}

}  // namespace musashim::mccl
