#include "mccl/sim/plan.h"

#include "mccl/core/log.h"

namespace musashim::mccl::sim {

Hops& Hops::operator+=(const Hops& other) {
  nvlink += other.nvlink;
  pci += other.pci;
  net += other.net;
  latency += other.latency;
  return *this;
}
Hops operator*(const Hops& hops, double times) {
  return {hops.nvlink * times, hops.pci * times, hops.net * times, hops.latency * times};
}

Hops stepInside(const topology::Path& path) {
  if (path.type <= topology::PathType::kC2c) return {.nvlink = 1};
  return {.pci = 1};
}
Hops stepBetween(const Cluster& cluster, size_t net, double fabricLatency) {
  const topology::Machine& machine = cluster.machine();
  return {.net = 1, .latency = machine.node(machine.nets()[net]).latency + fabricLatency};
}

void setRates(const Cluster& cluster, size_t classes, Plan& plan) {
  std::vector<double> bandwidth;
  for (size_t i = 0; i < classes; ++i) {
    for (const topology::Link& link : cluster.machine().links()) bandwidth.push_back(link.bandwidth);
  }
  const std::vector<double>& fabric = cluster.fabric().bandwidth();
  bandwidth.insert(bandwidth.end(), fabric.begin(), fabric.end());
  std::vector<Flow> flows;
  flows.reserve(plan.lanes.size());
  for (Lane& lane : plan.lanes) flows.push_back(std::move(lane.flow));
  plan.rates = maxMinRates(flows, bandwidth);
  for (size_t i = 0; i < flows.size(); ++i) plan.lanes[i].flow = std::move(flows[i]);
}

mcclResult_t makePlan(const Cluster& cluster, CollectiveKind kind, Way way, Plan& plan) {
  plan = {};
  plan.way = way;
  if (kind == CollectiveKind::kAllToAll && way != Way::kDirect)
    return fail(mcclInvalidUsage, "AlltoAll goes directly, not by a {}", wayName(way));
  switch (way) {
    case Way::kRing:
      MCCL_RETURN_IF_ERROR(planRing(cluster, kind, plan));
      break;
    case Way::kTree:
      MCCL_RETURN_IF_ERROR(planTree(cluster, kind, plan));
      break;
    case Way::kDirect:
      MCCL_RETURN_IF_ERROR(planDirect(cluster, kind, plan));
      break;
  }
  if (plan.lanes.empty()) {
    return fail(mcclInvalidUsage, "dead links leave no {} for {}", wayName(way), collectiveName(kind));
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl::sim
