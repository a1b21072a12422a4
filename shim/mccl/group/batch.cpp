#include "mccl/group/batch.h"

#include <fmt/core.h>

#include <mutex>

namespace musashim::mccl {

void Batch::run(musaStream_t, musaError_t status, void* data) {
  const std::unique_ptr<Batch> held(static_cast<Batch*>(data));
  Batch& batch = *held;
  Member& member = *batch.member_;
  if (status != musaSuccess) {
    member.clique().fail(mcclUnhandledMusaError,
                         fmt::format("device {} of rank {} has failed with error {}", member.device(),
                                     member.rank(), static_cast<int>(status)));
  } else if (member.awaitTurn(batch.index_)) {
    batch.runAll(member);
  }
  member.finishWork(batch.index_);
}

void Batch::replay(void* data) {
  Batch& batch = *static_cast<Batch*>(data);
  if (const std::shared_ptr<Member> member = batch.capturedMember_.lock()) batch.runAll(*member);
}

void Batch::runAll(Member& member) {
  const std::lock_guard running(member.running());
  Clique& clique = member.clique();
  if (clique.stopped()) return;
  staging_.fill();
  for (const CollectiveTask& task : collectives_) {
    clique.runCollective(member.rank(), member.nextCollective(), task);
  }
  if (!transfers_.empty()) clique.runTransfers(member.rank(), transfers_);
  if (!clique.stopped()) staging_.drain();
}

}  // namespace musashim::mccl
