// Work that is done before the call returns, because queuing it would take longer.
//
// When all ranks of a communicator are in a group, and nothing is queued that their work had to wait for,
// then a stream that is fast enough would have done the work by now: nobody can tell the difference. So
// little of it is done by the caller; a kernel or a copy that is queued behind it comes later anyway.
#pragma once

#include "mccl/group/work.h"

namespace musashim::mccl {

// Whether all ranks' streams are idle, so that the work had to wait for nothing.
bool waitsForNothing(const WorkOfAll& all);

// Does such work if it is small. False when nothing was done.
bool runAtOnce(const WorkOfAll& all);

}  // namespace musashim::mccl
