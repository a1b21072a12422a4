#include "mtml/gmi/links.h"

#include <fmt/core.h>

#include <algorithm>

namespace musashim::gmi {
namespace {

using mtml::MtLink;
using mtml::PciWay;
using mtml::Topology;

constexpr size_t kCell = 6;

const char* nameOf(PciWay way) {
  switch (way) {
    case PciWay::kSelf:
      return "X";
    case PciWay::kOneSwitch:
      return "PIX";
    case PciWay::kSwitches:
      return "PXB";
    case PciWay::kBridge:
      return "PHB";
    case PciWay::kSystem:
      break;
  }
  return "SYS";
}

std::string between(const Topology& topology, size_t device, size_t other) {
  const size_t links = topology.linksBetween(device, other);
  return links != 0 ? fmt::format("MT{}", links) : nameOf(topology.devices[device][other]);
}

// {0, 1, 2, 5} as 0-2,5
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (end > i) text += '-' + std::to_string(numbers[end]);
    i = end + 1;
  }
  return text.empty() ? "N/A" : text;
}

// Columns of one width, the last of each line as long as it is.
class Grid {
 public:
  void add(std::vector<std::string> line) { lines_.push_back(std::move(line)); }

  std::string text() const {
    std::vector<size_t> widths;
    for (const auto& line : lines_) {
      widths.resize(std::max(widths.size(), line.size()), kCell - 2);
      for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    }
    std::string text;
    for (const auto& line : lines_) {
      std::string row;
      for (size_t i = 0; i < line.size(); ++i) row += fmt::format("{:<{}}", line[i], widths[i] + 2);
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + '\n';
    }
    return text;
  }

  size_t width() const {
    size_t most = 0;
    const std::string all = text();
    for (size_t at = 0; at < all.size();) {
      const size_t end = all.find('\n', at);
      most = std::max(most, end - at);
      at = end + 1;
    }
    return most;
  }

 private:
  std::vector<std::vector<std::string>> lines_;
};

// Lines of devices, with `near` what is near each, and of `nets` network devices.
Grid ways(const Topology& topology, size_t nets, bool near) {
  Grid grid;
  const size_t devices = topology.devices.size();
  std::vector<std::string> head{""};
  for (size_t i = 0; i < devices; ++i) head.push_back(fmt::format("GPU{}", i));
  for (size_t i = 0; i < nets; ++i) head.push_back(fmt::format("NIC{}", i));
  if (near) head.insert(head.end(), {"CPU Affinity", "NUMA Affinity"});
  grid.add(head);
  for (size_t device = 0; device < devices; ++device) {
    std::vector<std::string> line{fmt::format("GPU{}", device)};
    for (size_t other = 0; other < devices; ++other) line.push_back(between(topology, device, other));
    for (size_t net = 0; net < nets; ++net) line.push_back(nameOf(topology.toNets[device][net]));
    if (near) {
      line.push_back(ranges(topology.cpus[device]));
      line.push_back(topology.node[device] < 0 ? "N/A" : std::to_string(topology.node[device]));
    }
    grid.add(line);
  }
  for (size_t net = 0; net < nets; ++net) {
    std::vector<std::string> line{fmt::format("NIC{}", net)};
    for (size_t device = 0; device < devices; ++device) line.push_back(nameOf(topology.toNets[device][net]));
    for (size_t other = 0; other < nets; ++other) line.push_back(nameOf(topology.nets[net][other]));
    grid.add(line);
  }
  return grid;
}

// A terminal is too narrow: what is near goes below.
std::string nearby(const Topology& topology) {
  Grid grid;
  grid.add({"", "CPU Affinity", "NUMA Affinity"});
  for (size_t device = 0; device < topology.devices.size(); ++device) {
    grid.add({fmt::format("GPU{}", device), ranges(topology.cpus[device]),
              topology.node[device] < 0 ? "N/A" : std::to_string(topology.node[device])});
  }
  return "\n" + grid.text();
}

constexpr const char* kLegend =
    "\nLegend:\n\n"
    "  X    = Self\n"
    "  SYS  = Connection through PCIe and between NUMA nodes\n"
    "  PHB  = Connection through PCIe and a host bridge (a CPU)\n"
    "  PXB  = Connection through several PCIe switches\n"
    "  PIX  = Connection through one PCIe switch\n"
    "  MT#  = Connection through a bonded set of # MTLinks\n";

std::string title(const Gpu& gpu) {
  return fmt::format("GPU {} : {} (UUID : {})\n", gpu.index, gpu.name, gpu.uuid);
}

template <class Line>
std::string eachLink(const std::vector<Gpu>& gpus, const Topology& topology, Line&& line) {
  std::string text;
  for (const Gpu& gpu : gpus) {
    text += title(gpu);
    const std::vector<MtLink>& links = topology.links[gpu.index];
    if (links.empty()) text += "    MTLink is not supported\n";
    for (size_t i = 0; i < links.size(); ++i)
      text += fmt::format("    Link {} : {}\n", i, line(gpu, links[i]));
  }
  return text;
}

}  // namespace

std::string matrix(const Topology& topology, bool withNets, size_t columns) {
  const size_t nets = topology.netNames.size();
  if (!withNets) return ways(topology, 0, false).text() + kLegend;
  const Grid grid = ways(topology, nets, true);
  const bool fits = columns == 0 || grid.width() <= columns;
  std::string text = fits ? grid.text() : ways(topology, nets, false).text() + nearby(topology);
  text += kLegend;
  if (!topology.netNames.empty()) text += "\nNIC Legend:\n\n";
  for (size_t net = 0; net < topology.netNames.size(); ++net)
    text += fmt::format("  NIC{}: {}\n", net, topology.netNames[net]);
  return text;
}

std::string peerMatrix(size_t devices) {
  Grid grid;
  std::vector<std::string> head{""};
  for (size_t i = 0; i < devices; ++i) head.push_back(fmt::format("GPU{}", i));
  grid.add(head);
  for (size_t device = 0; device < devices; ++device) {
    std::vector<std::string> line{fmt::format("GPU{}", device)};
    for (size_t other = 0; other < devices; ++other) line.push_back(device == other ? "X" : "OK");
    grid.add(line);
  }
  return grid.text() +
         "\nLegend:\n\n"
         "  X    = Self\n"
         "  OK   = Status Ok\n"
         "  CNS  = Chipset not supported\n"
         "  GNS  = GPU not supported\n"
         "  U    = Unknown\n";
}

std::string linkStates(const std::vector<Gpu>& gpus, const Topology& topology) {
  return eachLink(gpus, topology, [&](const Gpu& gpu, const MtLink&) {
    return fmt::format("UP, {:.0f} GB/s", topology.linkBandwidth[gpu.index]);
  });
}

std::string linkPeers(const std::vector<Gpu>& gpus, const Topology& topology) {
  return eachLink(gpus, topology, [](const Gpu&, const MtLink& link) {
    if (link.peer < 0) return std::string("a switch");
    if (link.peerLink < 0) return fmt::format("GPU {}", link.peer);
    return fmt::format("GPU {} Link {}", link.peer, link.peerLink);
  });
}

}  // namespace musashim::gmi
