// How long a group's work will take: NCCL's model of time = latency + bytes / bandwidth, with
// what emulated devices in one machine's memory show.
#pragma once

#include "mccl/group/work.h"

namespace musashim::mccl {

// Microseconds.
float estimate(const Work& work);

}  // namespace musashim::mccl
