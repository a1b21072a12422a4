#include "mccl/topology/plan.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "mccl/core/log.h"
#include "mccl/hosts/choice.h"
#include "mccl/hosts/host_map.h"
#include "mccl/net/net.h"
#include "mccl/topology/detect/detect.h"
#include "mccl/topology/document.h"
#include "mccl/topology/graph.h"
#include "mccl/topology/networks.h"
#include "mccl/topology/place.h"
#include "mccl/topology/report.h"
#include "mccl/topology/search.h"

namespace musashim::mccl::topology {
namespace {

struct Files {
  mcclResult_t result = mcclSuccess;
  std::string error;
  bool hasMachine = false;
  pugi::xml_document machine;
  std::vector<Graph> graphs;
};

mcclResult_t readMachine(Files& files) {
  const std::string& path = settings().topoFile;
  if (path.empty()) return mcclSuccess;
  logInfo(kEnv, "MCCL_TOPO_FILE set by environment to {}", path);
  if (access(path.c_str(), F_OK) != 0) {
    logInfo(kGraph, "{} is not there: the machine is looked at instead", path);
    return mcclSuccess;
  }
  MCCL_RETURN_IF_ERROR(readDocument(path, "system", files.machine));
  Machine machine;
  MCCL_RETURN_IF_ERROR(Machine::make(files.machine, path, machine));
  files.hasMachine = true;
  return mcclSuccess;
}

mcclResult_t readGraphFile(Files& files) {
  const std::string& path = settings().graphFile;
  if (path.empty()) return mcclSuccess;
  logInfo(kEnv, "MCCL_GRAPH_FILE set by environment to {}", path);
  pugi::xml_document document;
  MCCL_RETURN_IF_ERROR(readDocument(path, "graphs", document));
  return readGraphs(document, path, files.graphs);
}

const Files& files() {
  static const Files* const kFiles = [] {
    auto* read = new Files;
    read->result = readMachine(*read);
    if (read->result == mcclSuccess) read->result = readGraphFile(*read);
    if (read->result != mcclSuccess) read->error = lastError();
    return read;
  }();
  return *kFiles;
}

std::vector<EmulatedLink>& emulatedLinks() {
  static std::vector<EmulatedLink>& kLinks = *new std::vector<EmulatedLink>;  // never destroyed
  return kLinks;
}

// Looking at the machine takes some milliseconds: not for those who learn nothing of it. Who chooses the
// algorithm does, so that what the log is to tell changes no result.
bool isWanted() {
  const Settings& wanted = settings();
  return !wanted.topoFile.empty() || !wanted.topoDumpFile.empty() || !wanted.graphFile.empty() ||
         !wanted.graphDumpFile.empty() || !wanted.algorithm.empty() || wanted.debug >= DebugLevel::kInfo;
}

std::vector<RankDevice> devicesOn(const Roster& roster, const MachineToken& machine) {
  std::vector<RankDevice> devices;
  for (size_t rank = 0; rank < roster.ranks.size(); ++rank) {
    const RankInfo& info = roster.ranks[rank];
    if (info.machine == machine)
      devices.push_back({static_cast<int>(rank), info.device, info.bus, info.capability});
  }
  return devices;
}

// The ranks of each channel; nothing when a graph from a file has others than the machine.
std::vector<std::vector<int>> ranksOf(const Graph& graph, const Machine& machine) {
  std::vector<std::vector<int>> rings;
  for (const Channel& channel : graph.channels) {
    std::vector<int>& ring = rings.emplace_back();
    for (const int dev : channel.gpus) {
      const auto& gpus = machine.gpus();
      const auto gpu = std::ranges::find(gpus, dev, [&](int index) { return machine.node(index).dev; });
      if (gpu == gpus.end() || std::ranges::find(ring, machine.node(*gpu).rank) != ring.end()) return {};
      ring.push_back(machine.node(*gpu).rank);
    }
    if (ring.size() != machine.gpus().size()) return {};
  }
  return rings;
}

// Rings and trees have as many channels, those of the graph that has fewer. By places of the ranks.
mcclResult_t ordersOf(const std::vector<Graph>& graphs, const Machine& machine, const std::vector<int>& ranks,
                      ChannelPlan& plan) {
  size_t count = kMostChannels;
  for (const Graph& graph : graphs) {
    const bool isUsed = graph.id == GraphId::kRing || graph.id == GraphId::kTree;
    if (isUsed && !graph.channels.empty()) count = std::min(count, graph.channels.size());
  }
  for (const Graph& graph : graphs) {
    if (graph.id != GraphId::kRing && graph.id != GraphId::kTree) continue;
    std::vector<std::vector<int>> channels = ranksOf(graph, machine);
    if (channels.empty() && !graph.channels.empty()) {
      return fail(mcclInvalidUsage, "{}: its channels are not those of this communicator's {} devices",
                  settings().graphFile, machine.gpus().size());
    }
    channels.resize(std::min(channels.size(), count));
    for (std::vector<int>& channel : channels) {
      for (int& rank : channel) rank = static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
    }
    (graph.id == GraphId::kRing ? plan.rings : plan.trees) = std::move(channels);
  }
  return mcclSuccess;
}

// By name; those of a machine from a file are carried in turn by those that there are.
int deviceOf(const Machine& machine, int dev) {
  Net* const net = theNet();
  const auto node =
      std::ranges::find(machine.nets(), dev, [&](int index) { return machine.node(index).dev; });
  for (int device = 0; net && node != machine.nets().end() && device < net->devices(); ++device) {
    NetProperties properties;
    const bool isKnown = net->properties(device, properties) == mcclSuccess;
    if (isKnown && properties.name == machine.node(*node).id) return device;
  }
  return net && dev >= 0 ? dev % std::max(1, net->devices()) : 0;
}

// NICs and nearest devices, for what goes to other hosts.
void addDevices(const std::vector<Graph>& graphs, const Paths& paths, const std::vector<int>& ranks,
                ChannelPlan& plan) {
  const Machine& machine = paths.machine();
  const size_t count = std::min(plan.rings.size(), plan.trees.size());
  plan.rings.resize(count);
  plan.trees.resize(count);
  plan.devices.resize(count);
  const auto device = [&](int dev) { return static_cast<signed char>(deviceOf(machine, dev)); };
  for (const Graph& graph : graphs) {
    const bool isRing = graph.id == GraphId::kRing;
    if (!isRing && graph.id != GraphId::kTree) continue;
    for (size_t i = 0; i < count; ++i) {
      const Channel& channel = graph.channels[i];
      ChannelPlan::Devices& devices = plan.devices[i];
      (isRing ? devices.ringIn : devices.treeIn) = device(channel.netIn);
      (isRing ? devices.ringOut : devices.treeOut) =
          device(channel.netOut >= 0 ? channel.netOut : channel.netIn);
    }
    if (isRing && count > 0) plan.bytesPerUs = static_cast<double>(count) * graph.speedInter * 1e3;
    plan.latencyUs = std::max(plan.latencyUs, kUsualLatencyUs + graph.latencyInter);
  }
  plan.near.assign(ranks.size(), {});
  for (size_t gpu = 0; gpu < machine.gpus().size(); ++gpu) {
    const int rank = machine.node(machine.gpus()[gpu]).rank;
    const auto place = static_cast<size_t>(std::ranges::find(ranks, rank) - ranks.begin());
    PathType nearest = PathType::kDis;
    for (size_t net = 0; net < machine.nets().size() && place < ranks.size(); ++net) {
      const PathType type = paths.toNet(gpu, net).type;
      if (type < nearest) plan.near[place].clear();
      nearest = std::min(nearest, type);
      if (type == nearest) plan.near[place].push_back(device(machine.node(machine.nets()[net]).dev));
    }
  }
}

// Where channels leave by other devices than they come in by, those of every second host are exchanged in
// pairs: what leaves one host by a device comes into the next by the same.
void pairCrossing(int host, ChannelPlan& plan) {
  if (host % 2 == 0 || plan.devices.size() % 2 != 0) return;
  for (size_t i = 0; i < plan.devices.size(); i += 2) {
    ChannelPlan::Devices &one = plan.devices[i], &other = plan.devices[i + 1];
    if (one.ringIn == one.ringOut || one.ringIn != other.ringOut || one.ringOut != other.ringIn) continue;
    std::swap(one.ringIn, other.ringIn);
    std::swap(one.ringOut, other.ringOut);
    std::swap(plan.rings[i], plan.rings[i + 1]);
  }
}

mcclResult_t writeFiles(const pugi::xml_document& machine, const std::vector<Graph>& graphs) {
  if (const std::string& path = settings().topoDumpFile; !path.empty()) {
    MCCL_RETURN_IF_ERROR(writeDocument(machine, path));
    logInfo(kEnv, "MCCL_TOPO_DUMP_FILE set by environment to {}", path);
  }
  if (const std::string& path = settings().graphDumpFile; !path.empty()) {
    pugi::xml_document document;
    writeGraphs(graphs, document);
    MCCL_RETURN_IF_ERROR(writeDocument(document, path));
    logInfo(kEnv, "MCCL_GRAPH_DUMP_FILE set by environment to {}", path);
  }
  return mcclSuccess;
}

}  // namespace

mcclResult_t checkFiles() {
  if (files().result == mcclSuccess) return mcclSuccess;
  return fail(files().result, "{}", files().error);
}

void setEmulatedLinks(std::vector<EmulatedLink> links) { emulatedLinks() = std::move(links); }

mcclResult_t machineWith(const std::vector<RankDevice>& devices, bool usesNetwork,
                         pugi::xml_document& document, Machine& machine, bool& showsAll) {
  MCCL_RETURN_IF_ERROR(checkFiles());
  if (files().hasMachine) {
    document.reset(files().machine);
  } else {
    detectMachine(document);
  }
  showsAll = placeRanks(devices, document);
  if (!showsAll) return mcclSuccess;
  placeLinks(emulatedLinks(), document);
  fillProcessors(document);
  if (!files().hasMachine && usesNetwork) markNetworks(document);
  return Machine::make(document, files().hasMachine ? settings().topoFile : "this machine", machine);
}

mcclResult_t planFor(const Roster& roster, ChannelPlan& plan) {
  if (!isWanted() && !roster.hasFarRanks()) return mcclSuccess;
  const std::vector<RankDevice> devices = devicesOn(roster, machineToken());
  if (devices.empty()) return mcclSuccess;  // the ranks meet here, and none of them is of this host
  pugi::xml_document document;
  Machine machine;
  bool showsAll = false;
  MCCL_RETURN_IF_ERROR(machineWith(devices, roster.hasFarRanks(), document, machine, showsAll));
  if (!showsAll) {
    logInfo(kGraph,
            "ranks share devices: the machine is not searched, and rings are in the order of the ranks");
    return mcclSuccess;
  }
  const Paths paths(machine);
  const bool severalMachines = devices.size() != roster.ranks.size();
  std::vector<Graph> graphs = files().graphs;
  if (graphs.empty()) graphs = searchGraphs(paths, severalMachines, static_cast<int>(settings().crossNic));
  report(paths, graphs);
  const HostMap hosts(roster);
  // Each host has a machine; the first one's is the one in the files.
  if (hosts.own() == 0) MCCL_RETURN_IF_ERROR(writeFiles(document, graphs));
  const std::vector<int> ranks = roster.nearRanks();
  MCCL_RETURN_IF_ERROR(ordersOf(graphs, machine, ranks, plan));
  if (!severalMachines) {
    reportChannels(plan);
    return mcclSuccess;
  }
  addDevices(graphs, paths, ranks, plan);
  pairCrossing(hosts.own(), plan);
  return mcclSuccess;
}

}  // namespace musashim::mccl::topology
