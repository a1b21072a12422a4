#include "mccl/topology/paths.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace musashim::mccl::topology {
namespace {

// What a path becomes by one more link.
PathType typeWith(const Machine& machine, const Path& path, const Link& link) {
  const NodeType from = machine.node(link.from).type, to = machine.node(link.to).type;
  switch (link.type) {
    case LinkType::kNvl:
      return std::max(path.type,
                      path.links.empty() || from != NodeType::kGpu ? PathType::kNvl : PathType::kNvb);
    case LinkType::kPci:
      if (from == NodeType::kCpu || to == NodeType::kCpu) return std::max(path.type, PathType::kPhb);
      return std::max(path.type,
                      from == NodeType::kPci && to == NodeType::kPci ? PathType::kPxb : PathType::kPix);
    case LinkType::kSys:
      return std::max(path.type, PathType::kSys);
    case LinkType::kNet:
      return path.type;
  }
  return PathType::kDis;
}

// Data does not pass through network devices, and through a GPU only from one of its NVLinks to another.
bool passes(const Machine& machine, const Path& path, const Link& link) {
  if (path.links.empty()) return true;
  const NodeType here = machine.node(link.from).type;
  if (here == NodeType::kNet) return false;
  if (here != NodeType::kGpu) return true;
  return path.links.size() == 1 && path.type == PathType::kNvl && link.type == LinkType::kNvl &&
         machine.node(link.to).type == NodeType::kGpu;
}

bool isBetter(const Path& a, const Path& b) {
  return std::make_tuple(a.type, -a.bandwidth, a.links.size()) <
         std::make_tuple(b.type, -b.bandwidth, b.links.size());
}

}  // namespace

const char* nameOf(PathType type) {
  constexpr const char* kNames[] = {"LOC", "NVL", "NVB", "C2C", "PIX", "PXB",
                                    "P2C", "PXN", "PHB", "SYS", "NET", "DIS"};
  return kNames[static_cast<int>(type)];
}

std::vector<Path> Paths::from(int source) const {
  std::vector<Path> best(machine_.nodes().size());
  best[static_cast<size_t>(source)] = {PathType::kLoc, kSelfBandwidth, {}};
  std::deque<int> changed{source};
  while (!changed.empty()) {
    const int here = changed.front();
    changed.pop_front();
    for (const int index : machine_.node(here).links) {
      const Path& path = best[static_cast<size_t>(here)];
      const Link& link = machine_.link(index);
      if (!passes(machine_, path, link)) continue;
      Path longer{typeWith(machine_, path, link), std::min(path.bandwidth, link.bandwidth), path.links};
      longer.links.push_back(index);
      if (!isBetter(longer, best[static_cast<size_t>(link.to)])) continue;
      best[static_cast<size_t>(link.to)] = std::move(longer);
      if (std::ranges::find(changed, link.to) == changed.end()) changed.push_back(link.to);
    }
  }
  return best;
}

Path Paths::join(const Path& a, const Path& b, PathType least) const {
  Path joined{std::max({a.type, b.type, least}), std::min(a.bandwidth, b.bandwidth), a.links};
  joined.links.insert(joined.links.end(), b.links.begin(), b.links.end());
  return joined;
}

Paths::Paths(const Machine& machine)
    : machine_(machine), gpuCount_(machine.gpus().size()), netCount_(machine.nets().size()) {
  std::vector<std::vector<Path>> fromCpus, fromNets;
  for (const int cpu : machine.cpus()) fromCpus.push_back(from(cpu));
  for (const int net : machine.nets()) fromNets.push_back(from(net));
  for (const int gpu : machine.gpus()) {
    const std::vector<Path> paths = from(gpu);
    for (const int other : machine.gpus()) gpus_.push_back(paths[static_cast<size_t>(other)]);
    // The CPU that is nearest to the GPU: what the network device cannot read from the GPU goes there first.
    size_t nearest = 0;
    for (size_t cpu = 1; cpu < machine.cpus().size(); ++cpu) {
      const auto at = [&](size_t index) -> const Path& {
        return paths[static_cast<size_t>(machine.cpus()[index])];
      };
      if (isBetter(at(cpu), at(nearest))) nearest = cpu;
    }
    for (size_t i = 0; i < netCount_; ++i) {
      const int net = machine.nets()[i];
      const bool isDirect = machine.node(gpu).gdr && machine.node(net).gdr &&
                            paths[static_cast<size_t>(net)].type <= PathType::kPxb;
      if (isDirect || machine.cpus().empty()) {
        toNets_.push_back(paths[static_cast<size_t>(net)]);
        fromNets_.push_back(fromNets[i][static_cast<size_t>(gpu)]);
        continue;
      }
      const int cpu = machine.cpus()[nearest];
      toNets_.push_back(
          join(paths[static_cast<size_t>(cpu)], fromCpus[nearest][static_cast<size_t>(net)], PathType::kPhb));
      fromNets_.push_back(join(fromNets[i][static_cast<size_t>(cpu)],
                               fromCpus[nearest][static_cast<size_t>(gpu)], PathType::kPhb));
    }
  }
  reachNetsOverPeers();
}

void Paths::reachNetsOverPeers() {
  const std::vector<Path> direct = toNets_, back = fromNets_;
  for (size_t gpu = 0; gpu < gpuCount_; ++gpu) {
    for (size_t net = 0; net < netCount_; ++net) {
      Path& to = toNets_[gpu * netCount_ + net];
      if (to.type <= PathType::kPxn) continue;
      const Path* nearest = nullptr;
      for (size_t peer = 0; peer < gpuCount_; ++peer) {
        const Path& last = direct[peer * netCount_ + net];
        if (peer == gpu || between(gpu, peer).type > PathType::kNvl || last.type > PathType::kPxb) continue;
        if (nearest && !isBetter(last, *nearest)) continue;
        nearest = &last;
        to = join(between(gpu, peer), last, PathType::kPxn);
        fromNets_[gpu * netCount_ + net] =
            join(back[peer * netCount_ + net], between(peer, gpu), PathType::kPxn);
      }
    }
  }
}

}  // namespace musashim::mccl::topology
