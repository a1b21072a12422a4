// Trees: in a host a chain to its first GPU, between hosts the two binary trees of libmccl's own schedule.
// Each channel has half of its data in each of them.
#include <algorithm>
#include <map>

#include "mccl/core/log.h"
#include "mccl/sim/plan.h"

namespace musashim::mccl::sim {
namespace {

class TreePlan {
 public:
  TreePlan(const Cluster& cluster, CollectiveKind kind)
      : cluster_(cluster),
        climbs_(kind != CollectiveKind::kBroadcast),
        descends_(kind != CollectiveKind::kReduce),
        machineLinks_(static_cast<uint32_t>(cluster.machine().links().size())) {
    sortHosts();
  }

  size_t classes() const { return partners_.size(); }

  // False when a dead link cuts it.
  bool make(const topology::Channel& channel, int tree, UseCounter& counter, Lane& lane) {
    for (uint32_t part = 0; part < partners_.size(); ++part) useInside(channel, tree, part, counter);
    std::vector<Hops> depth(static_cast<size_t>(cluster_.hosts()));
    Hops deepest;
    // Parents come before their children when places are counted from the root.
    std::vector<int> order{0};
    for (size_t at = 0; at < order.size(); ++at) {
      const int host = order[at];
      const TreePlace& place = places_[static_cast<size_t>(tree)][static_cast<size_t>(host)];
      const Hops& here = depth[static_cast<size_t>(host)];
      if (here.count() >= deepest.count()) deepest = here;
      for (size_t child = 0; child < place.children.size(); ++child) {
        const int other = place.children[child];
        Hops step;
        if (!useBetween(channel, host, other, child, counter, step)) return false;
        lane.farthest = std::max(lane.farthest, step.latency);
        if (child == 1 && second(channel) != first(channel)) step += stepInside(chainPath(channel, 1, 0));
        depth[static_cast<size_t>(other)] = here;
        depth[static_cast<size_t>(other)] += step;
        order.push_back(other);
      }
    }
    lane.path = deepest;
    for (size_t i = 1; i < channel.gpus.size(); ++i) lane.path += stepInside(chainPath(channel, i, i - 1));
    if (climbs_ && descends_) lane.path = lane.path * 2;
    return true;
  }

  uint32_t fabricBegin() const { return machineLinks_ * static_cast<uint32_t>(classes()); }

 private:
  struct Part {  // how many a host has to do with, in both trees
    int parents[2], children[2];
    auto operator<=>(const Part&) const = default;
  };

  void sortHosts() {
    std::map<Part, uint32_t> known;
    for (int host = 0; host < cluster_.hosts(); ++host) {
      Part part{};
      for (int tree = 0; tree < 2; ++tree) {
        TreePlace place = treePlace(cluster_.hosts(), host, 0, tree);
        part.parents[tree] = place.parent >= 0 ? 1 : 0;
        part.children[tree] = static_cast<int>(place.children.size());
        places_[tree].push_back(std::move(place));
      }
      if (known.emplace(part, partners_.size()).second) partners_.push_back(part);
    }
  }

  size_t first(const topology::Channel& channel) const { return cluster_.gpuPlace(channel.gpus.front()); }
  // The GPU that has to do with the second child.
  size_t second(const topology::Channel& channel) const {
    const bool isShared = cluster_.tree().pattern != topology::Pattern::kTree && channel.gpus.size() > 1;
    return cluster_.gpuPlace(channel.gpus[isShared ? 1 : 0]);
  }
  const topology::Path& chainPath(const topology::Channel& channel, size_t from, size_t to) const {
    return cluster_.paths().between(cluster_.gpuPlace(channel.gpus[from]),
                                    cluster_.gpuPlace(channel.gpus[to]));
  }
  size_t netOf(const topology::Channel& channel, bool isSecond) const {
    return cluster_.netPlace(isSecond && channel.netOut >= 0 ? channel.netOut : channel.netIn);
  }

  void useInside(const topology::Channel& channel, int tree, uint32_t part, UseCounter& counter) const {
    const auto use = [&](const topology::Path& path, double times) {
      for (const int link : path.links) {
        if (times > 0) counter.add(part * machineLinks_ + static_cast<uint32_t>(link), times);
      }
    };
    const double up = climbs_ ? 1 : 0, down = descends_ ? 1 : 0;
    for (size_t i = 1; i < channel.gpus.size(); ++i) {
      use(chainPath(channel, i, i - 1), up);
      use(chainPath(channel, i - 1, i), down);
    }
    if (cluster_.hosts() == 1) return;
    const Part& with = partners_[part];
    const auto meet = [&](size_t gpu, size_t net, double out, double in) {
      use(cluster_.paths().toNet(gpu, net), out);
      use(cluster_.paths().fromNet(net, gpu), in);
    };
    const int children = with.children[tree];
    if (with.parents[tree]) meet(first(channel), netOf(channel, false), up, down);
    if (children > 0) meet(first(channel), netOf(channel, false), down, up);
    if (children > 1) meet(second(channel), netOf(channel, true), down, up);
  }

  bool useBetween(const topology::Channel& channel, int parent, int child, size_t which, UseCounter& counter,
                  Hops& step) {
    const Fabric& fabric = cluster_.fabric();
    const size_t net = netOf(channel, false);
    const int below = fabric.port(child, static_cast<int>(net)),
              above = fabric.port(parent, static_cast<int>(netOf(channel, which == 1)));
    double slowest = 0;
    const auto use = [&](int from, int to) {
      double latency = 0;
      const bool isWhole = fabric.route(from, to, shares_, latency);
      for (const Share share : shares_) counter.add(fabricBegin() + share.link, share.part);
      slowest = std::max(slowest, latency);
      return isWhole;
    };
    if ((climbs_ && !use(below, above)) || (descends_ && !use(above, below))) return false;
    step = stepBetween(cluster_, net, slowest);
    return true;
  }

  const Cluster& cluster_;
  const bool climbs_, descends_;
  const uint32_t machineLinks_;
  std::vector<TreePlace> places_[2];
  std::vector<Part> partners_;  // those that there are
  std::vector<Share> shares_;
};

}  // namespace

mcclResult_t planTree(const Cluster& cluster, CollectiveKind kind, Plan& plan) {
  if (kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter) {
    return fail(mcclInvalidUsage, "{} goes by a ring or directly: a tree would carry every block to all",
                collectiveName(kind));
  }
  if (cluster.tree().channels.empty()) return fail(mcclInvalidUsage, "no tree goes through this machine");
  TreePlan trees(cluster, kind);
  UseCounter counter(trees.fabricBegin() + cluster.fabric().bandwidth().size());
  for (const topology::Channel& channel : cluster.tree().channels) {
    for (int tree = 0; tree < 2; ++tree) {
      Lane lane;
      const bool isWhole = trees.make(channel, tree, counter, lane);
      lane.flow = counter.take();
      if (isWhole) {
        plan.fill = std::max(plan.fill, lane.path.count() - 1);
        plan.lanes.push_back(std::move(lane));
      } else {
        ++plan.lost;
      }
    }
  }
  plan.phases = kind == CollectiveKind::kAllReduce ? 2 : 1;
  setRates(cluster, trees.classes(), plan);
  return mcclSuccess;
}

}  // namespace musashim::mccl::sim
