// A rank goes to the process that made its unique id.
#pragma once

#include <memory>

#include "mccl/bootstrap/unique_id.h"
#include "mccl/comm/member.h"

namespace musashim::mccl {

// Blocks until all ranks have come; then `member` is admitted, or rejected with the reason.
// Gives up when the member is cancelled.
void joinRemote(const IdContent& id, int ranks, int rank, const std::shared_ptr<Member>& member);

}  // namespace musashim::mccl
