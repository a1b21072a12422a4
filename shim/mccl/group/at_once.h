// Work that is done before the call returns, because queuing it would take longer.
//
// All ranks in one group.
// When all ranks of a communicator are in a group, and nothing is queued that their work had to wait for,
// then a stream that is fast enough would have done the work by now: nobody can tell the difference. So
// little of it is done by the caller; a kernel or a copy that is queued behind it comes later anyway.
//
// One rank alone. Its work is begun by the caller, which waits for the other ranks a little: about as long as
// it takes to wake threads for all of them. Ranks that come together, as they mostly do, need no thread of a
// stream. If one is missing by then, the stream goes on with the work, and calls that follow do not wait for
// a while.
#pragma once

#include "mccl/engine/wait_point.h"
#include "mccl/group/work.h"

namespace musashim::mccl {

// Whether all ranks' streams are idle, so that the work had to wait for nothing.
bool waitsForNothing(const WorkOfAll& all);

// Does such work if it is small. False when nothing was done.
bool runAtOnce(const WorkOfAll& all);

// Whether the caller should begin the work of one rank. Waits a little for the rank's own earlier work,
// unless that waits for another rank: else, once some is queued, all that follows would be.
bool mayBeginAtOnce(const Work& work);

// When who calls now stops waiting for the other ranks; `queued` calls have to be done first.
Clock::time_point endOfPatience(Member& member, uint64_t queued = 0);

// The work is about to be queued: later work on the same buffers may be done at once.
void noteWritten(const Work& work);

}  // namespace musashim::mccl
