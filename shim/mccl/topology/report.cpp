#include "mccl/topology/report.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "mccl/core/log.h"

namespace musashim::mccl::topology {
namespace {

const char* nameOf(NodeType type) {
  constexpr const char* kNames[] = {"GPU", "PCI", "NVS", "CPU", "NIC", "NET"};
  return kNames[static_cast<int>(type)];
}

const char* nameOf(LinkType type) {
  constexpr const char* kNames[] = {"NVL", "PCI", "SYS", "NET"};
  return kNames[static_cast<int>(type)];
}

std::string nameOf(const Node& node) {
  const bool hasNumber = node.type == NodeType::kGpu || node.type == NodeType::kNet;
  std::string name = fmt::format("{}/{}", nameOf(node.type), hasNumber ? std::to_string(node.dev) : node.id);
  if (node.type == NodeType::kGpu) name += fmt::format(" ({}, rank {})", node.id, node.rank);
  if (node.type == NodeType::kNet) name += fmt::format(" ({})", node.id);
  return name;
}

void reportMachine(const Machine& machine) {
  double widest = 0, most = 0;
  for (const int gpu : machine.gpus()) {
    double total = 0;
    for (const int link : machine.node(gpu).links) {
      widest = std::max(widest, machine.link(link).bandwidth);
      total += machine.link(link).bandwidth;
    }
    most = std::max(most, total);
  }
  logInfo(kGraph, "=== System : maxBw {:.1f} totalBw {:.1f} ===", widest, most);
  for (const Node& node : machine.nodes()) {
    std::string line = nameOf(node);
    for (const int index : node.links) {
      const Link& link = machine.link(index);
      line +=
          fmt::format(" + {}[{:.1f}] - {}", nameOf(link.type), link.bandwidth, nameOf(machine.node(link.to)));
    }
    logInfo(kGraph, "{}", line);
  }
  logInfo(kGraph, "==========================================");
}

void reportPaths(const Paths& paths) {
  const Machine& machine = paths.machine();
  for (size_t gpu = 0; gpu < machine.gpus().size(); ++gpu) {
    std::string line = nameOf(machine.node(machine.gpus()[gpu])) + " :";
    const auto add = [&](int node, const Path& path) {
      const Node& to = machine.node(node);
      line += fmt::format(" {}/{} ({}/{:.1f}/{})", nameOf(to.type), to.dev, path.links.size(), path.bandwidth,
                          topology::nameOf(path.type));
    };
    for (size_t other = 0; other < machine.gpus().size(); ++other)
      add(machine.gpus()[other], paths.between(gpu, other));
    for (size_t net = 0; net < machine.nets().size(); ++net) add(machine.nets()[net], paths.toNet(gpu, net));
    logInfo(kGraph, "{}", line);
  }
}

// A chain's place: children, itself and its parent, in NCCL's notation.
std::string treeAt(const std::vector<int>& chain, int rank) {
  const auto here = std::ranges::find(chain, rank);
  const int up = here == chain.begin() ? -1 : *(here - 1);
  const int down = here + 1 == chain.end() ? -1 : *(here + 1);
  return fmt::format("{}/-1/-1->{}->{}", down, rank, up);
}

}  // namespace

void report(const Paths& paths, const std::vector<Graph>& graphs) {
  reportMachine(paths.machine());
  reportPaths(paths);
  for (const Graph& graph : graphs) {
    logInfo(kGraph, "Pattern {}, crossNic {}, nChannels {}, bw {:f}/{:f}, type {}/{}, sameChannels {}",
            static_cast<int>(graph.pattern), graph.crossNic, graph.channels.size(), graph.speedIntra,
            graph.speedInter, topology::nameOf(graph.typeIntra), topology::nameOf(graph.typeInter),
            graph.sameChannels ? 1 : 0);
    for (size_t i = 0; i < graph.channels.size(); ++i) {
      const Channel& channel = graph.channels[i];
      std::string line = fmt::format("{:2} :", i);
      if (channel.netIn >= 0) line += fmt::format(" NET/{}", channel.netIn);
      for (const int dev : channel.gpus) line += fmt::format(" GPU/{}", dev);
      if (channel.netOut >= 0) line += fmt::format(" NET/{}", channel.netOut);
      logInfo(kGraph, "{}", line);
    }
  }
}

void reportChannels(const ChannelPlan& plan) {
  for (size_t i = 0; i < plan.rings.size(); ++i)
    logInfo(kInit, "Channel {:02}/{:02} : {}", i, plan.rings.size(), fmt::join(plan.rings[i], " "));
  for (const int rank : plan.trees.empty() ? std::vector<int>{} : plan.trees.front()) {
    std::string line = "Trees";
    for (size_t i = 0; i < plan.trees.size(); ++i)
      line += fmt::format(" [{}] {}", i, treeAt(plan.trees[i], rank));
    logInfo(kInit, "{}", line);
  }
}

}  // namespace musashim::mccl::topology
