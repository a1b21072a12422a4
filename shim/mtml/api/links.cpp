// How devices are connected: PCI, MTLinks, NUMA nodes.
#include <algorithm>

#include "mtml/api/entry.h"
#include "mtml/state/objects.h"
#include "mtml/state/paths.h"
#include "mtml/state/topology.h"

using namespace musashim::mtml;

namespace {

MtmlDeviceTopologyLevel levelOf(PciWay way) {
  switch (way) {
    case PciWay::kSelf:
      return MTML_TOPOLOGY_INTERNAL;
    case PciWay::kOneSwitch:
      return MTML_TOPOLOGY_SINGLE;
    case PciWay::kSwitches:
      return MTML_TOPOLOGY_MULTIPLE;
    case PciWay::kBridge:
      return MTML_TOPOLOGY_HOSTBRIDGE;
    case PciWay::kSystem:
      break;
  }
  return MTML_TOPOLOGY_SYSTEM;
}

// Runs `body` with the device, if the machine's links are known.
template <class Body>
MtmlReturn withLinks(const MtmlDevice* dev, Body&& body) {
  return with(objects().devices, dev, [&](const MtmlDevice& device) {
    return topology().error.empty() ? body(device) : MTML_ERROR_DRIVER_FAILURE;
  });
}

template <class Body>
MtmlReturn withPair(const MtmlDevice* dev1, const MtmlDevice* dev2, Body&& body) {
  return withLinks(dev1, [&](const MtmlDevice& device) {
    return with(objects().devices, dev2,
                [&](const MtmlDevice& other) { return body(device.index, other.index); });
  });
}

// A device of our own at a number, as mtmlLibraryInitDeviceByIndex() gives it.
MtmlReturn open(const MtmlDevice& of, unsigned int index, MtmlDevice** device) {
  MUshimDevice facts;
  if (monitorTable()->device(index, &facts) != MUSA_SUCCESS) return MTML_ERROR_DRIVER_FAILURE;
  std::lock_guard lock(objects().change);
  *device = objects().devices.create(MtmlDevice{of.library, index, facts});
  return MTML_SUCCESS;
}

std::vector<unsigned int> atLevel(unsigned int device, MtmlDeviceTopologyLevel level) {
  std::vector<unsigned int> found;
  const std::vector<PciWay>& ways = topology().devices[device];
  for (unsigned int other = 0; other < ways.size(); ++other) {
    if (other != device && levelOf(ways[other]) == level) found.push_back(other);
  }
  return found;
}

// Runs `body` with a link of a device.
template <class Body>
MtmlReturn withLink(const MtmlDevice* dev, unsigned int linkId, Body&& body) {
  return withLinks(dev, [&](const MtmlDevice& device) {
    const std::vector<MtLink>& links = topology().links[device.index];
    if (links.empty()) return MTML_ERROR_NOT_SUPPORTED;
    return linkId < links.size() ? body(device, links[linkId]) : MTML_ERROR_INVALID_ARGUMENT;
  });
}

MtmlReturn giveSet(const std::vector<int>& members, unsigned int words, unsigned long* set) {
  if (!set || words == 0) return MTML_ERROR_INVALID_ARGUMENT;
  constexpr size_t kBits = 8 * sizeof *set;
  std::fill_n(set, words, 0ul);
  for (const int member : members) {
    if (static_cast<size_t>(member) / kBits >= words) return MTML_ERROR_INSUFFICIENT_SIZE;
    set[static_cast<size_t>(member) / kBits] |= 1ul << (static_cast<size_t>(member) % kBits);
  }
  return MTML_SUCCESS;
}

}  // namespace

extern "C" {

MtmlReturn mtmlDeviceGetTopologyLevel(const MtmlDevice* dev1, const MtmlDevice* dev2,
                                      MtmlDeviceTopologyLevel* level) {
  return entry(
      "mtmlDeviceGetTopologyLevel",
      [&] {
        return withPair(dev1, dev2, [&](unsigned int device, unsigned int other) {
          return give(levelOf(topology().devices[device][other]), level);
        });
      },
      dev1, dev2, level);
}

MtmlReturn mtmlDeviceCountDeviceByTopologyLevel(const MtmlDevice* dev, MtmlDeviceTopologyLevel level,
                                                unsigned int* count) {
  return entry(
      "mtmlDeviceCountDeviceByTopologyLevel",
      [&] {
        return withLinks(
            dev, [&](const MtmlDevice& device) { return give(atLevel(device.index, level).size(), count); });
      },
      dev, level, count);
}

MtmlReturn mtmlDeviceGetDeviceByTopologyLevel(const MtmlDevice* dev, MtmlDeviceTopologyLevel level,
                                              unsigned int count, MtmlDevice** devices) {
  return entry(
      "mtmlDeviceGetDeviceByTopologyLevel",
      [&] {
        return withLinks(dev, [&](const MtmlDevice& device) {
          const std::vector<unsigned int> found = atLevel(device.index, level);
          if (!devices) return MTML_ERROR_INVALID_ARGUMENT;
          if (count < found.size()) return MTML_ERROR_INSUFFICIENT_SIZE;
          for (size_t i = 0; i < found.size(); ++i) {
            if (const MtmlReturn result = open(device, found[i], &devices[i]); result != MTML_SUCCESS)
              return result;
          }
          return MTML_SUCCESS;
        });
      },
      dev, level, count, devices);
}

MtmlReturn mtmlDeviceGetP2PStatus(const MtmlDevice* dev1, const MtmlDevice* dev2, MtmlDeviceP2PCaps p2pCap,
                                  MtmlDeviceP2PStatus* status) {
  return entry(
      "mtmlDeviceGetP2PStatus",
      [&] {
        return withPair(dev1, dev2, [&](unsigned int, unsigned int) {
          if (p2pCap != MTML_P2P_CAPS_READ && p2pCap != MTML_P2P_CAPS_WRITE)
            return MTML_ERROR_INVALID_ARGUMENT;
          return give(MTML_P2P_STATUS_OK, status);  // every emulated device reaches every other
        });
      },
      dev1, dev2, p2pCap, status);
}

MtmlReturn mtmlDeviceGetMtLinkSpec(const MtmlDevice* dev, MtmlMtLinkSpec* spec) {
  return entry(
      "mtmlDeviceGetMtLinkSpec",
      [&] {
        return withLinks(dev, [&](const MtmlDevice& device) {
          const auto count = static_cast<unsigned int>(topology().links[device.index].size());
          if (count == 0) return MTML_ERROR_NOT_SUPPORTED;
          const auto bandwidth = static_cast<unsigned int>(topology().linkBandwidth[device.index]);
          return give(MtmlMtLinkSpec{1, bandwidth, count, {}}, spec);
        });
      },
      dev, spec);
}

MtmlReturn mtmlDeviceGetMtLinkState(const MtmlDevice* dev, unsigned int linkId, MtmlMtLinkState* state) {
  return entry(
      "mtmlDeviceGetMtLinkState",
      [&] {
        return withLink(dev, linkId,
                        [&](const MtmlDevice&, const MtLink&) { return give(MTML_MTLINK_STATE_UP, state); });
      },
      dev, linkId, state);
}

MtmlReturn mtmlDeviceGetMtLinkRemoteDevice(const MtmlDevice* dev, unsigned int linkId, MtmlDevice** remote) {
  return entry(
      "mtmlDeviceGetMtLinkRemoteDevice",
      [&] {
        return withLink(dev, linkId, [&](const MtmlDevice& device, const MtLink& link) {
          if (!remote) return MTML_ERROR_INVALID_ARGUMENT;
          if (link.peer < 0) return MTML_ERROR_NOT_FOUND;  // a switch
          return open(device, static_cast<unsigned int>(link.peer), remote);
        });
      },
      dev, linkId, remote);
}

MtmlReturn mtmlDeviceGetMtLinkCapStatus(const MtmlDevice* dev, unsigned int linkId, MtmlMtLinkCap mtLinkCap,
                                        MtmlMtLinkCapStatus* mtLinkCapStatus) {
  return entry(
      "mtmlDeviceGetMtLinkCapStatus",
      [&] {
        return withLink(dev, linkId, [&](const MtmlDevice&, const MtLink&) {
          if (static_cast<unsigned int>(mtLinkCap) >= MTML_MTLINK_CAP_COUNT)
            return MTML_ERROR_INVALID_ARGUMENT;
          return give(MTML_MTLINK_CAP_STATUS_OK, mtLinkCapStatus);
        });
      },
      dev, linkId, mtLinkCap, mtLinkCapStatus);
}

MtmlReturn mtmlDeviceCountMtLinkShortestPaths(const MtmlDevice* localDev, const MtmlDevice* remoteDev,
                                              unsigned int* pathCount, unsigned int* pathLength) {
  return entry(
      "mtmlDeviceCountMtLinkShortestPaths",
      [&] {
        return withPair(localDev, remoteDev, [&](unsigned int device, unsigned int other) {
          const auto paths = shortestPaths(topology(), device, other);
          const MtmlReturn result = give(paths.size(), pathCount);
          return result == MTML_SUCCESS ? give(paths.empty() ? 0 : paths[0].size(), pathLength) : result;
        });
      },
      localDev, remoteDev, pathCount, pathLength);
}

MtmlReturn mtmlDeviceGetMtLinkShortestPaths(const MtmlDevice* localDev, const MtmlDevice* remoteDev,
                                            unsigned int pathCount, unsigned int pathLength,
                                            MtmlDevice** paths) {
  return entry(
      "mtmlDeviceGetMtLinkShortestPaths",
      [&] {
        return withLinks(localDev, [&](const MtmlDevice& local) {
          return with(objects().devices, remoteDev, [&](const MtmlDevice& remote) {
            const auto found = shortestPaths(topology(), local.index, remote.index);
            if (!paths) return MTML_ERROR_INVALID_ARGUMENT;
            if (pathCount < found.size()) return MTML_ERROR_INSUFFICIENT_SIZE;
            for (const auto& path : found) {
              if (path.size() != pathLength) return MTML_ERROR_INVALID_ARGUMENT;
              for (const size_t each : path) {
                const MtmlReturn result = open(local, static_cast<unsigned int>(each), paths++);
                if (result != MTML_SUCCESS) return result;
              }
            }
            return MTML_SUCCESS;
          });
        });
      },
      localDev, remoteDev, pathCount, pathLength, paths);
}

MtmlReturn mtmlDeviceCountMtLinkLayouts(const MtmlDevice* dev1, const MtmlDevice* dev2, unsigned int* count) {
  return entry(
      "mtmlDeviceCountMtLinkLayouts",
      [&] {
        return withPair(dev1, dev2, [&](unsigned int device, unsigned int other) {
          const auto& links = topology().links[device];
          return give(std::ranges::count(links, static_cast<int>(other), &MtLink::peer), count);
        });
      },
      dev1, dev2, count);
}

MtmlReturn mtmlDeviceGetMtLinkLayouts(const MtmlDevice* dev1, const MtmlDevice* dev2, unsigned int linkCount,
                                      MtmlMtLinkLayout* layouts) {
  return entry(
      "mtmlDeviceGetMtLinkLayouts",
      [&] {
        return withPair(dev1, dev2, [&](unsigned int device, unsigned int other) {
          if (!layouts) return MTML_ERROR_INVALID_ARGUMENT;
          const std::vector<MtLink>& links = topology().links[device];
          unsigned int given = 0;
          for (unsigned int own = 0; own < links.size(); ++own) {
            if (links[own].peer != static_cast<int>(other)) continue;
            if (given == linkCount) return MTML_ERROR_INSUFFICIENT_SIZE;
            layouts[given++] = {own, static_cast<unsigned int>(links[own].peerLink), {}};
          }
          return MTML_SUCCESS;
        });
      },
      dev1, dev2, linkCount, layouts);
}

MtmlReturn mtmlDeviceGetMemoryAffinityWithinNode(const MtmlDevice* dev, unsigned int nodeSetSize,
                                                 unsigned long* nodeSet) {
  return entry(
      "mtmlDeviceGetMemoryAffinityWithinNode",
      [&] {
        return withLinks(dev, [&](const MtmlDevice& device) {
          const int node = topology().node[device.index];
          return node < 0 ? MTML_ERROR_NOT_FOUND : giveSet({node}, nodeSetSize, nodeSet);
        });
      },
      dev, nodeSetSize, nodeSet);
}

MtmlReturn mtmlDeviceGetCpuAffinityWithinNode(const MtmlDevice* dev, unsigned int cpuSetSize,
                                              unsigned long* cpuSet) {
  return entry(
      "mtmlDeviceGetCpuAffinityWithinNode",
      [&] {
        return withLinks(dev, [&](const MtmlDevice& device) {
          return giveSet(topology().cpus[device.index], cpuSetSize, cpuSet);
        });
      },
      dev, cpuSetSize, cpuSet);
}

}  // extern "C"
