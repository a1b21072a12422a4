#include "mccl/group/all_ranks.h"

#include <mutex>

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
  turns_.reserve(works.size());
  for (Work* work : works_) turns_.push_back(work->member->enqueueWork());
}

TurnOfAll::~TurnOfAll() {
  for (size_t rank = 0; rank < works_.size(); ++rank) works_[rank]->member->finishWork(turns_[rank]);
}

void TurnOfAll::run(std::span<const TransferMatch> matches) {
  for (size_t rank = 0; rank < works_.size(); ++rank) {
    if (!works_[rank]->member->awaitTurn(turns_[rank])) return;
  }
  const RunningScope running(works_);
  Clique& clique = works_.front()->member->clique();
  std::vector<const CollectiveTask*> tasks(works_.size());
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
