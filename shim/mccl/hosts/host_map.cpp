#include "mccl/hosts/host_map.h"

#include <algorithm>

namespace musashim::mccl {

HostMap::HostMap(const Roster& roster) {
  for (size_t rank = 0; rank < roster.ranks.size(); ++rank) {
    const RankInfo& info = roster.ranks[rank];
    auto host = std::ranges::find(hosts_, info.machine, &Host::machine);
    if (host == hosts_.end()) host = hosts_.insert(host, {info.machine, info.host, {}});
    host->ranks.push_back(static_cast<int>(rank));
    hostOf_.push_back(static_cast<int>(host - hosts_.begin()));
  }
  const auto own = std::ranges::find(hosts_, machineToken(), &Host::machine);
  own_ = static_cast<int>(own - hosts_.begin());
}

}  // namespace musashim::mccl
