#include "mccl/group/at_once.h"

#include <algorithm>
#include <vector>

#include "mccl/group/all_ranks.h"
#include "mccl/group/estimate.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

constexpr float kMost = 1 << 20;  // bytes of traffic: some ten microseconds, all of it in the caches

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

}  // namespace

bool runAtOnce(const WorkOfAll& all) {
  if (trafficOf(all) > kMost) return false;
  for (const Work* work : all.works) {
    if (!work->member->idle() || !writesKnownBuffers(*work)) return false;
  }
  const RelaxedCapture relaxed;
  for (const Work* work : all.works) {
    if (!areIdle(work->member->device(), work->streams)) return false;
  }
  TurnOfAll(all.works).run(all.matches);
  return true;
}

}  // namespace musashim::mccl
