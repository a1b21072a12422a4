// hwloc's objects -> a <cpu> for each NUMA node -> the PCI switches above network devices -> <nic> and <net>.
#include "mccl/topology/detect/detect.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mccl/core/log.h"
#include "mccl/topology/bandwidth.h"
#include "mccl/topology/detect/hwloc_library.h"
#include "mccl/topology/detect/later_file.h"
#include "mccl/topology/detect/sysfs.h"
#include "mccl/topology/document.h"

namespace musashim::mccl::topology {
namespace {

using PciDevice = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

constexpr const char* kArch =
#if defined(__aarch64__)
    "arm64";
#elif defined(__powerpc64__)
    "ppc64";
#else
    "x86_64";
#endif

// hwloc takes another machine's files from HWLOC_FSROOT alone: there is no call for it.
class FsRoot {
 public:
  FsRoot() : isSet_(!Sysfs::root().empty() && !std::getenv("HWLOC_FSROOT")) {
    if (isSet_) setenv("HWLOC_FSROOT", Sysfs::root().c_str(), 1);
  }
  ~FsRoot() {
    if (isSet_) unsetenv("HWLOC_FSROOT");
  }
  FsRoot(const FsRoot&) = delete;
  FsRoot& operator=(const FsRoot&) = delete;

 private:
  const bool isSet_;
};

const char* infoOf(hwloc_obj_t object, const char* name) {
  for (unsigned i = 0; i < object->infos_count; ++i) {
    if (std::strcmp(object->infos[i].name, name) == 0) return object->infos[i].value;
  }
  return nullptr;
}

std::string busIdOf(const PciDevice& pci) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.dev, pci.func);
}

// hwloc tells GB/s of the link as it is: the speed and the number of lanes that come nearest; of
// those that come about as near, the most lanes.
void guessLink(double gigabytes, pugi::xml_node pci) {
  constexpr struct {
    const char* speed;
    double lane;
  } kSpeeds[] = {{"2.5 GT/s PCIe", .25},    {"5.0 GT/s PCIe", .5},     {"8.0 GT/s PCIe", .985},
                 {"16.0 GT/s PCIe", 1.969}, {"32.0 GT/s PCIe", 3.938}, {"64.0 GT/s PCIe", 7.563}};
  const char* nearest = nullptr;
  int width = 0;
  double distance = .02 * gigabytes;
  for (const int lanes : {16, 8, 4, 2, 1}) {
    for (const auto& [speed, lane] : kSpeeds) {
      if (std::abs(lane * lanes - gigabytes) + .005 * gigabytes >= distance) continue;
      distance = std::abs(lane * lanes - gigabytes);
      nearest = speed;
      width = lanes;
    }
  }
  if (!nearest) return;
  initAttribute(pci, "link_speed", nearest);
  initAttribute(pci, "link_width", std::to_string(width));
}

class Detector {
 public:
  Detector(const HwlocLibrary& hwloc, hwloc_topology_t topology, pugi::xml_document& document)
      : hwloc_(hwloc),
        topology_(topology),
        document_(document),
        sysfs_(hwloc.isThisSystem(topology) != 0 || !Sysfs::root().empty()) {}

  void run() {
    addCpus();
    // Network devices with RDMA are those that data goes by, where there are some.
    for (const hwloc_obj_osdev_type_e type : {HWLOC_OBJ_OSDEV_OPENFABRICS, HWLOC_OBJ_OSDEV_NETWORK}) {
      for (hwloc_obj_t device : all(HWLOC_TYPE_DEPTH_OS_DEVICE)) {
        if (device->attr->osdev.type == type) addNet(device, type == HWLOC_OBJ_OSDEV_OPENFABRICS);
      }
      if (nets_ > 0) return;
    }
  }

 private:
  std::vector<hwloc_obj_t> all(int depth) const {
    std::vector<hwloc_obj_t> objects;
    const unsigned count = hwloc_.countAt(topology_, depth);
    for (unsigned i = 0; i < count; ++i) objects.push_back(hwloc_.objectAt(topology_, depth, i));
    return objects;
  }

  // 32 bits a group, the highest first.
  std::string maskOf(hwloc_const_bitmap_t set) const {
    constexpr int kBits = 8 * sizeof(unsigned long);
    const int last = std::max(0, hwloc_.last(set));
    std::string mask;
    for (int group = last / 32; group >= 0; --group) {
      const unsigned long word = hwloc_.word(set, static_cast<unsigned>(group * 32 / kBits));
      mask +=
          fmt::format("{}{:08x}", mask.empty() ? "" : ",", static_cast<uint32_t>(word >> group * 32 % kBits));
    }
    return mask;
  }

  void addCpus() {
    for (hwloc_obj_t numa : all(HWLOC_TYPE_DEPTH_NUMANODE)) {
      pugi::xml_node cpu = document_.document_element().append_child("cpu");
      setAttribute(cpu, "numaid", std::to_string(numa->os_index));
      if (numa->cpuset) setAttribute(cpu, "affinity", maskOf(numa->cpuset));
      describe(numa, cpu);
      numas_.push_back({numa, cpu});
    }
  }

  // By the package that the NUMA node is part of, or the first one if it holds several.
  void describe(hwloc_obj_t numa, pugi::xml_node cpu) const {
    const hwloc_obj_t root = hwloc_.objectAt(topology_, 0, 0);
    const char* const machine = infoOf(root, "Architecture");
    setAttribute(cpu, "arch",
                 !machine                                 ? kArch
                 : std::strcmp(machine, "aarch64") == 0   ? "arm64"
                 : std::strncmp(machine, "ppc64", 5) == 0 ? "ppc64"
                                                          : machine);
    hwloc_obj_t package = numa;
    while (package && package->type != HWLOC_OBJ_PACKAGE) package = package->parent;
    if (!package) package = firstPackage(root);
    if (!package) return;
    constexpr struct {
      const char *info, *attribute;
    } kInfos[] = {{"CPUVendor", "vendor"}, {"CPUFamilyNumber", "familyid"}, {"CPUModelNumber", "modelid"}};
    for (const auto& [info, attribute] : kInfos) {
      if (const char* value = infoOf(package, info)) setAttribute(cpu, attribute, value);
    }
  }

  static hwloc_obj_t firstPackage(hwloc_obj_t object) {
    if (object->type == HWLOC_OBJ_PACKAGE) return object;
    for (hwloc_obj_t child = object->first_child; child; child = child->next_sibling) {
      if (hwloc_obj_t found = firstPackage(child)) return found;
    }
    return nullptr;
  }

  // The <cpu> near the object that a PCI tree hangs on.
  pugi::xml_node cpuNear(hwloc_obj_t object) const {
    while (object && !object->nodeset) object = object->parent;
    for (const Numa& one : numas_) {
      if (object && hwloc_.isSet(object->nodeset, one.object->os_index) != 0) return one.cpu;
    }
    return numas_.empty() ? pugi::xml_node() : numas_.front().cpu;
  }

  // The element of a PCI device or switch. A switch has a bridge above and bridges below, and goes by the one
  // above; ports of the root are no switches.
  pugi::xml_node elementOf(hwloc_obj_t object, const PciDevice& pci) {
    const std::string bus = busIdOf(pci);
    if (const pugi::xml_node known =
            document_.find_node([&](pugi::xml_node node) { return bus == node.attribute("busid").value(); }))
      return known;
    hwloc_obj_t port = object->parent;  // of the switch, or of the root
    hwloc_obj_t above = isPciBridge(port) ? port->parent : nullptr;
    pugi::xml_node parent =
        above && isPciBridge(above) ? elementOf(above, above->attr->bridge.upstream.pci) : cpuNear(object);
    pugi::xml_node element = parent.append_child("pci");
    setAttribute(element, "busid", bus);
    setAttribute(element, "class", fmt::format("0x{:04x}00", pci.class_id));
    setAttribute(element, "vendor", fmt::format("0x{:04x}", pci.vendor_id));
    setAttribute(element, "device", fmt::format("0x{:04x}", pci.device_id));
    setAttribute(element, "subsystem_vendor", fmt::format("0x{:04x}", pci.subvendor_id));
    setAttribute(element, "subsystem_device", fmt::format("0x{:04x}", pci.subdevice_id));
    if (const std::string speed = sysfs_.linkSpeed(bus); !speed.empty())
      setAttribute(element, "link_speed", speed);
    if (const std::string width = sysfs_.linkWidth(bus); !width.empty())
      setAttribute(element, "link_width", width);
    guessLink(pci.linkspeed, element);
    return element;
  }

  static bool isPciBridge(hwloc_obj_t object) {
    return object && object->type == HWLOC_OBJ_BRIDGE &&
           object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI;
  }

  void addNet(hwloc_obj_t device, bool isRdma) {
    hwloc_obj_t place = device->parent;
    while (place && place->type == HWLOC_OBJ_OS_DEVICE) place = place->parent;
    const bool isPci = place && place->type == HWLOC_OBJ_PCI_DEVICE;
    pugi::xml_node parent = isPci ? elementOf(place, place->attr->pcidev) : cpuNear(place);
    pugi::xml_node nic = parent.child("nic");
    if (!nic) nic = parent.append_child("nic");
    pugi::xml_node net = nic.append_child("net");
    const int speed = isRdma ? sysfs_.rdmaSpeed(device->name) : sysfs_.interfaceSpeed(device->name);
    const char* const guid = infoOf(device, "NodeGUID");
    std::string guidText = guid ? guid : "0";
    std::erase(guidText, ':');
    setAttribute(net, "name", device->name);
    setAttribute(net, "dev", std::to_string(nets_++));
    setAttribute(net, "latency", "0");
    setAttribute(net, "speed", std::to_string(speed > 0 ? speed : 10000));
    setAttribute(net, "port", isRdma ? "1" : "0");
    setAttribute(net, "guid", "0x" + guidText);
    setAttribute(net, "maxconn", isRdma ? "131072" : "65536");
    // No transport between machines has tried to register devices' memory there.
    setAttribute(net, "gdr", "0");
  }

  struct Numa {
    hwloc_obj_t object;
    pugi::xml_node cpu;
  };

  const HwlocLibrary& hwloc_;
  const hwloc_topology_t topology_;
  pugi::xml_document& document_;
  const Sysfs sysfs_;
  std::vector<Numa> numas_;
  int nets_ = 0;
};

bool askHwloc(pugi::xml_document& document) {
  const HwlocLibrary* const hwloc = HwlocLibrary::get();
  hwloc_topology_t topology = nullptr;
  if (!hwloc || hwloc->init(&topology) != 0) return false;
  bool isLoaded = false;
  {
    const FsRoot root;
    // Files of another machine say nothing of this one's processor: it must not be asked.
    if (!Sysfs::root().empty())
      hwloc->setComponents(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    const char* const file = std::getenv("HWLOC_XMLFILE");
    const std::string text = file ? readLaterFile(file) : "";
    if (!text.empty()) (void)hwloc->setXmlBuffer(topology, text.c_str(), static_cast<int>(text.size()) + 1);
    isLoaded =
        hwloc->setIoTypesFilter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 && hwloc->load(topology) == 0;
  }
  if (isLoaded) Detector(*hwloc, topology, document).run();
  hwloc->destroy(topology);
  return isLoaded;
}

}  // namespace

void detectMachine(pugi::xml_document& document) {
  document.reset();
  setAttribute(document.append_child("system"), "version", "1");
  if (askHwloc(document) && document.document_element().child("cpu")) return;
  const char* const file = std::getenv("HWLOC_XMLFILE");
  const std::string place = file ? file : Sysfs::root().empty() ? "this machine" : Sysfs::root();
  logInfo(kGraph, "hwloc (libhwloc.so.15) is not installed or cannot read {}, which counts as one CPU",
          place);
  setAttribute(document.document_element().append_child("cpu"), "numaid", "0");
}

void fillProcessors(pugi::xml_document& document) {
  for (pugi::xml_node cpu : document.document_element().children("cpu")) initAttribute(cpu, "arch", kArch);
}

}  // namespace musashim::mccl::topology
