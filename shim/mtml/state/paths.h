// Ways from device to device by MTLinks alone.
#pragma once

#include <cstddef>
#include <vector>

#include "mtml/state/topology.h"

namespace musashim::mtml {

// All the shortest, each as the devices at the ends of its hops: the last is `to`. Links of a pair count as
// one. Empty where there is none, and from a device to itself.
std::vector<std::vector<size_t>> shortestPaths(const Topology& topology, size_t from, size_t to);

}  // namespace musashim::mtml
