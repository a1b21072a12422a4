// What libmtml tells of a board, what it logs, and how its records are laid out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "mtml.h"
#include "mtml/state/paths.h"

namespace {

class Board : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mtmlLibraryInit(&library), MTML_SUCCESS);
    ASSERT_EQ(mtmlLibraryInitDeviceByIndex(library, 0, &device), MTML_SUCCESS);
    ASSERT_EQ(mtmlDeviceInitGpu(device, &gpu), MTML_SUCCESS);
    ASSERT_EQ(mtmlDeviceInitMemory(device, &memory), MTML_SUCCESS);
  }
  void TearDown() override {
    if (library) EXPECT_EQ(mtmlLibraryShutDown(library), MTML_SUCCESS);
  }

  using Tell = MtmlReturn (*)(const MtmlDevice*, char*, unsigned int);
  std::string text(Tell tell) const {
    char buffer[64] = "";
    EXPECT_EQ(tell(device, buffer, sizeof buffer), MTML_SUCCESS);
    EXPECT_EQ(tell(device, buffer, 2), MTML_ERROR_INSUFFICIENT_SIZE);
    return buffer;
  }

  MtmlLibrary* library = nullptr;
  MtmlDevice* device = nullptr;
  MtmlGpu* gpu = nullptr;
  MtmlMemory* memory = nullptr;
};

// Of an S5000, which is idle.
TEST_F(Board, SensorsAreTheProducts) {
  unsigned int milliwatts = 0, celsius = 0;
  ASSERT_EQ(mtmlDeviceGetPowerUsage(device, &milliwatts), MTML_SUCCESS);
  ASSERT_EQ(mtmlGpuGetTemperature(gpu, &celsius), MTML_SUCCESS);
  EXPECT_GE(milliwatts, 96'660u);
  EXPECT_LE(milliwatts, 950'000u);
  EXPECT_GE(celsius, 27u);
  EXPECT_LE(celsius, 70u);
  EXPECT_EQ(mtmlDeviceGetPowerUsage(device, nullptr), MTML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Board, HasFirmwareSerialAndPaths) {
  EXPECT_EQ(text(mtmlDeviceGetMtBiosVersion), "4.3.41");
  EXPECT_EQ(text(mtmlDeviceGetVbiosVersion), "4.3.41");
  EXPECT_EQ(text(mtmlDeviceGetGpuPath), "/dev/mtgpu.0");
  EXPECT_EQ(text(mtmlDeviceGetPrimaryPath), "/dev/dri/card0");
  EXPECT_EQ(text(mtmlDeviceGetRenderPath), "/dev/dri/renderD128");
  char serial[MTML_DEVICE_SERIAL_NUMBER_BUFFER_SIZE] = "", other[sizeof serial] = "";
  ASSERT_EQ(mtmlDeviceGetSerialNumber(device, sizeof serial, serial), MTML_SUCCESS);
  EXPECT_EQ(std::string(serial).size(), 16u);
  EXPECT_EQ(std::string(serial).substr(0, 6), "MY10YL");
  ASSERT_EQ(mtmlDeviceGetSerialNumber(device, sizeof other, other), MTML_SUCCESS);
  EXPECT_STREQ(serial, other);
  MtmlMemoryType type{};
  ASSERT_EQ(mtmlMemoryGetType(memory, &type), MTML_SUCCESS);
  EXPECT_EQ(type, MTML_MEM_TYPE_GDDR6);
  char vendor[MTML_MEMORY_VENDOR_BUFFER_SIZE] = "";
  ASSERT_EQ(mtmlMemoryGetVendor(memory, sizeof vendor, vendor), MTML_SUCCESS);
  EXPECT_STREQ(vendor, "Samsung");
}

TEST_F(Board, VideoUnitsAreIdle) {
  MtmlVpu* vpu = nullptr;
  ASSERT_EQ(mtmlDeviceInitVpu(device, &vpu), MTML_SUCCESS);
  unsigned int clock = 0, most = 0;
  ASSERT_EQ(mtmlVpuGetClock(vpu, &clock), MTML_SUCCESS);
  ASSERT_EQ(mtmlVpuGetMaxClock(vpu, &most), MTML_SUCCESS);
  EXPECT_EQ(clock, 1200u);
  EXPECT_EQ(most, clock);
  MtmlCodecUtil load{1, 1, 1, 1, {}};
  ASSERT_EQ(mtmlVpuGetUtilization(vpu, &load), MTML_SUCCESS);
  EXPECT_EQ(load.encUtil + load.decUtil, 0u);
  MtmlCodecSessionState states[3];
  ASSERT_EQ(mtmlVpuGetDecoderSessionStates(vpu, states, 3), MTML_SUCCESS);
  EXPECT_EQ(states[2], MTML_CODEC_SESSION_STATE_IDLE);
  MtmlCodecSessionMetrics metrics;
  EXPECT_EQ(mtmlVpuGetEncoderSessionMetrics(vpu, 0, &metrics), MTML_ERROR_NOT_FOUND);
  EXPECT_EQ(mtmlVpuGetCodecCapacity(vpu, &clock, &most), MTML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(mtmlDeviceFreeVpu(vpu), MTML_SUCCESS);
  EXPECT_EQ(mtmlVpuGetClock(vpu, &clock), MTML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Board, PagesAreNotRetiredWithoutEcc) {
  MtmlPageRetirementCount count;
  EXPECT_EQ(mtmlMemoryGetRetiredPagesCount(memory, &count), MTML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(mtmlMemoryClearEccErrorCounts(memory, MTML_VOLATILE_ECC), MTML_ERROR_NOT_SUPPORTED);
}

// ---- The log

std::vector<std::string> told;
void tell(const char* line, unsigned int length) { told.emplace_back(line, length); }

TEST_F(Board, LogsCallsByLevel) {
  const auto path = std::filesystem::temp_directory_path() / ("mtml_log_" + std::to_string(getpid()));
  MtmlLogConfiguration wanted{};
  wanted.fileConfig.level = MTML_LOG_LEVEL_ERROR;
  path.string().copy(wanted.fileConfig.file, sizeof wanted.fileConfig.file - 1);
  wanted.callbackConfig = {MTML_LOG_LEVEL_WARNING, tell, {}};
  ASSERT_EQ(mtmlLogSetConfiguration(&wanted), MTML_SUCCESS);
  unsigned int value = 0;
  told.clear();
  EXPECT_EQ(mtmlDeviceGetIndex(device, &value), MTML_SUCCESS);
  EXPECT_EQ(mtmlDeviceCountMpcInstances(device, &value), MTML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(mtmlDeviceGetIndex(nullptr, &value), MTML_ERROR_INVALID_ARGUMENT);
  MtmlLogConfiguration is{};
  ASSERT_EQ(mtmlLogGetConfiguration(&is), MTML_SUCCESS);
  EXPECT_EQ(is.callbackConfig.callback, tell);
  EXPECT_STREQ(is.fileConfig.file, path.c_str());
  EXPECT_EQ(told, (std::vector<std::string>{"MTML: mtmlDeviceCountMpcInstances: Not supported\n",
                                            "MTML: mtmlDeviceGetIndex: Invalid argument\n"}));
  const MtmlLogConfiguration off{};
  ASSERT_EQ(mtmlLogSetConfiguration(&off), MTML_SUCCESS);
  EXPECT_EQ(mtmlDeviceGetIndex(nullptr, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(told.size(), 2u);
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "MTML: mtmlDeviceGetIndex: Invalid argument");
  EXPECT_FALSE(std::getline(file, line));
  std::filesystem::remove(path);
}

TEST(MtmlLog, RefusesWhatItCannotDo) {
  MtmlLogConfiguration wanted{};
  wanted.callbackConfig.level = MTML_LOG_LEVEL_INFO;  // and nobody to call
  EXPECT_EQ(mtmlLogSetConfiguration(&wanted), MTML_ERROR_INVALID_ARGUMENT);
  wanted = {};
  wanted.fileConfig.level = MTML_LOG_LEVEL_INFO;
  EXPECT_EQ(mtmlLogSetConfiguration(&wanted), MTML_ERROR_INVALID_ARGUMENT);
  std::strcpy(wanted.fileConfig.file, "/no/such/folder/log");
  EXPECT_EQ(mtmlLogSetConfiguration(&wanted), MTML_ERROR_NOT_FOUND);
  wanted = {};
  wanted.consoleConfig.level = static_cast<MtmlLogLevel>(9);
  EXPECT_EQ(mtmlLogSetConfiguration(&wanted), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlLogSetConfiguration(nullptr), MTML_ERROR_INVALID_ARGUMENT);
}

// ---- Ways by MTLinks

using Paths = std::vector<std::vector<size_t>>;

// A square 0-1-3-2-0 with two links at one side, and a fifth device alone.
TEST(MtmlPaths, AreAllTheShortest) {
  musashim::mtml::Topology square;
  square.devices.resize(5);
  square.links = {{{1, 0}, {1, 1}, {2, 0}}, {{0, 0}, {0, 1}, {3, 0}}, {{0, 2}, {3, 1}}, {{1, 2}, {2, 1}}, {}};
  using musashim::mtml::shortestPaths;
  EXPECT_EQ(shortestPaths(square, 0, 1), (Paths{{1}}));
  EXPECT_EQ(shortestPaths(square, 0, 3), (Paths{{1, 3}, {2, 3}}));
  EXPECT_EQ(shortestPaths(square, 3, 0), (Paths{{1, 0}, {2, 0}}));
  EXPECT_EQ(shortestPaths(square, 0, 4), Paths{});
  EXPECT_EQ(shortestPaths(square, 2, 2), Paths{});
}

// ---- Records, as the vendor's binding lays them out (pymtml of mthreads-ml-py 2.4.3)

#define LAYOUT(record, bytes, last, at)                 \
  static_assert(sizeof(record) == (bytes), "its size"); \
  static_assert(offsetof(record, last) == (at), "its end")

LAYOUT(MtmlPciInfo, 104, rsvd, 80);
static_assert(offsetof(MtmlPciInfo, pciSubsystemId) == 48 && offsetof(MtmlPciInfo, pciMaxSpeed) == 56);
LAYOUT(MtmlMtLinkSpec, 28, rsvd, 12);
LAYOUT(MtmlMtLinkLayout, 24, rsvd, 8);
LAYOUT(MtmlPciSlotInfo, 52, rsvd, 36);
LAYOUT(MtmlDispIntfSpec, 48, rsvd, 16);
LAYOUT(MtmlVirtType, 136, rsvd, 92);
LAYOUT(MtmlCodecUtil, 24, rsvd, 16);
LAYOUT(MtmlCodecSessionMetrics, 48, rsvd, 32);
LAYOUT(MtmlLogConsoleConfiguration, 12, rsvd, 4);
LAYOUT(MtmlLogSystemConfiguration, 12, rsvd, 4);
LAYOUT(MtmlLogFileConfiguration, 216, rsvd, 208);
LAYOUT(MtmlLogCallbackConfiguration, 24, rsvd, 16);
LAYOUT(MtmlLogConfiguration, 296, rsvd, 264);
LAYOUT(MtmlMpcProfile, 88, rsvd, 48);
LAYOUT(MtmlMpcConfiguration, 196, rsvd, 100);
LAYOUT(MtmlPageRetirementCount, 8, dbeCount, 4);
LAYOUT(MtmlPageRetirement, 56, rsvd, 16);
LAYOUT(MtmlPageRetirementPending, 64, rsvd, 24);
static_assert(static_cast<int>(MTML_CODEC_SESSION_STATE_UNKNOWN) == -1 && MTML_CODEC_TYPE_AV1 == 16);

TEST(MtmlTypes, PropertiesAreBits) {
  static_assert(sizeof(MtmlDeviceProperty) == 8);
  MtmlDeviceProperty property{};
  property.virtRole = 7;
  property.mpcCap = 1;
  property.mtLinkCap = 1;
  unsigned int word = 0;
  std::memcpy(&word, &property, sizeof word);
  EXPECT_EQ(word, 0x11eu);
}

}  // namespace
