#include "mccl/group/at_once.h"

#include <algorithm>
#include <vector>

#include "mccl/group/all_ranks.h"
#include "mccl/group/estimate.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

constexpr float kMost =
    4 << 20;  // bytes of traffic: less than 100 us, during which all processors work on it

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

bool waitsForNothing(const WorkOfAll& all) {
  const auto isIdle = [](const Work* work) { return work->member->idle(); };
  if (!std::all_of(all.works.begin(), all.works.end(), isIdle)) return false;
  const RelaxedCapture relaxed;
  return std::all_of(all.works.begin(), all.works.end(),
                     [](const Work* work) { return areIdle(work->member->device(), work->streams); });
}

bool runAtOnce(const WorkOfAll& all) {
  const auto isKnown = [](const Work* work) { return writesKnownBuffers(*work); };
  if (trafficOf(all) > kMost || !std::all_of(all.works.begin(), all.works.end(), isKnown)) return false;
  TurnOfAll(all.works).run(all.matches);
  return true;
}

}  // namespace musashim::mccl
