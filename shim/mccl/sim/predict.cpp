#include "mccl/sim/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mccl/core/log.h"
#include "mccl/hosts/choice.h"

namespace musashim::mccl::sim {
namespace {

double timeOfHops(const Hops& hops, const HopCosts& costs) {
  return hops.nvlink * costs.nvlink + hops.pci * costs.pci + hops.net * costs.net + hops.latency;
}

// LL128 needs the writes of a GPU to arrive in order, 128 bytes at a time: NVLink's do.
bool canLL128(const Cluster& cluster, Way way) {
  const topology::Graph& graph = way == Way::kTree ? cluster.tree() : cluster.ring();
  return cluster.devices() == 1 || graph.typeIntra <= topology::PathType::kNvb;
}

double timeWith(const Plan& plan, double bytes, Protocol protocol, const Pipeline& pipeline) {
  const ProtocolCosts& costs = kProtocolCosts[static_cast<size_t>(protocol)];
  const bool isTree = plan.way == Way::kTree;
  const double efficiency = costs.bandwidth * (isTree ? kTreeBandwidth : 1);
  double slowest = 0;
  const double share = bytes / static_cast<double>(plan.lanes.size());
  for (size_t i = 0; i < plan.lanes.size(); ++i) {
    const Lane& lane = plan.lanes[i];
    double rate = plan.rates[i] * 1e3 * efficiency;  // bytes a microsecond
    // No more than the messages that may be under way, each until the other end has told that it has it.
    if (lane.farthest > 0 && plan.way != Way::kDirect)
      rate = std::min(rate, static_cast<double>(pipeline.window * pipeline.piece) / (2 * lane.farthest));
    const double piece = std::min(share, static_cast<double>(pipeline.piece));
    const HopCosts& hops = isTree ? costs.tree : costs.ring;
    slowest = std::max(slowest, timeOfHops(lane.path, hops) +
                                    (share * plan.volume + plan.fill * piece / plan.phases) / rate);
  }
  return (isTree ? costs.treeBase : costs.ringBase) + slowest;
}

}  // namespace

Prediction timeOf(const Cluster& cluster, const Plan& plan, size_t bytes, std::optional<Protocol> protocol,
                  const Pipeline& pipeline) {
  Prediction best;
  best.way = plan.way;
  bool isFirst = true;
  for (const Protocol one : kProtocols) {
    if (protocol ? one != *protocol : one == Protocol::kLL128 && !canLL128(cluster, plan.way)) continue;
    const double time = timeWith(plan, static_cast<double>(bytes), one, pipeline);
    if (!isFirst && time >= best.microseconds) continue;
    isFirst = false;
    best.microseconds = time;
    best.protocol = one;
  }
  best.microseconds += plan.messages * cluster.fabric().messageGap();
  return best;
}

mcclResult_t Simulator::planFor(CollectiveKind kind, Way way, const Plan*& plan) {
  const auto [place, isNew] = plans_.try_emplace({kind, way});
  if (isNew) {
    if (const mcclResult_t result = makePlan(cluster_, kind, way, place->second); result != mcclSuccess) {
      plans_.erase(place);
      return result;
    }
  }
  plan = &place->second;
  lost_ = std::max(lost_, plan->lost);
  return mcclSuccess;
}

// Between hosts by the comparison that libmccl makes, with this cluster's figures; in one host, where libmccl
// has no choice to make, whatever takes the least time.
mcclResult_t Simulator::choose(CollectiveKind kind, size_t bytes, std::optional<Protocol> protocol,
                               Way& way) {
  if (kind == CollectiveKind::kAllToAll) {
    way = Way::kDirect;
    return mcclSuccess;
  }
  const Plan* ring = nullptr;
  MCCL_RETURN_IF_ERROR(planFor(kind, Way::kRing, ring));
  way = Way::kRing;
  if (cluster_.hosts() == 1) {
    const Plan* direct = nullptr;
    MCCL_RETURN_IF_ERROR(planFor(kind, Way::kDirect, direct));
    const auto time = [&](const Plan& plan) {
      return timeOf(cluster_, plan, bytes, protocol, pipeline_).microseconds;
    };
    if (time(*direct) < time(*ring)) way = Way::kDirect;
    return mcclSuccess;
  }
  const bool isPerRank = kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
  Crossing crossing;
  crossing.kind = kind;
  crossing.hosts = cluster_.hosts();
  crossing.each = isPerRank ? bytes / static_cast<size_t>(crossing.hosts) : bytes;
  const HopCosts& hops = kProtocolCosts[static_cast<size_t>(Protocol::kSimple)].ring;
  crossing.fabric.latencyUs = hops.net + ring->lanes.front().farthest;
  crossing.fabric.bytesPerUs = std::accumulate(ring->rates.begin(), ring->rates.end(), 0.0) * 1e3;
  way = leastTime(crossing);
  return mcclSuccess;
}

mcclResult_t Simulator::predict(CollectiveKind kind, size_t bytes, std::optional<Way> way,
                                std::optional<Protocol> protocol, Prediction& prediction) {
  Way chosen = way.value_or(Way::kRing);
  if (!way) {
    MCCL_RETURN_IF_ERROR(choose(kind, bytes, protocol, chosen));
  }
  const Plan* plan = nullptr;
  MCCL_RETURN_IF_ERROR(planFor(kind, chosen, plan));
  prediction = timeOf(cluster_, *plan, bytes, protocol, pipeline_);
  return mcclSuccess;
}

double busFactor(CollectiveKind kind, int ranks) {
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::kReduce:
    case CollectiveKind::kBroadcast:
      return 1;
    default:
      return (n - 1) / n;
  }
}

}  // namespace musashim::mccl::sim
