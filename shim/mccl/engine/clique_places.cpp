// On which processors the ranks' threads run. The kernel often wakes a thread where its waker runs, and lets
// them be there: of threads that only take turns it sees little reason to move any.
#include <sched.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "mccl/core/assign_changed.h"
#include "mccl/engine/clique.h"
#include "mccl/engine/helpers.h"
#include "support/per_thread.h"
#include "support/processor.h"

namespace musashim::mccl {

void Clique::findProcessor(int rank) {
  constexpr int kCallsToStay = 30;
  std::atomic<int>& place = segment_->rank(rank).processor;
  assignChanged(place, sched_getcpu() + 1);
  if (stays_[rank] > 0) {
    --stays_[rank];
    return;
  }
  if (ranks() > Helpers::processors()) {
    stays_[rank] = kCallsToStay;
    leaveCrowd(rank);
  } else if (sharesProcessor(rank, rank)) {
    // The lower rank stays: if both moved, they would meet again.
    stays_[rank] = kCallsToStay;
    support::leaveProcessor(place.load(std::memory_order_relaxed) - 1);
  } else {
    return;
  }
  assignChanged(place, sched_getcpu() + 1);
}

// The same for the ranks of a processor, whose caches have it; no two processors begin with the same one.
size_t Clique::ownShare(int rank) const {
  const size_t shares = control_.shares;
  if (static_cast<size_t>(ranks()) <= shares) return static_cast<size_t>(rank);
  const int processor = segment_->rank(rank).processor.load(std::memory_order_relaxed) - 1;
  return processor < 0 ? 0 : Helpers::placeOf(processor) % shares;
}

// A rank that spins keeps those off its processor that it waits for.
bool Clique::sharesProcessor(int rank, int end) const {
  if (ranks() > Helpers::processors()) return true;
  const int mine = segment_->rank(rank).processor.load(std::memory_order_relaxed);
  for (int other = 0; other < end; ++other) {
    if (other != rank && segment_->rank(other).processor.load(std::memory_order_relaxed) == mine) return true;
  }
  return false;
}

bool Clique::isAheadOnProcessor(int rank, uint64_t sequence) const {
  const int here = segment_->rank(rank).processor.load(std::memory_order_relaxed);
  for (int other = 0; other < ranks(); ++other) {
    const RankState& state = segment_->rank(other);
    if (state.processor.load(std::memory_order_relaxed) == here &&
        segment_->collectives(other).load(std::memory_order_relaxed) <= sequence)
      return true;
  }
  return false;
}

// A collective takes as long as the processor with the most ranks needs to let each of them run once. The
// lowest ranks of a processor stay, as many as its share; the others move to where the fewest are.
void Clique::leaveCrowd(int rank) {
  const std::optional<support::Processors> allowed = support::Processors::ofThread();
  if (!allowed) return;
  const int mine = segment_->rank(rank).processor.load(std::memory_order_relaxed) - 1;
  int lower = 0, here = 0;  // ranks on the same processor; on any that this one may use
  struct Crowd {            // one memory for all calls
    std::vector<int> byProcessor;
  };
  auto& crowd = support::PerThread<Crowd>::get().byProcessor;
  crowd.assign(CPU_SETSIZE, 0);
  for (int other = 0; other < ranks(); ++other) {
    const int processor = segment_->rank(other).processor.load(std::memory_order_relaxed) - 1;
    if (processor < 0 || !allowed->has(processor)) continue;
    ++here;
    ++crowd[processor];
    lower += processor == mine && other < rank;
  }
  const int share = (here + allowed->count() - 1) / allowed->count();
  if (lower < share) return;
  int emptiest = mine;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (allowed->has(processor) && crowd[processor] < crowd[emptiest]) emptiest = processor;
  }
  if (emptiest != mine) allowed->moveTo(emptiest);
}

}  // namespace musashim::mccl
