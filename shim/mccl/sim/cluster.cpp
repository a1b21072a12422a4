#include "mccl/sim/cluster.h"

#include <algorithm>

#include "mccl/core/log.h"
#include "mccl/topology/document.h"
#include "mccl/topology/place.h"

namespace musashim::mccl::sim {
namespace {

using topology::RankDevice;

struct Devices : pugi::xml_tree_walker {
  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "gpu") elements.push_back(node);
    if (std::string_view(node.name()) == "net") ++nets;
    const std::string_view kind = node.attribute("class").value();
    if (kind.starts_with("0x0302")) displays.push_back(node);
    if (kind.starts_with("0x0200") || kind.starts_with("0x0207")) adapters.push_back(node);
    return true;
  }
  std::vector<pugi::xml_node> elements, displays, adapters;
  size_t nets = 0;
};

// By <gpu>, or where a vendor's file has none, by the class of PCI devices.
std::vector<RankDevice> devicesOf(pugi::xml_document& document) {
  Devices found;
  document.traverse(found);
  std::vector<RankDevice> devices;
  for (const pugi::xml_node gpu : found.elements) {
    devices.push_back({0, gpu.attribute("dev").as_int(static_cast<int>(devices.size())),
                       gpu.parent().attribute("busid").value(), gpu.attribute("sm").as_int()});
  }
  if (devices.empty()) {
    for (pugi::xml_node pci : found.displays) {
      topology::setAttribute(pci.append_child("gpu"), "gdr", "1");
      devices.push_back({0, static_cast<int>(devices.size()), pci.attribute("busid").value(), 0});
    }
  }
  std::ranges::sort(devices, {}, &RankDevice::device);
  for (size_t i = 0; i < devices.size(); ++i) devices[i].rank = static_cast<int>(i);
  return devices;
}

// Vendors' files tell where network devices are, and nothing else of them.
void addNets(pugi::xml_document& document, double bandwidth) {
  Devices found;
  document.traverse(found);
  if (found.nets > 0 || bandwidth <= 0) return;
  for (size_t i = 0; i < found.adapters.size(); ++i) {
    pugi::xml_node net = found.adapters[i].append_child("nic").append_child("net");
    topology::setAttribute(net, "name", fmt::format("net{}", i));
    topology::setAttribute(net, "dev", fmt::format("{}", i));
    topology::setAttribute(net, "speed", fmt::format("{:.0f}", bandwidth * 8000));
    topology::setAttribute(net, "gdr", "1");
  }
}

}  // namespace

mcclResult_t Cluster::make(const std::string& machineFile, const FabricFile& file, int hosts, int devices,
                           std::unique_ptr<Cluster>& cluster) {
  cluster = std::make_unique<Cluster>();
  cluster->hosts_ = hosts;
  pugi::xml_document document;
  MCCL_RETURN_IF_ERROR(topology::readDocument(machineFile, "system", document));
  std::vector<RankDevice> ranks = devicesOf(document);
  if (ranks.empty()) return fail(mcclInvalidUsage, "{}: a machine without a GPU", machineFile);
  if (devices > static_cast<int>(ranks.size())) {
    return fail(mcclInvalidUsage, "{}: {} GPUs a host are asked for, and there are {}", machineFile, devices,
                ranks.size());
  }
  if (devices > 0) ranks.resize(static_cast<size_t>(devices));
  if (!topology::placeRanks(ranks, document))
    return fail(mcclInvalidUsage, "{}: two GPUs at one bus id", machineFile);
  addNets(document, file.host.bandwidth);
  topology::Machine& machine = cluster->machine_;
  MCCL_RETURN_IF_ERROR(topology::Machine::make(document, machineFile, machine));
  if (hosts > 1 && machine.nets().empty()) {
    return fail(
        mcclInvalidUsage,
        "{}: a machine without a <net>, which {} hosts need; with a speed of host-link in the fabric's "
        "file, PCI devices that are network adapters are taken",
        machineFile, hosts);
  }
  cluster->paths_ = std::make_unique<topology::Paths>(machine);
  cluster->graphs_ = topology::searchGraphs(*cluster->paths_, hosts > 1, 2);
  std::vector<double> nics;
  for (const int net : machine.nets())
    nics.push_back(machine.link(machine.node(net).links.front()).bandwidth);
  return Fabric::make(file, hosts, nics, cluster->fabric_);
}

size_t Cluster::gpuPlace(int dev) const {
  const auto& gpus = machine_.gpus();
  return static_cast<size_t>(
      std::ranges::find(gpus, dev, [&](int index) { return machine_.node(index).dev; }) - gpus.begin());
}
size_t Cluster::netPlace(int dev) const {
  const auto& nets = machine_.nets();
  return static_cast<size_t>(
      std::ranges::find(nets, dev, [&](int index) { return machine_.node(index).dev; }) - nets.begin());
}

size_t Cluster::nearestNet(size_t gpu) const {
  std::vector<size_t> nearest;
  for (size_t net = 0; net < machine_.nets().size(); ++net) {
    const auto worth = [&](size_t one) {
      const topology::Path& path = paths_->toNet(gpu, one);
      return std::pair(path.type, -path.bandwidth);
    };
    if (!nearest.empty() && worth(net) < worth(nearest.front())) nearest.clear();
    if (nearest.empty() || worth(net) == worth(nearest.front())) nearest.push_back(net);
  }
  return nearest[gpu % nearest.size()];
}

}  // namespace musashim::mccl::sim
