#include "mccl/hosts/choice.h"

#include <algorithm>
#include <bit>

#include "mccl/core/data_type.h"
#include "mccl/core/settings.h"
#include "mccl/engine/algorithm.h"

namespace musashim::mccl {
namespace {

// Of TCP between hosts, for the comparison alone.
constexpr double kLatencyUs = 30;
constexpr double kBytesPerUs = 1200;
constexpr size_t kMostDirect = 64 << 10;  // bytes that a host sends to each other
constexpr int kMostDirectHosts = 16;

}  // namespace

Way chooseWay(const CollectiveTask& task, const HostMap& hosts, int) {
  const bool isForced = !settings().algorithm.empty();
  if (isForced && chosenAlgorithm() == Algorithm::kTree && task.kind == CollectiveKind::kAllReduce) {
    return Way::kTree;
  }
  if (isForced && chosenAlgorithm() == Algorithm::kRing) return Way::kRing;
  if (task.kind == CollectiveKind::kAllToAll) return Way::kDirect;
  const double count = hosts.count();
  size_t most = 0;
  for (int host = 0; host < hosts.count(); ++host) most = std::max(most, hosts.at(host).ranks.size());
  const size_t block = task.count * elementSize(task.type);
  const bool isPerRank =
      task.kind == CollectiveKind::kAllGather || task.kind == CollectiveKind::kReduceScatter;
  const size_t each = isPerRank ? block * most : block;
  if (hosts.count() <= kMostDirectHosts && each <= kMostDirect) return Way::kDirect;
  const double bytes = static_cast<double>(each), depth = std::bit_width(static_cast<unsigned>(count));
  const auto cost = [&](double steps, double traffic) { return steps * kLatencyUs + traffic / kBytesPerUs; };
  switch (task.kind) {
    case CollectiveKind::kAllReduce:
      return cost(2 * depth, 2 * bytes) < cost(2 * (count - 1), 2 * bytes * (count - 1) / count) ? Way::kTree
                                                                                                 : Way::kRing;
    case CollectiveKind::kReduce:
    case CollectiveKind::kBroadcast:
      return cost(depth, 2 * bytes) < cost(count - 1, bytes) ? Way::kTree : Way::kRing;
    default:
      return Way::kRing;
  }
}

}  // namespace musashim::mccl
