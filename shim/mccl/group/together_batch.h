// One group's work of all ranks of a communicator, run by whoever runs the first rank's stream.
#pragma once

#include <musa_runtime_api.h>

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "mccl/group/work.h"

namespace musashim::mccl {

class TogetherBatch {
 public:
  // `works`: one per rank of a communicator whose ranks are all of this process. Takes their tasks, with
  // the transfers' matches.
  static mcclResult_t launch(std::span<Work*> works, std::vector<TransferMatch> matches);

 private:
  struct Part {
    std::shared_ptr<Member> member;
    uint64_t index;
    std::vector<CollectiveTask> collectives;
    std::vector<TransferTask> transfers;
  };

  TogetherBatch(std::span<Work*> works, std::vector<TransferMatch> matches);

  // On every stream but the first: its rank has come.
  static void arrive(musaStream_t stream, musaError_t status, void* data);
  // On the first stream, behind all others; frees the batch.
  static void run(musaStream_t stream, musaError_t status, void* data);
  void runAll(Clique& clique);
  void noteStatus(musaError_t status);

  std::vector<Part> parts_;             // by rank
  std::vector<TransferMatch> matches_;  // of their transfers
  std::atomic<int> status_{musaSuccess};
};

}  // namespace musashim::mccl
