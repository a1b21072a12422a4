#include "mccl/sim/fabric.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "mccl/core/log.h"

namespace musashim::mccl::sim {
namespace {

constexpr double kMostLinks = 1 << 26;  // a gigabyte of figures

int ceilOf(int a, int b) { return (a + b - 1) / b; }

uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

}  // namespace

// A rail is a leaf of its own: a pod holds whole groups of them.
int Fabric::leavesPerPod() const {
  return file_.shape == Shape::kFatTree ? file_.leavesPerPod
                                        : std::max(1, file_.leavesPerPod / nics_) * nics_;
}

int Fabric::leafOf(int port) const {
  if (file_.levels == 1 && file_.shape == Shape::kFatTree) return 0;
  const int group = file_.levels == 1 ? 0 : port / nics_ / file_.hostsPerLeaf;
  return file_.shape == Shape::kFatTree ? group : group * nics_ + port % nics_;
}

mcclResult_t Fabric::make(const FabricFile& file, int hosts, const std::vector<double>& nicBandwidth,
                          Fabric& fabric) {
  fabric = {};
  fabric.file_ = file;
  fabric.hosts_ = hosts;
  fabric.nics_ = static_cast<int>(nicBandwidth.size());
  fabric.ports_ = hosts * fabric.nics_;
  if (fabric.ports_ == 0) return mcclSuccess;
  fabric.leaves_ = fabric.leafOf(fabric.ports_ - 1) + 1;
  if (fabric.isDeep()) fabric.pods_ = ceilOf(fabric.leaves_, fabric.leavesPerPod());
  const double spines = file.levels > 1 ? file.spines : 0, cores = fabric.isDeep() ? file.cores : 0;
  const double links = 2 * (fabric.ports_ + fabric.leaves_ * spines + fabric.pods_ * spines * cores);
  if (links > kMostLinks)
    return fail(mcclInvalidUsage, "{}: {:.0f} links; up to {:.0f} are computed", file.name, links,
                kMostLinks);
  const auto nic = [&](int index) {
    return file.host.bandwidth > 0 ? file.host.bandwidth : nicBandwidth[static_cast<size_t>(index)];
  };
  // What a full leaf gets from its hosts, of which its links upwards carry a part.
  double below = 0;
  for (int i = 0; i < fabric.nics_; ++i) below += nic(i);
  if (file.shape == Shape::kRailOptimised) below /= fabric.nics_;
  below *= file.hostsPerLeaf;
  const double spine =
      file.spine.bandwidth > 0 ? file.spine.bandwidth : below / file.leafOversubscription / file.spines;
  const double core = file.core.bandwidth > 0
                          ? file.core.bandwidth
                          : spine * fabric.leavesPerPod() / file.spineOversubscription / file.cores;
  const auto lay = [&](size_t count, double bandwidth, double latency) {
    fabric.bandwidth_.insert(fabric.bandwidth_.end(), count, bandwidth);
    fabric.latency_.insert(fabric.latency_.end(), count, latency);
  };
  for (int port = 0; port < 2 * fabric.ports_; ++port) lay(1, nic(port % fabric.nics_), file.host.latency);
  if (file.levels > 1) {
    lay(2 * static_cast<size_t>(fabric.leaves_) * static_cast<size_t>(file.spines), spine,
        file.spine.latency);
  }
  if (fabric.isDeep()) {
    lay(2 * static_cast<size_t>(fabric.pods_) * static_cast<size_t>(file.spines * file.cores), core,
        file.core.latency);
  }
  for (const LinkChange& change : file.changes) MCCL_RETURN_IF_ERROR(fabric.change(change));
  return mcclSuccess;
}

bool Fabric::linkNamed(const std::string& name, uint32_t& up, uint32_t& down) const {
  int a = -1, b = -1, end = 0;
  const auto isLike = [&](const char* format) {
    end = 0;
    return std::sscanf(name.c_str(), format, &a, &b, &end) == 2 && end == static_cast<int>(name.size()) &&
           a >= 0 && b >= 0;
  };
  if (isLike("host%d/nic%d%n")) {
    if (a >= hosts_ || b >= nics_) return false;
    up = hostUp(port(a, b));
    down = hostDown(port(a, b));
    return true;
  }
  if (file_.levels > 1 && isLike("leaf%d/spine%d%n")) {
    if (a >= leaves_) return false;
    const int spine = isDeep() ? b - podOf(a) * file_.spines : b;
    if (spine < 0 || spine >= file_.spines) return false;
    up = spineUp(a, spine);
    down = spineDown(a, spine);
    return true;
  }
  if (isDeep() && isLike("spine%d/core%d%n")) {
    const int pod = a / file_.spines, spine = a % file_.spines, core = b - spine * file_.cores;
    if (pod >= pods_ || core < 0 || core >= file_.cores) return false;
    up = coreUp(pod, spine, core);
    down = coreDown(pod, spine, core);
    return true;
  }
  return false;
}

std::string Fabric::nameOf(uint32_t link) const {
  auto index = static_cast<int>(link);
  const auto within = [&](int count) {
    if (index < count) return true;
    index -= count;
    return false;
  };
  for (const char* way : {"up", "down"}) {
    if (within(ports_)) return fmt::format("host{}/nic{} {}", index / nics_, index % nics_, way);
  }
  for (const char* way : {"up", "down"}) {
    if (!within(leaves_ * file_.spines)) continue;
    const int leaf = index / file_.spines;
    return fmt::format("leaf{}/spine{} {}", leaf, podOf(leaf) * file_.spines + index % file_.spines, way);
  }
  for (const char* way : {"up", "down"}) {
    if (!within(pods_ * file_.spines * file_.cores)) continue;
    const int spine = index / file_.cores;
    return fmt::format("spine{}/core{} {}", spine, spine % file_.spines * file_.cores + index % file_.cores,
                       way);
  }
  return "none";
}

mcclResult_t Fabric::change(const LinkChange& change) {
  uint32_t links[2];
  if (!linkNamed(change.name, links[0], links[1])) {
    const auto cable = [&](uint32_t link) { return nameOf(link).substr(0, nameOf(link).find(' ')); };
    std::string known = fmt::format("{} to {}", cable(hostUp(0)), cable(hostUp(ports_ - 1)));
    if (file_.levels > 1) {
      known += fmt::format(", {} to {}", cable(spineUp(0, 0)), cable(spineUp(leaves_ - 1, file_.spines - 1)));
    }
    if (isDeep()) {
      known += fmt::format(", {} to {}", cable(coreUp(0, 0, 0)),
                           cable(coreUp(pods_ - 1, file_.spines - 1, file_.cores - 1)));
    }
    return fail(mcclInvalidUsage, "{}:{}: there is no link \"{}\" here; there are {}", file_.name,
                change.line, change.name, known);
  }
  for (const uint32_t link : links) {
    if (change.isDead) bandwidth_[link] = 0;
    if (change.bandwidth > 0) bandwidth_[link] = change.bandwidth;
    if (change.latency >= 0) latency_[link] = change.latency;
  }
  return mcclSuccess;
}

bool Fabric::route(int from, int to, std::vector<Share>& shares, double& latency) const {
  shares.clear();
  latency = 0;
  if (!lives(hostUp(from)) || !lives(hostDown(to))) return false;
  const int a = leafOf(from), b = leafOf(to);
  // Ways by spines, and cores where the pods differ.
  struct Between {
    int spine, core;
  };
  std::vector<Between> ways;
  if (a != b) {
    if (file_.levels == 1) return false;
    const int podA = podOf(a), podB = podOf(b);
    for (int spine = 0; spine < file_.spines; ++spine) {
      if (!lives(spineUp(a, spine)) || !lives(spineDown(b, spine))) continue;
      if (podA == podB) {
        ways.push_back({spine, -1});
        continue;
      }
      for (int core = 0; core < file_.cores; ++core) {
        if (lives(coreUp(podA, spine, core)) && lives(coreDown(podB, spine, core)))
          ways.push_back({spine, core});
      }
    }
    if (ways.empty()) return false;
    if (file_.routing == Routing::kHash) {
      const uint64_t pair = (static_cast<uint64_t>(from) << 32) | static_cast<uint64_t>(to);
      ways = {ways[mixed(pair + 1) % ways.size()]};
    }
  }
  const auto add = [&](uint32_t link, double part) {
    if (!shares.empty() && shares.back().link == link) {
      shares.back().part += part;
    } else {
      shares.push_back({link, part});
    }
  };
  add(hostUp(from), 1);
  double between = 0;
  const double part = ways.empty() ? 0 : 1.0 / static_cast<double>(ways.size());
  for (const Between& way : ways) {
    std::vector<uint32_t> links{spineUp(a, way.spine), spineDown(b, way.spine)};
    if (way.core >= 0) {
      links.push_back(coreUp(podOf(a), way.spine, way.core));
      links.push_back(coreDown(podOf(b), way.spine, way.core));
    }
    double sum = 0;
    for (const uint32_t link : links) {
      add(link, part);
      sum += latency_[link];
    }
    between = std::max(between, sum);
  }
  add(hostDown(to), 1);
  latency = latency_[hostUp(from)] + between + latency_[hostDown(to)];
  return true;
}

}  // namespace musashim::mccl::sim
