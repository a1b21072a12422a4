#include "mccl/topology/plan.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "mccl/core/log.h"
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

// Rings and trees have as many channels, those of the graph that has fewer.
mcclResult_t channelsOf(const std::vector<Graph>& graphs, const Machine& machine, const HostMap& hosts,
                        std::vector<std::vector<int>>& rings) {
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
    reportChannels(graph, channels, hosts);
    if (graph.id == GraphId::kRing && hosts.count() == 1) rings = std::move(channels);
  }
  return mcclSuccess;
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

mcclResult_t planFor(const Roster& roster, std::vector<std::vector<int>>& rings) {
  if (!isWanted()) return mcclSuccess;
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
  MCCL_RETURN_IF_ERROR(writeFiles(document, graphs));
  return channelsOf(graphs, machine, HostMap(roster), rings);
}

}  // namespace musashim::mccl::topology
