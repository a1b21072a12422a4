// How a group's work gets onto the ranks' streams.
//
// A rank's work is a function on its stream that lets the rank meet the others (Batch). When
// a group holds the work of all ranks of a communicator, none has to meet: one rank's stream
// waits for the others' streams, runs everybody's work, and the others wait for it
// (TogetherBatch). No thread is woken for that: whoever waits for a stream runs it.
#pragma once

#include <span>
#include <vector>

#include "mccl/group/work.h"

namespace musashim::mccl {

// Rules that calls of one group must keep.
mcclResult_t checkAll(std::span<const Work> works);

// Checks, and queues all. Takes the tasks out of `works`.
mcclResult_t launchAll(std::vector<Work>& works);

}  // namespace musashim::mccl
