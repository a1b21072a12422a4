// Unique ids, and the meetings that they name. Ids are valid inside the process that made
// them; the seam for other processes is meetingOf(), which would connect to the maker.
#pragma once

#include <memory>

#include "mccl.h"
#include "mccl/comm/meeting.h"

namespace musashim::mccl {

mcclResult_t makeUniqueId(mcclUniqueId& id);

// The meeting of `ranks` ranks that `id` names. mcclInvalidArgument: not an id;
// mcclInvalidUsage: of another process, already used, or joined with another number of ranks.
mcclResult_t meetingOf(const mcclUniqueId& id, int ranks, std::shared_ptr<Meeting>& meeting);

}  // namespace musashim::mccl
