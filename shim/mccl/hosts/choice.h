// Which way a collective between hosts goes.
#pragma once

#include "mccl/hosts/schedule.h"

namespace musashim::mccl {

inline constexpr double kUsualLatencyUs = 30;  // of a message over TCP, with all that hosts do for it

// What hosts have between them: how many channels, a message's latency, and what goes in and out of a host.
struct Fabric {
  int channels = 1;
  double latencyUs = kUsualLatencyUs, bytesPerUs = 1200;
};

// What takes the least time: a message costs its latency, bytes the bandwidth of the host's connections.
// Everything that it depends on.
struct Crossing {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  int hosts = 2;
  size_t each = 0;  // bytes that a host gives or gets
  Fabric fabric = {};
};
Way leastTime(const Crossing& crossing);

// What MCCL_ALGO says, or else what takes the least time. All hosts come to the same.
Way chooseWay(const CollectiveTask& task, const HostMap& hosts, const Fabric& fabric);

}  // namespace musashim::mccl
