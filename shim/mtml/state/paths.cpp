#include "mtml/state/paths.h"

#include <algorithm>

namespace musashim::mtml {
namespace {

constexpr size_t kFar = ~size_t{0};

// Hops from each device to `to`.
std::vector<size_t> distances(const Topology& topology, size_t to) {
  std::vector<size_t> hops(topology.devices.size(), kFar);
  std::vector<size_t> reached{to};
  hops[to] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (size_t device = 0; device < hops.size(); ++device) {
      if (hops[device] != kFar || topology.linksBetween(device, reached[i]) == 0) continue;
      hops[device] = hops[reached[i]] + 1;
      reached.push_back(device);
    }
  }
  return hops;
}

}  // namespace

std::vector<std::vector<size_t>> shortestPaths(const Topology& topology, size_t from, size_t to) {
  const std::vector<size_t> hops = distances(topology, to);
  if (from == to || hops[from] == kFar) return {};
  std::vector<std::vector<size_t>> paths{{}};
  for (size_t left = hops[from]; left-- > 0;) {
    std::vector<std::vector<size_t>> longer;
    for (const std::vector<size_t>& path : paths) {
      const size_t end = path.empty() ? from : path.back();
      for (size_t next = 0; next < hops.size(); ++next) {
        if (hops[next] != left || topology.linksBetween(end, next) == 0) continue;
        longer.push_back(path);
        longer.back().push_back(next);
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

}  // namespace musashim::mtml
