// A rank goes to the process that made its unique id.
#pragma once

#include <memory>

#include "mccl/bootstrap/unique_id.h"
#include "mccl/comm/member.h"

namespace musashim::mccl {

// The communicator among those of a meeting, and the place in it; as in a split.
struct JoinSeat {
  int color = 0;
  int key = 0;
};

// Blocks until all ranks have come; then `member` is admitted, or rejected with the reason.
// Gives up when the member is cancelled.
void joinRemote(const IdContent& id, int ranks, int rank, const JoinSeat& seat,
                const std::shared_ptr<Member>& member);

}  // namespace musashim::mccl
