// <system> -> CPUs -> PCI trees -> GPUs and NICs, then NVLinks by bus id, then the sockets' links.
#include "mccl/topology/machine.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "mccl/core/log.h"

namespace musashim::mccl::topology {
namespace {

constexpr size_t kMostNodes = 4096;
constexpr unsigned kSwitchClass = 0x068000;

Processor processorOf(pugi::xml_node cpu) {
  const std::string arch = cpu.attribute("arch").as_string("x86_64");
  const std::string vendor = cpu.attribute("vendor").as_string();
  Processor processor;
  processor.arch = arch == "x86_64"  ? Arch::kX86
                   : arch == "arm64" ? Arch::kArm
                   : arch == "ppc64" ? Arch::kPower
                                     : Arch::kOther;
  processor.vendor = vendor == "GenuineIntel"                               ? Vendor::kIntel
                     : vendor == "AuthenticAMD"                             ? Vendor::kAmd
                     : vendor == "CentaurHauls" || vendor == "  Shanghai  " ? Vendor::kZhaoxin
                                                                            : Vendor::kOther;
  processor.family = cpu.attribute("familyid").as_int();
  processor.model = cpu.attribute("modelid").as_int();
  return processor;
}

// Broadcom's Gen4 and Gen5 switches show themselves as a switch with switches below; inside they are one.
bool isHalfOf(pugi::xml_node inner, pugi::xml_node outer) {
  const std::string vendor = inner.attribute("vendor").as_string(),
                    device = inner.attribute("device").as_string();
  return vendor == "0x1000" && (device == "0xc010" || device == "0xc030") && inner.child("pci") &&
         vendor == outer.attribute("vendor").as_string() && device == outer.attribute("device").as_string();
}

// A peer that a virtual machine does not show is taken for a switch.
bool isSwitch(pugi::xml_node link, const std::string& target) {
  const pugi::xml_attribute targetClass = link.attribute("tclass");
  return targetClass ? targetClass.as_uint() == kSwitchClass : target.starts_with("fffffff:");
}

double pciBandwidthOf(pugi::xml_node pci) {
  return pciBandwidth(pci.attribute("link_speed").as_string(), pci.attribute("link_width").as_int());
}

}  // namespace

class MachineReader {
 public:
  MachineReader(Machine& machine, const std::string& name) : machine_(machine), name_(name) {}

  mcclResult_t read(pugi::xml_node system) {
    const std::string version = system.attribute("version").as_string();
    if (version != "1" && version != "2") {
      return fail(mcclInvalidUsage, "{}: <system version=\"{}\">; versions 1 (NCCL) and 2 (RCCL) are known",
                  name_, version);
    }
    for (const pugi::xml_node cpu : system.children("cpu")) readCpu(cpu);
    if (machine_.cpus_.empty()) return fail(mcclInvalidUsage, "{}: a machine without a <cpu>", name_);
    if (isTooLarge_) return fail(mcclInvalidUsage, "{}: more than {} nodes", name_, kMostNodes);
    for (const Fabric& fabric : fabrics_) connect(fabric);
    connectCpus();
    return order();
  }

 private:
  struct Fabric {  // <nvlink> or <xgmi>
    int gpu;
    pugi::xml_node element;
    bool isXgmi;
  };

  int add(NodeType type, const std::string& id) {
    isTooLarge_ = isTooLarge_ || machine_.nodes_.size() >= kMostNodes;
    Node node{};
    node.type = type;
    node.id = id;
    machine_.nodes_.push_back(std::move(node));
    return static_cast<int>(machine_.nodes_.size()) - 1;
  }

  Node& node(int index) { return machine_.nodes_[static_cast<size_t>(index)]; }

  // From `a` to `b`; more of the same makes the link wider.
  void addLink(int a, int b, LinkType type, double bandwidth) {
    for (const int known : node(a).links) {
      Link& link = machine_.links_[static_cast<size_t>(known)];
      if (link.to != b || link.type != type) continue;
      link.bandwidth += bandwidth;
      return;
    }
    node(a).links.push_back(static_cast<int>(machine_.links_.size()));
    machine_.links_.push_back({type, a, b, bandwidth});
  }
  void addLinks(int a, int b, LinkType type, double bandwidth) {
    addLink(a, b, type, bandwidth);
    addLink(b, a, type, bandwidth);
  }
  bool isLinked(int a, int b, LinkType type) {
    return std::ranges::any_of(node(a).links, [&](int link) {
      return machine_.link(link).to == b && machine_.link(link).type == type;
    });
  }

  void readCpu(pugi::xml_node element) {
    const int cpu = add(NodeType::kCpu, element.attribute("numaid").as_string("-1"));
    node(cpu).processor = processorOf(element);
    machine_.cpus_.push_back(cpu);
    for (const pugi::xml_node child : element.children()) {
      if (std::strcmp(child.name(), "pci") == 0) readPci(child, cpu, element);
      // A network device of a virtual machine, whose place is not known.
      if (std::strcmp(child.name(), "nic") == 0) readNic(child, cpu, "", pciBandwidth("", 0));
    }
  }

  void readPci(pugi::xml_node element, int above, pugi::xml_node elementAbove) {
    if (isTooLarge_) return;
    const std::string id = element.attribute("busid").as_string();
    const double bandwidth = pciBandwidthOf(element);
    if (const pugi::xml_node gpu = element.child("gpu")) {
      readGpu(gpu, id, above, bandwidth);
      return;
    }
    if (const pugi::xml_node nic = element.child("nic")) {
      readNic(nic, above, id, bandwidth);
      return;
    }
    int here = above;
    if (!isHalfOf(element, elementAbove)) {
      here = add(NodeType::kPci, id);
      addLinks(here, above, LinkType::kPci, bandwidth);
    }
    for (const pugi::xml_node child : element.children("pci")) readPci(child, here, element);
  }

  void readGpu(pugi::xml_node element, const std::string& id, int above, double bandwidth) {
    const int gpu = add(NodeType::kGpu, id);
    node(gpu).dev = element.attribute("dev").as_int(-1);
    node(gpu).rank = element.attribute("rank").as_int(-1);
    node(gpu).capability = element.attribute("sm").as_int();
    node(gpu).gdr = element.attribute("gdr").as_int() != 0;
    addLinks(gpu, above, LinkType::kPci, bandwidth);
    machine_.gpus_.push_back(gpu);
    gpuAt_.emplace(id, gpu);
    for (const pugi::xml_node child : element.children()) {
      const bool isXgmi = std::strcmp(child.name(), "xgmi") == 0;
      if (isXgmi || std::strcmp(child.name(), "nvlink") == 0) fabrics_.push_back({gpu, child, isXgmi});
    }
  }

  void readNic(pugi::xml_node element, int above, const std::string& id, double bandwidth) {
    int nic = -1;
    for (const pugi::xml_node child : element.children("net")) {
      if (!child.attribute("dev")) {
        logInfo(kGraph, "{}: <net name=\"{}\"> has no dev and is left out", name_,
                child.attribute("name").as_string());
        continue;
      }
      if (nic < 0) {
        nic = add(NodeType::kNic, id);
        addLinks(nic, above, LinkType::kPci, bandwidth);
      }
      const int net = add(NodeType::kNet, child.attribute("name").as_string());
      const int megabits = child.attribute("speed").as_int();
      node(net).dev = child.attribute("dev").as_int();
      node(net).port = child.attribute("port").as_int();
      node(net).latency = child.attribute("latency").as_double();
      node(net).gdr = child.attribute("gdr").as_int() != 0;
      addLinks(net, nic, LinkType::kNet, (megabits > 0 ? megabits : 10000) / 8000.0);
      machine_.nets_.push_back(net);
    }
  }

  void connect(const Fabric& fabric) {
    const int count = fabric.element.attribute("count").as_int();
    const std::string target = fabric.element.attribute("target").as_string();
    const double bandwidth =
        (fabric.isXgmi ? xgmiBandwidth() : nvlinkBandwidth(node(fabric.gpu).capability)) * count;
    if (count <= 0) return;
    // Switches are one to whom they connect: all GPUs reach all.
    if (isSwitch(fabric.element, target)) {
      if (switch_ < 0) switch_ = add(NodeType::kSwitch, "switch");
      addLinks(fabric.gpu, switch_, LinkType::kNvl, bandwidth);
      return;
    }
    const auto peer = gpuAt_.find(target);
    if (peer == gpuAt_.end() || peer->second == fabric.gpu) {
      logInfo(kGraph, "{}: GPU {} has a link to {}, which is no other GPU here", name_, node(fabric.gpu).id,
              target);
      return;
    }
    addLink(fabric.gpu, peer->second, LinkType::kNvl, bandwidth);
  }

  void connectCpus() {
    for (const int a : machine_.cpus_) {
      for (const int b : machine_.cpus_) {
        if (a != b) addLink(a, b, LinkType::kSys, socketBandwidth(node(a).processor));
      }
    }
  }

  mcclResult_t order() {
    // A link that one end alone tells of goes both ways.
    for (size_t i = 0; i < machine_.links_.size(); ++i) {
      const Link link = machine_.links_[i];
      if (link.type == LinkType::kNvl && !isLinked(link.to, link.from, link.type))
        addLink(link.to, link.from, link.type, link.bandwidth);
    }
    for (std::vector<int>* list : {&machine_.gpus_, &machine_.nets_}) {
      std::ranges::sort(*list, {}, [&](int index) { return std::pair(node(index).dev, index); });
      const auto twins = std::ranges::adjacent_find(*list, {}, [&](int index) { return node(index).dev; });
      if (twins != list->end() && node(*twins).dev >= 0) {
        return fail(mcclInvalidUsage, "{}: two of {} have dev=\"{}\"", name_,
                    list == &machine_.gpus_ ? "the GPUs" : "the network devices", node(*twins).dev);
      }
    }
    return mcclSuccess;
  }

  Machine& machine_;
  const std::string& name_;
  std::map<std::string, int> gpuAt_;
  std::vector<Fabric> fabrics_;
  int switch_ = -1;
  bool isTooLarge_ = false;
};

mcclResult_t Machine::make(const pugi::xml_document& document, const std::string& name, Machine& machine) {
  machine = {};
  return MachineReader(machine, name).read(document.document_element());
}

}  // namespace musashim::mccl::topology
