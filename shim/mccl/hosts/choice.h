// Which way a collective between hosts goes.
#pragma once

#include "mccl/hosts/schedule.h"

namespace musashim::mccl {

// What takes the least time: a message costs its latency, bytes the bandwidth of the host's connections.
// Everything that it depends on.
struct Crossing {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  int hosts = 2;
  size_t each = 0;  // bytes that a host gives or gets
  // A message's latency, and what goes in and out of a host. Of TCP, for the comparison alone.
  double latencyUs = 30, bytesPerUs = 1200;
};
Way leastTime(const Crossing& crossing);

// What MCCL_ALGO says, or else what takes the least time. All hosts come to the same.
Way chooseWay(const CollectiveTask& task, const HostMap& hosts);

}  // namespace musashim::mccl
