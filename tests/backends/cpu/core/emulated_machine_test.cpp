// MUSASHIM_MACHINE: what files are understood, what is said of the others, and devices that fail as asked.
#include "cpu/core/emulated_machine.h"

#include <filesystem>
#include <fstream>

#include "../../support.h"

namespace musashim::backend::cpu {
namespace {

const std::filesystem::path kMachines = MACHINES;

TEST(EmulatedMachine, HasTheDevicesOfTheFile) {
  EmulatedMachine machine;
  ASSERT_EQ(readMachine(kMachines / "good/two_kinds.yaml", machine), "");
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(machine.devices[0].profile.name, "MTT S4000");
  EXPECT_EQ(machine.devices[1].profile.warpSize, 128u);
  EXPECT_FALSE(machine.devices[0].place);
  EXPECT_FALSE(machine.devices[0].readings.celsius);
  const MachineDevice& last = machine.devices[2];
  EXPECT_EQ(last.profile.name, "MTT S5000 (small)");
  EXPECT_EQ(last.profile.warpSize, 32u);
  EXPECT_EQ(last.profile.memoryBytes, 1024u << 20);
  EXPECT_EQ(last.place->domain, 1);
  EXPECT_EQ(last.place->device, 0x1f);
  EXPECT_EQ(last.readings.celsius, 91u);
  EXPECT_EQ(last.readings.milliwatts, 250'000u);
  EXPECT_EQ(last.profile.powerLimitMilliwatts, 700'000u);
  EXPECT_EQ(last.profile.mtbios, "4.3.42");
  EXPECT_EQ(last.readings.fanPercent, 40u);
  EXPECT_EQ(last.profile.fans, 1u);  // the product has none
  EXPECT_EQ(last.readings.serial, "0042");
  EXPECT_EQ(last.readings.eccCorrected, 3u);
  EXPECT_EQ(last.readings.eccUncorrected, 0u);
  ASSERT_EQ(last.faults.size(), 2u);
  EXPECT_EQ(last.faults[0].after, 2u);
  EXPECT_EQ(last.faults[1].times, 2u);
  ASSERT_EQ(machine.links.size(), 2u);
  EXPECT_EQ(machine.links[0].b, 1u);
  EXPECT_EQ(machine.links[0].mtlinks, 2u);
  EXPECT_EQ(machine.links[0].gigabytesPerSecond, 0);
  EXPECT_EQ(machine.links[1].a, 2u);
  EXPECT_EQ(machine.links[1].gigabytesPerSecond, 0.5);
}

TEST(EmulatedMachine, IsTheSameForThoseWithTheSameFile) {
  EmulatedMachine a, b, c;
  ASSERT_EQ(readMachine(kMachines / "good/least.yaml", a), "");
  ASSERT_EQ(readMachine(kMachines / "good/least.yaml", b), "");
  ASSERT_EQ(readMachine(kMachines / "good/two_kinds.yaml", c), "");
  EXPECT_EQ(a.word, b.word);
  EXPECT_NE(a.word, c.word);
}

// The first line of each says where and what.
TEST(EmulatedMachine, WhatIsWrongIsToldWithItsPlace) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kMachines / "bad")) {
    std::ifstream file(entry.path());
    std::string expected;
    std::getline(file, expected);
    ASSERT_EQ(expected.substr(0, 2), "# ");
    EmulatedMachine machine;
    const std::string error = readMachine(entry.path(), machine);
    EXPECT_TRUE(error.starts_with(entry.path().string() + ":" + expected.substr(2)))
        << entry.path() << ": " << error << "\nexpected " << expected;
    ++files;
  }
  EXPECT_GE(files, 15u);
  EmulatedMachine machine;
  EXPECT_EQ(readMachine("/no/such/file.yaml", machine), "/no/such/file.yaml: the file cannot be read");
}

TEST(FaultPlan, CountsLaunchesAndAllocations) {
  FaultPlan plan({{FaultRule::Counts::kLaunches, 2, 0, StatusCode::kEccUncorrectable},
                  {FaultRule::Counts::kAllocations, 1, 2, StatusCode::kOutOfMemory}},
                 3);
  EXPECT_TRUE(plan.launch().isOk());
  EXPECT_TRUE(plan.launch().isOk());
  EXPECT_EQ(plan.launch().code(), StatusCode::kEccUncorrectable);
  EXPECT_EQ(plan.launch().message(), "launch 4 of device 3 fails, as MUSASHIM_MACHINE asks for");
  EXPECT_TRUE(plan.allocation().isOk());
  EXPECT_EQ(plan.allocation().code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(plan.allocation().code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(plan.allocation().isOk());
  EXPECT_FALSE(plan.isLost());
}

}  // namespace
}  // namespace musashim::backend::cpu
