#include "mccl/group/batch.h"

#include <fmt/core.h>

namespace musashim::mccl {

void Batch::run(musaStream_t, musaError_t status, void* data) {
  const std::unique_ptr<Batch> batch(static_cast<Batch*>(data));
  Member& member = *batch->member_;
  if (status != musaSuccess) {
    member.clique().fail(mcclUnhandledMusaError,
                         fmt::format("device {} of rank {} has failed with error {}", member.device(),
                                     member.rank(), static_cast<int>(status)));
  } else if (member.awaitTurn(batch->index_)) {
    batch->runAll();
  }
  member.finishWork(batch->index_);
}

void Batch::runAll() {
  Clique& clique = member_->clique();
  for (const CollectiveTask& task : collectives_) {
    clique.runCollective(member_->rank(), member_->nextCollective(), task);
  }
  if (!transfers_.empty()) clique.runTransfers(member_->rank(), transfers_);
}

}  // namespace musashim::mccl
