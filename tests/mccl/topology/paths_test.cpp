// Types of paths against what the tree of elements says: not by a search over links, but by the lowest
// element that both ends are below.
#include <algorithm>
#include <cstring>
#include <map>

#include "support.h"

namespace musashim::mccl::topology {
namespace {

// The <pci> and <cpu> above an element's own <pci>, from near to far.
std::vector<pugi::xml_node> above(pugi::xml_node element) {
  while (std::strcmp(element.name(), "pci") != 0) element = element.parent();
  std::vector<pugi::xml_node> nodes;
  for (element = element.parent(); std::strcmp(element.name(), "system") != 0; element = element.parent())
    nodes.push_back(element);
  return nodes;
}

PathType byTree(pugi::xml_node a, pugi::xml_node b) {
  const auto left = above(a), right = above(b);
  for (size_t i = 0; i < left.size(); ++i) {
    const auto found = std::ranges::find(right, left[i]);
    if (found == right.end()) continue;
    if (std::strcmp(left[i].name(), "cpu") == 0) return PathType::kPhb;
    return i == 0 && found == right.begin() ? PathType::kPix : PathType::kPxb;
  }
  return PathType::kSys;
}

std::string busOf(pugi::xml_node gpu) { return gpu.parent().attribute("busid").value(); }

bool isLinked(pugi::xml_node a, pugi::xml_node b) {
  for (const pugi::xml_node link : a.children()) {
    if (link.attribute("target").value() == busOf(b)) return true;
  }
  const auto hasSwitch = [](pugi::xml_node gpu) { return gpu.find_child_by_attribute("tclass", "0x068000"); };
  return hasSwitch(a) && hasSwitch(b);
}

class MachinesPaths : public testing::TestWithParam<const char*> {};

TEST_P(MachinesPaths, HaveTheTypesThatTheTreeSays) {
  const Loaded loaded(GetParam());
  const Paths paths(loaded.machine);
  std::vector<pugi::xml_node> gpus(loaded.machine.gpus().size()), nets(loaded.machine.nets().size());
  for (const auto& found : loaded.document.select_nodes("//gpu"))
    gpus[found.node().attribute("dev").as_uint()] = found.node();
  for (const auto& found : loaded.document.select_nodes("//net"))
    nets[found.node().attribute("dev").as_uint()] = found.node();
  for (size_t i = 0; i < gpus.size(); ++i) {
    for (size_t j = 0; j < gpus.size(); ++j) {
      const bool isOverPeer = std::ranges::any_of(
          gpus, [&](pugi::xml_node peer) { return isLinked(gpus[i], peer) && isLinked(peer, gpus[j]); });
      const PathType wanted = i == j                       ? PathType::kLoc
                              : isLinked(gpus[i], gpus[j]) ? PathType::kNvl
                              : isOverPeer                 ? PathType::kNvb
                                                           : byTree(gpus[i], gpus[j]);
      EXPECT_EQ(nameOf(paths.between(i, j).type), nameOf(wanted)) << i << " " << j;
    }
    for (size_t j = 0; j < nets.size(); ++j) {
      PathType wanted = byTree(gpus[i], nets[j]);
      for (size_t peer = 0; peer < gpus.size() && wanted > PathType::kPxb; ++peer) {
        if (peer != i && isLinked(gpus[i], gpus[peer]) && byTree(gpus[peer], nets[j]) <= PathType::kPxb)
          wanted = std::min(wanted, PathType::kPxn);
      }
      EXPECT_EQ(nameOf(paths.toNet(i, j).type), nameOf(wanted)) << i << " " << j;
      EXPECT_EQ(nameOf(paths.fromNet(j, i).type), nameOf(wanted)) << i << " " << j;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Topology, MachinesPaths,
                         testing::Values("switched.xml", "pci_only.xml", "square.xml"));

TEST(TopologyPaths, BandwidthIsTheNarrowestLinks) {
  const Loaded switched("switched.xml"), pci("pci_only.xml");
  const Paths fast(switched.machine), slow(pci.machine);
  EXPECT_DOUBLE_EQ(fast.between(0, 3).bandwidth, 240);  // 12 links of 20
  EXPECT_DOUBLE_EQ(fast.toNet(0, 0).bandwidth, 24);     // 16 lanes of PCI Express 4.0
  EXPECT_DOUBLE_EQ(slow.between(0, 1).bandwidth, 24);
  EXPECT_DOUBLE_EQ(slow.between(0, 4).bandwidth, 10);  // Skylake's sockets
  EXPECT_DOUBLE_EQ(slow.toNet(0, 0).bandwidth, 12.5);  // 100 Gbit/s
}

TEST(TopologyPaths, WithoutGdrDataGoesByTheCpu) {
  Loaded loaded("switched.xml");
  for (const auto& found : loaded.document.select_nodes("//net"))
    found.node().attribute("gdr").set_value("0");
  ASSERT_EQ(Machine::make(loaded.document, "no gdr", loaded.machine), mcclSuccess);
  const Paths paths(loaded.machine);
  EXPECT_EQ(paths.toNet(0, 0).type, PathType::kPhb);
  EXPECT_EQ(paths.toNet(3, 0).type, PathType::kSys);
}

TEST(TopologyBandwidth, OfLinksAndSockets) {
  EXPECT_DOUBLE_EQ(pciBandwidth("8 GT/s", 16), 12);
  EXPECT_DOUBLE_EQ(pciBandwidth("8.0 GT/s PCIe", 16), 12);
  EXPECT_DOUBLE_EQ(pciBandwidth("32.0 GT/s PCIe", 0), 48);
  EXPECT_DOUBLE_EQ(pciBandwidth("", 8), 6);
  EXPECT_DOUBLE_EQ(pciBandwidth("fast", 4), 3);
  EXPECT_DOUBLE_EQ(socketBandwidth({Arch::kX86, Vendor::kIntel, 6, 79}), 6);
  EXPECT_DOUBLE_EQ(socketBandwidth({Arch::kX86, Vendor::kIntel, 6, 0x8F}), 22);
  EXPECT_DOUBLE_EQ(socketBandwidth({Arch::kX86, Vendor::kAmd, 25, 17}), 16);
  EXPECT_DOUBLE_EQ(socketBandwidth({Arch::kPower, Vendor::kOther, 0, 0}), 32);
}

}  // namespace
}  // namespace musashim::mccl::topology
