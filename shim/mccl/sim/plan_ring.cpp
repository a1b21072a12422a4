// Rings over all ranks: a channel goes through a host's GPUs in its order, then to the next host.
#include <algorithm>

#include "mccl/core/log.h"
#include "mccl/sim/plan.h"

namespace musashim::mccl::sim {
namespace {

double costOf(const Hops& step) { return step.latency + 3.4 * step.nvlink + 5.7 * step.pci + 14 * step.net; }

struct Sum {
  Hops all, least;
  bool isFirst = true;
  void add(const Hops& step, double times) {
    all += step * times;
    if (isFirst || costOf(step) < costOf(least)) least = step;
    isFirst = false;
  }
};

}  // namespace

mcclResult_t planRing(const Cluster& cluster, CollectiveKind kind, Plan& plan) {
  const topology::Graph& graph = cluster.ring();
  const topology::Paths& paths = cluster.paths();
  const int hosts = cluster.hosts();
  const double ranks = cluster.ranks();
  if (graph.channels.empty()) return fail(mcclInvalidUsage, "no ring goes through this machine");
  const auto fabricBegin = static_cast<uint32_t>(cluster.machine().links().size());
  UseCounter counter(fabricBegin + cluster.fabric().bandwidth().size());
  std::vector<Share> shares;
  for (const topology::Channel& channel : graph.channels) {
    Lane lane;
    Sum sum;
    const auto use = [&](const topology::Path& path) {
      for (const int link : path.links) counter.add(static_cast<uint32_t>(link), 1);
    };
    const size_t devices = channel.gpus.size();
    const size_t inside = hosts > 1 ? devices - 1 : devices;
    for (size_t i = 0; i < inside && devices > 1; ++i) {
      const topology::Path& path =
          paths.between(cluster.gpuPlace(channel.gpus[i]), cluster.gpuPlace(channel.gpus[(i + 1) % devices]));
      use(path);
      sum.add(stepInside(path), hosts);
    }
    bool isWhole = true;
    if (hosts > 1) {
      const size_t in = cluster.netPlace(channel.netIn), out = cluster.netPlace(channel.netOut);
      use(paths.toNet(cluster.gpuPlace(channel.gpus.back()), out));
      use(paths.fromNet(in, cluster.gpuPlace(channel.gpus.front())));
      for (int host = 0; host < hosts && isWhole; ++host) {
        double latency = 0;
        isWhole = cluster.fabric().route(cluster.fabric().port(host, static_cast<int>(out)),
                                         cluster.fabric().port((host + 1) % hosts, static_cast<int>(in)),
                                         shares, latency);
        for (const Share share : shares) counter.add(fabricBegin + share.link, share.part);
        const Hops step = stepBetween(cluster, out, latency);
        sum.add(step, 1);
        lane.farthest = std::max(lane.farthest, step.latency);
      }
    }
    lane.flow = counter.take();
    if (!isWhole) {
      ++plan.lost;
      continue;
    }
    // A piece comes to every rank once; in an all-reduce twice. The nearest step is spared.
    lane.path = sum.all;
    lane.path += sum.least * -1;
    if (kind == CollectiveKind::kAllReduce) lane.path = lane.path * 2;
    plan.lanes.push_back(std::move(lane));
  }
  const bool isChain = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
  plan.volume = isChain ? 1 : (kind == CollectiveKind::kAllReduce ? 2 : 1) * (ranks - 1) / ranks;
  plan.fill = isChain ? ranks - 2 : 0;
  plan.phases = kind == CollectiveKind::kAllReduce ? 2 : 1;
  setRates(cluster, 1, plan);
  return mcclSuccess;
}

}  // namespace musashim::mccl::sim
