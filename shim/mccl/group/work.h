// What a group holds for one rank.
#pragma once

#include <musa_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mccl/comm/member.h"
#include "mccl/engine/task.h"
#include "mccl/engine/transfer_match.h"

namespace musashim::mccl {

struct Work {
  std::shared_ptr<Member> member;
  std::vector<musaStream_t> streams;
  std::vector<CollectiveTask> collectives;
  std::vector<TransferTask> transfers;
  uint64_t turn = 0;  // the member's number of it; see TurnOfAll

  // Empty again; keeps its memory.
  void clear() {
    member.reset();
    streams.clear();
    collectives.clear();
    transfers.clear();
  }
};

// The work of all ranks of a communicator, by rank, all of this process; and which of their sends meet which
// receives.
struct WorkOfAll {
  std::span<Work* const> works;
  std::vector<TransferMatch> matches;
};

}  // namespace musashim::mccl
