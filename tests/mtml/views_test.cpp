// mthreads-gmi's views of given devices, in the shapes that programs parse.
#include <gtest/gtest.h>

#include <string>

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
