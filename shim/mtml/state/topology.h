// How the devices are connected: the machine that libmccl plans its rings on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::mtml {

// What the way between two places goes through on the PCI bus, from near to far.
enum class PciWay { kSelf, kOneSwitch, kSwitches, kBridge, kSystem };

// An MTLink of a device, by its number there.
struct MtLink {
  int peer = -1;      // a device; -1: a switch that reaches all
  int peerLink = -1;  // its number at the other end; -1 where that end tells of none
};

struct Topology {
  std::string error;                         // not empty: there is none, and why
  std::vector<std::vector<PciWay>> devices;  // between each two
  std::vector<std::vector<PciWay>> toNets;   // from each device to each network device
  std::vector<std::vector<PciWay>> nets;     // between each two network devices
  std::vector<std::string> netNames;
  std::vector<std::vector<MtLink>> links;  // of each device
  std::vector<double> linkBandwidth;       // GB/s of one of them, one way
  std::vector<int> node;                   // the NUMA node of each device; -1: not known
  std::vector<std::vector<int>> cpus;      // those of that node

  // MTLinks that lead from one device to another, directly or by a switch.
  size_t linksBetween(size_t device, size_t other) const;
};

// Of the devices that monitorTable() shows; found once.
const Topology& topology();

}  // namespace musashim::mtml
