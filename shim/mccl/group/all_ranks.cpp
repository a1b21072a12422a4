#include "mccl/group/all_ranks.h"

#include <mutex>
#include <vector>

#include "mccl/runtime/driver_calls.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

class RunningScope {
 public:
  explicit RunningScope(std::span<Work* const> works) : works_(works) {
    for (Work* work : works_) work->member->running().lock();
  }
  ~RunningScope() {
    for (Work* work : works_) work->member->running().unlock();
  }
  RunningScope(const RunningScope&) = delete;
  RunningScope& operator=(const RunningScope&) = delete;

 private:
  std::span<Work* const> works_;
};

}  // namespace

TurnOfAll::TurnOfAll(std::span<Work* const> works) : works_(works) {
  for (Work* work : works_) work->turn = work->member->enqueueWork();
}

TurnOfAll::~TurnOfAll() {
  for (Work* work : works_) work->member->finishWork(work->turn);
}

void TurnOfAll::run(std::span<const TransferMatch> matches) {
  for (Work* work : works_) {
    if (!work->member->awaitTurn(work->turn)) return;
  }
  const RunningScope running(works_);
  const MemoryAccess access;
  Clique& clique = works_.front()->member->clique();
  struct Tasks {  // one memory for all calls
    std::vector<const CollectiveTask*> ofRanks;
  };
  auto& tasks = support::PerThread<Tasks>::get().ofRanks;
  tasks.resize(works_.size());
  for (size_t i = 0; i < works_.front()->collectives.size(); ++i) {
    for (size_t rank = 0; rank < works_.size(); ++rank) {
      tasks[rank] = &works_[rank]->collectives[i];
      (void)works_[rank]->member->nextCollective();  // slots of the segment go by number
    }
    clique.runTogether(tasks);
  }
  if (!matches.empty()) clique.runTogether(matches);
}

}  // namespace musashim::mccl
