// topo and mtlink: how the devices are connected.
#pragma once

#include <string>
#include <vector>

#include "mtml/gmi/snapshot.h"
#include "mtml/state/topology.h"

namespace musashim::gmi {

// The matrix of devices, and with `withNets` of network devices and what is near. `columns`: where a line is
// to end, for a terminal; 0: lines are as long as they are.
std::string matrix(const mtml::Topology& topology, bool withNets, size_t columns);
// What the devices may do in each other's memory.
std::string peerMatrix(size_t devices);

std::string linkStates(const std::vector<Gpu>& gpus, const mtml::Topology& topology);
std::string linkPeers(const std::vector<Gpu>& gpus, const mtml::Topology& topology);

}  // namespace musashim::gmi
