// One group's work of one rank, as a function on its stream.
#pragma once

#include <musa_runtime_api.h>

#include <memory>
#include <vector>

#include "mccl/comm/member.h"
#include "mccl/engine/task.h"

namespace musashim::mccl {

class Batch {
 public:
  // Takes the member's next number: queue batches in the order of their making.
  Batch(std::shared_ptr<Member> member, std::vector<CollectiveTask> collectives,
        std::vector<TransferTask> transfers)
      : member_(std::move(member)),
        index_(member_->enqueueWork()),
        collectives_(std::move(collectives)),
        transfers_(std::move(transfers)) {}

  // The stream's callback; `data` is the batch, which it frees. On a faulted device the
  // other ranks are freed with mcclUnhandledMusaError instead of waiting for ever.
  static void run(musaStream_t stream, musaError_t status, void* data);

 private:
  void runAll();

  std::shared_ptr<Member> member_;
  uint64_t index_;
  std::vector<CollectiveTask> collectives_;
  std::vector<TransferTask> transfers_;
};

}  // namespace musashim::mccl
