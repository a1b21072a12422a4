// Another machine, as hwloc recorded it. One test for each process: hwloc and the settings read the
// environment once.
#include "mccl/topology/detect/detect.h"

#include <cstdlib>

#include "mccl/topology/detect/hwloc_library.h"
#include "support.h"

namespace musashim::mccl::topology {
namespace {

TEST(TopologyDetect, SwitchesAndNumaNodesOfARecordedMachine) {
  if (!HwlocLibrary::get()) GTEST_SKIP() << "hwloc is not installed";
  setenv("HWLOC_XMLFILE", fileOf("two_nodes.hwloc.xml").c_str(), 1);
  pugi::xml_document document;
  detectMachine(document);
  unsetenv("HWLOC_XMLFILE");
  EXPECT_EQ(textOf(document),
            "<system version=\"1\">\n"
            "  <cpu numaid=\"0\" affinity=\"00000003\" arch=\"x86_64\" vendor=\"GenuineIntel\" "
            "familyid=\"6\" modelid=\"143\"/>\n"
            "  <cpu numaid=\"1\" affinity=\"0000000c\" arch=\"x86_64\" vendor=\"GenuineIntel\" "
            "familyid=\"6\" modelid=\"143\">\n"
            "    <pci busid=\"0000:81:00.0\" class=\"0x060400\" vendor=\"0x10b5\" device=\"0x8796\" "
            "subsystem_vendor=\"0x0000\" "
            "subsystem_device=\"0x0000\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">\n"
            "      <pci busid=\"0000:83:00.0\" class=\"0x020700\" vendor=\"0x15b3\" device=\"0x101b\" "
            "subsystem_vendor=\"0x15b3\" "
            "subsystem_device=\"0x0007\" link_speed=\"8.0 GT/s PCIe\" link_width=\"16\">\n"
            "        <nic>\n"
            "          <net name=\"mlx5_0\" dev=\"0\" latency=\"0\" speed=\"10000\" port=\"1\" "
            "guid=\"0x0c42a10300000001\" "
            "maxconn=\"131072\" gdr=\"0\"/>\n"
            "        </nic>\n"
            "      </pci>\n"
            "    </pci>\n"
            "    <pci busid=\"0000:85:00.0\" class=\"0x020700\" vendor=\"0x15b3\" device=\"0x1013\" "
            "subsystem_vendor=\"0x15b3\" "
            "subsystem_device=\"0x0007\" link_speed=\"8.0 GT/s PCIe\" link_width=\"4\">\n"
            "      <nic>\n"
            "        <net name=\"mlx5_1\" dev=\"1\" latency=\"0\" speed=\"10000\" port=\"1\" guid=\"0x0\" "
            "maxconn=\"131072\" "
            "gdr=\"0\"/>\n"
            "      </nic>\n"
            "    </pci>\n"
            "  </cpu>\n"
            "</system>\n");
}

}  // namespace
}  // namespace musashim::mccl::topology
