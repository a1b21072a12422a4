#include "mccl/hosts/choice.h"

#include <algorithm>
#include <bit>

#include "mccl/core/data_type.h"
#include "mccl/core/settings.h"
#include "mccl/engine/algorithm.h"

namespace musashim::mccl {
namespace {

constexpr double kMostDirect = 64 << 10;  // bytes that a host sends to each other, at the usual latency
constexpr double kMostDirectEver = 512 << 10;
constexpr int kMostDirectHosts = 16;

}  // namespace

Way leastTime(const Crossing& crossing) {
  if (crossing.kind == CollectiveKind::kAllToAll) return Way::kDirect;
  const double count = crossing.hosts, bytes = static_cast<double>(crossing.each);
  // A direct way has one step, and more to send and to reduce: the longer a step takes, the more it is worth,
  // as long as what all hosts send together is no matter.
  const double worth = kMostDirect * std::max(1.0, crossing.fabric.latencyUs / kUsualLatencyUs);
  const double mostDirect = std::min(worth, kMostDirectEver);
  if (crossing.hosts <= kMostDirectHosts && bytes <= mostDirect) return Way::kDirect;
  // From a tree's root to its lowest leaf: treePlace().
  const double depth = std::bit_width(static_cast<unsigned>(crossing.hosts)) - 1;
  const auto cost = [&](double steps, double traffic) {
    return steps * crossing.fabric.latencyUs + traffic / crossing.fabric.bytesPerUs;
  };
  switch (crossing.kind) {
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

Way chooseWay(const CollectiveTask& task, const HostMap& hosts, const Fabric& fabric) {
  const bool isForced = !settings().algorithm.empty();
  if (isForced && chosenAlgorithm() == Algorithm::kTree && task.kind == CollectiveKind::kAllReduce) {
    return Way::kTree;
  }
  if (isForced && chosenAlgorithm() == Algorithm::kRing) return Way::kRing;
  size_t most = 0;
  for (int host = 0; host < hosts.count(); ++host) most = std::max(most, hosts.at(host).ranks.size());
  const size_t block = task.count * elementSize(task.type);
  const bool isPerRank =
      task.kind == CollectiveKind::kAllGather || task.kind == CollectiveKind::kReduceScatter;
  return leastTime({task.kind, hosts.count(), isPerRank ? block * most : block, fabric});
}

}  // namespace musashim::mccl
