// Without rings and trees. Inside a host, and in an all-to-all, every rank sends to those that need its data.
// Between hosts the others go as libmccl's: a host's first GPU collects what its ranks give, exchanges it
// with the first GPUs of other hosts, and spreads what has come.
#include <algorithm>
#include <cmath>

#include "mccl/core/log.h"
#include "mccl/sim/plan.h"

namespace musashim::mccl::sim {
namespace {

// Hosts play one of two parts: that of the root, and that of all others. Without a root all play the second.
class DirectPlan {
 public:
  explicit DirectPlan(const Cluster& cluster)
      : cluster_(cluster),
        machineLinks_(static_cast<uint32_t>(cluster.machine().links().size())),
        devices_(static_cast<size_t>(cluster.devices())),
        counter_(2 * machineLinks_ + cluster.fabric().bandwidth().size()) {}

  void eachToEach() {
    for (size_t gpu = 0; gpu < devices_; ++gpu) {
      for (size_t other = 0; other < devices_; ++other) {
        if (other != gpu) inside(1, gpu, other, 1);
      }
    }
  }

  // `collected` of each GPU to the first one of its host, `spread` back.
  void atFirst(uint32_t part, double collected, double spread) {
    Hops step;
    for (size_t gpu = 1; gpu < devices_; ++gpu) {
      if (collected > 0) inside(part, gpu, 0, collected);
      if (spread > 0) inside(part, 0, gpu, spread);
      step = stepInside(cluster_.paths().between(gpu, 0));
    }
    path_ += step * ((collected > 0 ? 1 : 0) + (spread > 0 ? 1 : 0));
  }

  // GPUs of the host to those of all others, `times` for each two of them.
  bool betweenAll(size_t gpus, double times, double& messages) {
    std::vector<double> weight(cluster_.machine().nets().size());
    const double others = static_cast<double>(gpus) * (cluster_.hosts() - 1);
    for (size_t gpu = 0; gpu < gpus; ++gpu) {
      const size_t net = cluster_.nearestNet(gpu);
      use(1, cluster_.paths().toNet(gpu, net), others * times);
      use(1, cluster_.paths().fromNet(net, gpu), others * times);
      weight[net] += std::sqrt(times);
    }
    messages = others * *std::ranges::max_element(weight);
    std::vector<double> load(cluster_.fabric().bandwidth().size());
    if (!cluster_.fabric().addAllToAll(weight, load)) return false;
    for (uint32_t link = 0; link < load.size(); ++link) {
      if (load[link] > 0) counter_.add(2 * machineLinks_ + link, load[link]);
    }
    // The last host is as far as any.
    const auto net = static_cast<int>(cluster_.nearestNet(0));
    const Fabric& fabric = cluster_.fabric();
    double latency = 0;
    if (!fabric.route(fabric.port(0, net), fabric.port(cluster_.hosts() - 1, net), shares_, latency))
      return false;
    path_ += stepBetween(cluster_, static_cast<size_t>(net), latency);
    return true;
  }

  // The first GPU of host 0 to those of all others, or back.
  bool betweenRootAndAll(bool isFromRoot, double& messages) {
    const Fabric& fabric = cluster_.fabric();
    const topology::Paths& paths = cluster_.paths();
    const size_t net = cluster_.nearestNet(0);
    messages = cluster_.hosts() - 1;
    use(0, isFromRoot ? paths.toNet(0, net) : paths.fromNet(net, 0), messages);
    use(1, isFromRoot ? paths.fromNet(net, 0) : paths.toNet(0, net), 1);
    double farthest = 0;
    for (int host = 1; host < cluster_.hosts(); ++host) {
      int from = fabric.port(0, static_cast<int>(net)), to = fabric.port(host, static_cast<int>(net));
      if (!isFromRoot) std::swap(from, to);
      double latency = 0;
      if (!fabric.route(from, to, shares_, latency)) return false;
      for (const Share share : shares_) counter_.add(2 * machineLinks_ + share.link, share.part);
      farthest = std::max(farthest, latency);
    }
    path_ += stepBetween(cluster_, net, farthest);
    return true;
  }

  Lane take() { return {counter_.take(), path_, path_.latency}; }
  void step(const Hops& hops) { path_ += hops; }

 private:
  void use(uint32_t part, const topology::Path& path, double times) {
    for (const int link : path.links) counter_.add(part * machineLinks_ + static_cast<uint32_t>(link), times);
  }
  void inside(uint32_t part, size_t from, size_t to, double times) {
    use(part, cluster_.paths().between(from, to), times);
  }

  const Cluster& cluster_;
  const uint32_t machineLinks_;
  const size_t devices_;
  UseCounter counter_;
  std::vector<Share> shares_;
  Hops path_;
};

bool planBetween(const Cluster& cluster, CollectiveKind kind, DirectPlan& direct, double& messages) {
  const double devices = cluster.devices(), ranks = cluster.ranks();
  switch (kind) {
    case CollectiveKind::kAllToAll:
      direct.eachToEach();
      return direct.betweenAll(static_cast<size_t>(cluster.devices()), 1, messages);
    case CollectiveKind::kAllReduce:
      direct.atFirst(1, 1, 1);
      return direct.betweenAll(1, 1, messages);
    case CollectiveKind::kAllGather:
      direct.atFirst(1, 1, ranks - 1);
      return direct.betweenAll(1, devices, messages);
    case CollectiveKind::kReduceScatter:
      direct.atFirst(1, ranks - 1, 1);
      return direct.betweenAll(1, devices, messages);
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce: {
      const bool isFromRoot = kind == CollectiveKind::kBroadcast;
      direct.atFirst(1, isFromRoot ? 0 : 1, isFromRoot ? 1 : 0);
      return direct.betweenRootAndAll(isFromRoot, messages);
    }
  }
  return false;
}

}  // namespace

mcclResult_t planDirect(const Cluster& cluster, CollectiveKind kind, Plan& plan) {
  DirectPlan direct(cluster);
  const bool hasRoot = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
  if (cluster.hosts() > 1) {
    if (!planBetween(cluster, kind, direct, plan.messages)) return mcclSuccess;
  } else if (hasRoot) {
    const bool isFromRoot = kind == CollectiveKind::kBroadcast;
    direct.atFirst(1, isFromRoot ? 0 : 1, isFromRoot ? 1 : 0);
  } else {
    direct.eachToEach();
    if (cluster.devices() > 1) direct.step(stepInside(cluster.paths().between(0, 1)));
  }
  // What goes from one to another: all of it, or a block.
  plan.volume = hasRoot || kind == CollectiveKind::kAllReduce ? 1 : 1.0 / cluster.ranks();
  plan.lanes.push_back(direct.take());
  setRates(cluster, 2, plan);
  return mcclSuccess;
}

}  // namespace musashim::mccl::sim
