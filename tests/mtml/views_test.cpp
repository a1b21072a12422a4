// mthreads-gmi's views of given devices, in the shapes that programs parse.
#include <gtest/gtest.h>

#include <string>

#include "mtml/gmi/links.h"
#include "mtml/gmi/options.h"
#include "mtml/gmi/show.h"

namespace musashim::gmi {
namespace {

Gpu s5000(unsigned int index) {
  Gpu gpu;
  gpu.index = index;
  gpu.name = "MTT S5000";
  gpu.uuid = "399282a8-ba01-1475-893c-2eeca9e302f5";
  std::snprintf(gpu.pci.sbdf, sizeof gpu.pci.sbdf, "00000000:%02x:00.0", 0x2a + index);
  gpu.pci.bus = 0x2a + index;
  gpu.pci.pciDeviceId = 0x04001ed5;
  gpu.pci.pciCurWidth = gpu.pci.pciMaxWidth = 16;
  gpu.pci.pciCurGen = gpu.pci.pciMaxGen = 5;
  gpu.totalBytes = 81920ull << 20;
  gpu.usedBytes = 66641ull << 20;
  gpu.load = 100;
  gpu.memoryLoad = 81;
  gpu.celsius = 52;
  return gpu;
}

std::string withoutFirstLine(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST(GmiTable, HasTheVendorsShape) {
  Gpu second = s5000(1);
  second.celsius.reset();
  second.load = 0;
  second.usedBytes = 0;
  second.processes = {{4242, "python", 2048ull << 20},
                      {31337, "/a/very/long/path/to/a/program/that/does/not/fit", 12ull << 20}};
  EXPECT_EQ(withoutFirstLine(table({s5000(0), second}, "3.3.5-server", true)),
            R"(---------------------------------------------------------------------
    mthreads-gmi:2.2.0           Driver Version:3.3.5-server
---------------------------------------------------------------------
ID   Name                 |PCIe                |%GPU  Mem
     Device Type   Perf   |Pcie Lane Width     |Temp  MPC Capable
                                               |      ECC Mode
+-------------------------------------------------------------------+
0    MTT S5000            |00000000:2a:00.0    |100%  66641MiB(81920MiB)
     Physical      P0     |16x(16x)            |52C   NO
                                               |      N/A
+-------------------------------------------------------------------+
1    MTT S5000            |00000000:2b:00.0    |0%    0MiB(81920MiB)
     Physical      P0     |16x(16x)            |N/A   NO
                                               |      N/A
---------------------------------------------------------------------

---------------------------------------------------------------------
Processes:
ID   PID           Process name                           GPU Memory
                                                               Usage
+-------------------------------------------------------------------+
1    4242          python                                    2048MiB
1    31337         ...path/to/a/program/that/does/not/fit      12MiB
---------------------------------------------------------------------
)");
}

TEST(GmiTable, SaysThatThereAreNoProcesses) {
  const std::string text = table({s5000(0)}, "4.3.0", true);
  EXPECT_NE(text.find("\n   No running processes found\n"), std::string::npos);
  EXPECT_EQ(table({s5000(0)}, "4.3.0", false).find("Processes"), std::string::npos);
}

TEST(GmiList, HasTheVendorsShape) {
  EXPECT_EQ(list({s5000(0), s5000(1)}),
            "GPU 0 : MTT S5000 (UUID : 399282a8-ba01-1475-893c-2eeca9e302f5)\n"
            "GPU 1 : MTT S5000 (UUID : 399282a8-ba01-1475-893c-2eeca9e302f5)\n");
}

TEST(GmiQuery, PartsAreTextAsTheVendors) {
  EXPECT_EQ(
      withoutFirstLine(query({s5000(0)}, 8, "3.3.5-server", {{Part::kMemory, Part::kTemperature}, false})),
      R"(Driver Version                            :  3.3.5-server
Attached GPUs                             :  8

GPU0 00000000:2a:00.0
    Index                                 :  0
    Product Name                          :  MTT S5000
    FB Memory Usage
        Total                             :  81920MiB
        Used                              :  66641MiB
        Free                              :  15279MiB
    Temperature
        GPU Current Temp                  :  52C
)");
}

TEST(GmiQuery, JsonIsQuoted) {
  Gpu gpu = s5000(0);
  gpu.processes = {{7, "a\"b\\c\n", 1ull << 20}};
  const std::string text = query({gpu}, 1, "4.3.0", {{Part::kPids}, true});
  EXPECT_NE(text.find(R"("Name": "a\"b\\c\u000a")"), std::string::npos) << text;
}

using mtml::PciWay;

// Two devices with two MTLinks between them, a third behind the other CPU, and a network device at the first.
mtml::Topology threeDevices() {
  mtml::Topology topology;
  topology.devices = {{PciWay::kSelf, PciWay::kOneSwitch, PciWay::kSystem},
                      {PciWay::kOneSwitch, PciWay::kSelf, PciWay::kSystem},
                      {PciWay::kSystem, PciWay::kSystem, PciWay::kSelf}};
  topology.toNets = {{PciWay::kSwitches}, {PciWay::kBridge}, {PciWay::kSystem}};
  topology.nets = {{PciWay::kSelf}};
  topology.netNames = {"mlx5_0"};
  topology.links = {{{1, 0}, {1, 1}}, {{0, 0}, {0, 1}}, {}};
  topology.linkBandwidth = {20, 20, 0};
  topology.node = {0, 0, 1};
  topology.cpus = {{0, 1, 2, 3, 8}, {0, 1, 2, 3, 8}, {}};
  return topology;
}

TEST(GmiTopology, IsAMatrixWithWhatIsNear) {
  const std::string text = matrix(threeDevices(), true, 0);
  EXPECT_EQ(text.substr(0, text.find("\n\n")), R"(      GPU0  GPU1  GPU2  NIC0  CPU Affinity  NUMA Affinity
GPU0  X     MT2   SYS   PXB   0-3,8         0
GPU1  MT2   X     SYS   PHB   0-3,8         0
GPU2  SYS   SYS   X     SYS   N/A           1
NIC0  PXB   PHB   SYS   X)");
  EXPECT_NE(text.find("NIC0: mlx5_0"), std::string::npos);
  EXPECT_EQ(matrix(threeDevices(), false, 0).find("NIC"), std::string::npos);
}

TEST(GmiTopology, IsFoldedForANarrowTerminal) {
  const std::string text = matrix(threeDevices(), true, 40);
  EXPECT_EQ(text.substr(0, text.find("\n\nLegend")), R"(      GPU0  GPU1  GPU2  NIC0
GPU0  X     MT2   SYS   PXB
GPU1  MT2   X     SYS   PHB
GPU2  SYS   SYS   X     SYS
NIC0  PXB   PHB   SYS   X

      CPU Affinity  NUMA Affinity
GPU0  0-3,8         0
GPU1  0-3,8         0
GPU2  N/A           1)");
}

TEST(GmiTopology, LinksLeadToTheirPeers) {
  EXPECT_EQ(linkPeers({s5000(1), s5000(2)}, threeDevices()),
            R"(GPU 1 : MTT S5000 (UUID : 399282a8-ba01-1475-893c-2eeca9e302f5)
    Link 0 : GPU 0 Link 0
    Link 1 : GPU 0 Link 1
GPU 2 : MTT S5000 (UUID : 399282a8-ba01-1475-893c-2eeca9e302f5)
    MTLink is not supported
)");
}

TEST(GmiMonitor, HasALineForEachDevice) {
  EXPECT_EQ(monitor({s5000(0)}, true),
            "# gpu    pwr  gtemp     sm    mem   mclk   pclk      fb\n"
            "# Idx      W      C      %      %    MHz    MHz     MiB\n"
            "    0      -     52    100     81      0      0   66641\n");
  EXPECT_EQ(monitor({s5000(0)}, false).find('#'), std::string::npos);
}

TEST(GmiOptions, OfSubcommands) {
  EXPECT_EQ(parse({"topo", "-m"}).view, View::kTopology);
  EXPECT_EQ(parse({"topo", "-p2p", "r"}).view, View::kPeers);
  EXPECT_EQ(parse({"mtlink", "-r", "-i", "1"}).devices, std::vector<unsigned int>{1});
  const Options monitored = parse({"dmon", "-d", "0.5", "-c", "3"});
  EXPECT_EQ(monitored.everySeconds, 0.5);
  EXPECT_EQ(monitored.times, 3u);
  for (const auto& wrong : std::vector<std::vector<std::string>>{{"topo"},
                                                                 {"topo", "-p2p"},
                                                                 {"topo", "-p2p", "x"},
                                                                 {"mtlink", "-q"},
                                                                 {"dmon", "-c", "0"},
                                                                 {"dmon", "-d", "nan"}})
    EXPECT_NE(parse(wrong).error, "") << wrong[0];
}

TEST(GmiOptions, AreRead) {
  const Options all = parse({"-q", "-i", "0,3", "-d=MEMORY,power", "--json"});
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.view, View::kQuery);
  EXPECT_EQ(all.devices, (std::vector<unsigned int>{0, 3}));
  EXPECT_EQ(all.query.parts, (std::vector<Part>{Part::kMemory, Part::kPower}));
  EXPECT_TRUE(all.query.json);
  EXPECT_EQ(parse({"-l"}).everySeconds, 1);
  EXPECT_EQ(parse({"-l", "0.5", "-L"}).everySeconds, 0.5);
  EXPECT_EQ(parse({"-l", "0.5", "-L"}).view, View::kList);
}

TEST(GmiOptions, ThatAreWrongAreToldByName) {
  EXPECT_NE(parse({"-x"}).error.find("-x"), std::string::npos);
  EXPECT_NE(parse({"-q", "-d", "NAME"}).error.find("NAME"), std::string::npos);
  EXPECT_NE(parse({"-i"}).error, "");
  EXPECT_NE(parse({"-i", "1,x"}).error.find('x'), std::string::npos);
  EXPECT_NE(parse({"-l", "0"}).error, "");
  EXPECT_NE(parse({"--json"}).error, "");
}

}  // namespace
}  // namespace musashim::gmi
