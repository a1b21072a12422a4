#include "mtml/state/topology.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <cstring>
#include <pugixml.hpp>

#include "mccl/topology/bandwidth.h"
#include "mccl/topology/paths.h"
#include "mccl/topology/plan.h"
#include "mtml/state/machine.h"

namespace musashim::mtml {
namespace {

namespace mccl = musashim::mccl::topology;

PciWay wayOf(mccl::PathType type) {
  switch (type) {
    case mccl::PathType::kLoc:
      return PciWay::kSelf;
    case mccl::PathType::kPix:
      return PciWay::kOneSwitch;
    case mccl::PathType::kPxb:
      return PciWay::kSwitches;
    case mccl::PathType::kPhb:
      return PciWay::kBridge;
    default:
      return PciWay::kSystem;
  }
}

bool isLink(pugi::xml_node node) {
  return std::strcmp(node.name(), "nvlink") == 0 || std::strcmp(node.name(), "xgmi") == 0;
}

std::vector<mccl::RankDevice> allDevices() {
  std::vector<mccl::RankDevice> devices;
  for (unsigned int index = 0; index < monitorTable()->deviceCount(); ++index) {
    MUshimDevice facts;
    if (monitorTable()->device(index, &facts) != MUSA_SUCCESS) break;
    devices.push_back({static_cast<int>(index), static_cast<int>(index),
                       fmt::format("{:04X}:{:02X}:{:02X}.0", facts.pciDomain, facts.pciBus, facts.pciDevice),
                       facts.major * 10 + facts.minor});
  }
  return devices;
}

// The device at a bus id; -1: none, a switch.
int deviceAt(const std::vector<mccl::RankDevice>& devices, const char* bus) {
  const auto found = std::ranges::find_if(
      devices, [&](const mccl::RankDevice& one) { return strcasecmp(one.bus.c_str(), bus) == 0; });
  return found == devices.end() ? -1 : found->device;
}

// "0,000000ff": 32 processors a group, the highest first.
std::vector<int> processorsOf(const char* mask) {
  std::vector<int> processors;
  std::string digits;
  for (const char* at = mask; *at; ++at) {
    if (*at != ',') digits += *at;
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    const int word = std::stoi(digits.substr(digits.size() - 1 - i, 1), nullptr, 16);
    for (int bit = 0; bit < 4; ++bit) {
      if (word >> bit & 1) processors.push_back(static_cast<int>(4 * i) + bit);
    }
  }
  return processors;
}

// <gpu> and <net>, wherever they are.
void collectEnds(pugi::xml_node node, std::vector<pugi::xml_node>& ends) {
  for (const pugi::xml_node child : node.children()) {
    if (std::strcmp(child.name(), "gpu") == 0 || std::strcmp(child.name(), "net") == 0) ends.push_back(child);
    collectEnds(child, ends);
  }
}

// By the first element that is above both.
PciWay wayBetween(const std::vector<pugi::xml_node>& a, const std::vector<pugi::xml_node>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto common = std::ranges::find(b, a[i]);
    if (common == b.end()) continue;
    if (std::strcmp(a[i].name(), "cpu") == 0) return PciWay::kBridge;
    return i <= 1 && common - b.begin() <= 1 ? PciWay::kOneSwitch : PciWay::kSwitches;
  }
  return PciWay::kSystem;
}

class Reader {
 public:
  explicit Reader(Topology& topology) : topology_(topology), devices_(allDevices()) {}

  void run() {
    std::vector<mccl::EmulatedLink> links;
    unsigned int count = 0;
    monitorTable()->links(&count, nullptr);
    std::vector<MUshimLink> found(count);
    monitorTable()->links(&count, found.data());
    for (const MUshimLink& link : found)
      links.push_back({devices_[link.a].bus, devices_[link.b].bus, static_cast<int>(link.mtlinks)});
    mccl::setEmulatedLinks(std::move(links));
    bool showsAll = false;
    if (mccl::machineWith(devices_, false, document_, machine_, showsAll) != mcclSuccess || !showsAll) {
      topology_.error = "the machine's description cannot be used";
      return;
    }
    readElements();
    pairLinks();
    readWays();
  }

 private:
  pugi::xml_node elementOf(int device) {
    return document_.find_node([&](pugi::xml_node node) {
      return std::strcmp(node.name(), "gpu") == 0 && node.attribute("rank").as_int(-1) == device;
    });
  }

  void readElements() {
    for (const mccl::RankDevice& one : devices_) {
      const pugi::xml_node gpu = elementOf(one.rank);
      std::vector<MtLink>& links = topology_.links.emplace_back();
      double bandwidth = 0;
      for (const pugi::xml_node child : gpu.children()) {
        if (!isLink(child)) continue;
        const int peer = deviceAt(devices_, child.attribute("target").as_string());
        links.insert(links.end(), static_cast<size_t>(std::max(0, child.attribute("count").as_int())),
                     {peer, -1});
        const bool isXgmi = std::strcmp(child.name(), "xgmi") == 0;
        bandwidth = isXgmi ? mccl::xgmiBandwidth() : mccl::nvlinkBandwidth(gpu.attribute("sm").as_int());
      }
      topology_.linkBandwidth.push_back(bandwidth);
      pugi::xml_node cpu = gpu;
      while (cpu && std::strcmp(cpu.name(), "cpu") != 0) cpu = cpu.parent();
      topology_.node.push_back(cpu.attribute("numaid").as_int(-1));
      topology_.cpus.push_back(processorsOf(cpu.attribute("affinity").as_string()));
    }
  }

  // The first link of a pair at one end is the first at the other.
  void pairLinks() {
    for (size_t device = 0; device < devices_.size(); ++device) {
      for (MtLink& link : topology_.links[device]) {
        if (link.peer < 0 || link.peerLink >= 0) continue;
        const auto own = static_cast<int>(&link - topology_.links[device].data());
        std::vector<MtLink>& others = topology_.links[static_cast<size_t>(link.peer)];
        const auto other = std::ranges::find_if(others, [&](const MtLink& one) {
          return one.peer == static_cast<int>(device) && one.peerLink < 0;
        });
        if (other == others.end()) continue;
        link.peerLink = static_cast<int>(other - others.begin());
        other->peerLink = own;
      }
    }
  }

  // The ways without MTLinks: those on the PCI bus, as if data went on it from any device to any other.
  void readWays() {
    std::vector<pugi::xml_node> links;
    for (const mccl::RankDevice& one : devices_) {
      for (const pugi::xml_node child : elementOf(one.rank).children()) {
        if (isLink(child)) links.push_back(child);
      }
    }
    for (const pugi::xml_node link : links) link.parent().remove_child(link);
    std::vector<pugi::xml_node> ends;
    collectEnds(document_, ends);
    for (pugi::xml_node end : ends) {
      end.remove_attribute("gdr");
      end.append_attribute("gdr") = "1";
    }
    mccl::Machine bus;
    if (mccl::Machine::make(document_, "this machine", bus) != mcclSuccess) return;
    const mccl::Paths paths(bus);
    // By numbers of devices.
    std::vector<size_t> places(devices_.size());
    for (size_t i = 0; i < bus.gpus().size(); ++i)
      places[static_cast<size_t>(bus.node(bus.gpus()[i]).rank)] = i;
    for (const size_t from : places) {
      std::vector<PciWay>& ways = topology_.devices.emplace_back();
      for (const size_t to : places) ways.push_back(wayOf(paths.between(from, to).type));
      std::vector<PciWay>& toNets = topology_.toNets.emplace_back();
      for (size_t net = 0; net < bus.nets().size(); ++net)
        toNets.push_back(wayOf(paths.toNet(from, net).type));
    }
    for (const int net : bus.nets()) {
      topology_.netNames.push_back(bus.node(net).id);
      std::vector<PciWay>& ways = topology_.nets.emplace_back();
      for (const int other : bus.nets())
        ways.push_back(net == other ? PciWay::kSelf
                                    : wayBetween(placeOf(bus.node(net)), placeOf(bus.node(other))));
    }
  }

  // What the elements above a network device are, from it to its CPU.
  std::vector<pugi::xml_node> placeOf(const mccl::Node& net) {
    pugi::xml_node element = document_.find_node([&](pugi::xml_node node) {
      return std::strcmp(node.name(), "net") == 0 && net.id == node.attribute("name").as_string();
    });
    std::vector<pugi::xml_node> above;
    for (element = element.parent().parent(); element && above.size() < 64; element = element.parent()) {
      above.push_back(element);
      if (std::strcmp(element.name(), "cpu") == 0) break;
    }
    return above;
  }

  Topology& topology_;
  const std::vector<mccl::RankDevice> devices_;
  pugi::xml_document document_;
  mccl::Machine machine_;
};

}  // namespace

size_t Topology::linksBetween(size_t device, size_t other) const {
  if (device == other) return 0;
  const auto count = [&](size_t from, int to) {
    return static_cast<size_t>(std::ranges::count(links[from], to, &MtLink::peer));
  };
  // A link that one end alone tells of is one all the same.
  const size_t direct =
      std::max(count(device, static_cast<int>(other)), count(other, static_cast<int>(device)));
  return direct != 0 ? direct : std::min(count(device, -1), count(other, -1));
}

const Topology& topology() {
  static const Topology* const kFound = [] {
    auto* found = new Topology;
    Reader(*found).run();
    return found;
  }();
  return *kFound;
}

}  // namespace musashim::mtml
