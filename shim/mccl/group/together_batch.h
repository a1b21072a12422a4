// One group's work of all ranks of a communicator, run by whoever runs the first rank's stream.
#pragma once

#include <musa_runtime_api.h>

#include <atomic>
#include <optional>
#include <vector>

#include "mccl/group/all_ranks.h"
#include "mccl/group/work.h"

namespace musashim::mccl {

class TogetherBatch {
 public:
  // Takes the works' tasks, with the transfers' matches. `isFirst`: they wait for nothing.
  static mcclResult_t launch(WorkOfAll& all, bool isFirst);

 private:
  explicit TogetherBatch(WorkOfAll& all);

  // On every stream but the first: its rank has come.
  static void arrive(musaStream_t stream, musaError_t status, void* data);
  // On the first stream, behind all others; frees the batch.
  static void run(musaStream_t stream, musaError_t status, void* data);
  void noteStatus(musaError_t status);

  std::vector<Work> works_;             // by rank
  std::vector<Work*> all_;              // these
  std::vector<TransferMatch> matches_;  // of their transfers
  std::optional<TurnOfAll> turn_;
  std::atomic<int> status_{musaSuccess};
};

}  // namespace musashim::mccl
