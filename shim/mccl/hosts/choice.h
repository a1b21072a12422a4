// Which way a collective between hosts goes.
#pragma once

#include "mccl/hosts/schedule.h"

namespace musashim::mccl {

// What MCCL_ALGO says, or else what takes the least time: a message costs its latency, bytes the bandwidth of
// the host's connections. All hosts come to the same.
Way chooseWay(const CollectiveTask& task, const HostMap& hosts, int ranks);

}  // namespace musashim::mccl
