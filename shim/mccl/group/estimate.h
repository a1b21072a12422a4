// How long a group's work will take: NCCL's model of time = latency + bytes / bandwidth, with
// what emulated devices in one machine's memory show.
#pragma once

#include "mccl/group/work.h"

namespace musashim::mccl {

// Microseconds.
float estimate(const Work& work);

// Bytes that are read and written: for all ranks by their collectives, and by the messages of one.
float trafficOf(const Work& work);

// Bytes that the work of all ranks reads and writes.
float trafficOf(const WorkOfAll& all);

}  // namespace musashim::mccl
