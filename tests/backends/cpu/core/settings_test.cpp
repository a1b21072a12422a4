// The environment, good and bad.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "../../support.h"

namespace musashim::backend::cpu {
namespace {

std::map<std::string, std::string> environment;

Settings read(std::map<std::string, std::string> values) {
  environment = std::move(values);
  return readSettings([](const char* name) -> const char* {
    auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Settings, Defaults) {
  Settings settings = read({});
  EXPECT_EQ(settings.error, "");
  EXPECT_EQ(settings.devices, 1u);
  EXPECT_EQ(settings.profile->arch, 310u);
  EXPECT_FALSE(settings.overcommit);
}

TEST(Settings, ArchitecturesAndProfiles) {
  struct Case {
    const char *value, *id;
  };
  for (const Case& c : {Case{"mp_21", "s80"},
                        {"mp_22", "s4000"},
                        {"mp_31", "s5000"},
                        {"S80", "s80"},
                        {"S3000", "s3000"},
                        {"S4000", "s4000"},
                        {"S5000", "s5000"},
                        {"s4000", "s4000"}}) {
    Settings settings = read({{"MUSASHIM_ARCH", c.value}});
    EXPECT_EQ(settings.error, "");
    EXPECT_EQ(settings.profile->id, c.id) << c.value;
  }
}

TEST(Settings, BadValuesAreNamedWithWhatWouldDo) {
  struct Case {
    const char *name, *value, *words;
  };
  for (const Case& c : {Case{"MUSASHIM_ARCH", "sm_90", "mp_21, mp_22, mp_31, S80, S3000, S4000, S5000"},
                        {"MUSASHIM_DEVICES", "65", "0 to 64"},
                        {"MUSASHIM_DEVICES", "-1", "0 to 64"},
                        {"MUSASHIM_DEVICES", "4x", "0 to 64"},
                        {"MUSASHIM_OVERCOMMIT", "yes", "0, 1"},
                        {"MUSASHIM_PROTECT", "yes", "0, 1"},
                        {"MUSASHIM_BACKEND", "gpu", "cpu, null"},
                        {"MUSASHIM_THREADS", "0", "1 to 1024"},
                        {"MUSASHIM_FIBER_STACK_KIB", "1", "16 to 65536"}}) {
    Settings settings = read({{c.name, c.value}});
    EXPECT_NE(settings.error.find(std::string(c.name) + "=" + c.value), std::string::npos) << settings.error;
    EXPECT_NE(settings.error.find(c.words), std::string::npos) << settings.error;
    std::unique_ptr<Backend> backend;
    EXPECT_EQ(CpuBackend::create(settings, backend).code(), StatusCode::kInvalidValue);
    EXPECT_EQ(backend, nullptr);
  }
}

TEST(Settings, TheMachineOfAFileHasItsDevices) {
  const std::string path = testing::TempDir() + "/machine" + std::to_string(getpid()) + ".xml";
  const auto write = [&](const char* text) { std::ofstream(path) << text; };
  write(R"(<system version="1"><cpu><pci busid="0000:10:1d.0"><gpu dev="1"/></pci>
    <pci busid="0001:10:1c.0"><gpu dev="0"/></pci><pci busid="0000:11:00.0" class="0x030000"/></cpu></system>)");
  Settings settings = read({{"MCCL_TOPO_FILE", path}});
  ASSERT_EQ(settings.devices, 2u);
  EXPECT_EQ(settings.places[0].domain, 1);
  EXPECT_EQ(settings.places[0].device, 0x1c);
  EXPECT_EQ(settings.places[1].bus, 0x10);
  EXPECT_EQ(settings.places[1].device, 0x1d);
  EXPECT_EQ(read({{"NCCL_TOPO_FILE", path}, {"MUSASHIM_DEVICES", "5"}}).devices, 5u);
  // A vendor's file without devices: what is of a display's class.
  write(R"(<system><cpu><pci busid="0000:11:00.0" class="0x030200"/><pci busid="0000:12:00.0" class="0x020000"/>
    <pci busid="nowhere" class="0x030200"/></cpu></system>)");
  EXPECT_EQ(read({{"MCCL_TOPO_FILE", path}}).devices, 1u);
  write("no machine");
  EXPECT_EQ(read({{"MCCL_TOPO_FILE", path}}).devices, 1u);
  std::filesystem::remove(path);
  EXPECT_EQ(read({{"MCCL_TOPO_FILE", path}}).devices, 1u);
}

TEST(Settings, EmptyValuesCountAsUnset) {
  EXPECT_EQ(read({{"MUSASHIM_DEVICES", ""}, {"MUSASHIM_ARCH", ""}}).error, "");
}

TEST(Settings, UnusableValueGivesABackendWithoutDevices) {
  test::useFreshChildren();
  EXPECT_EXIT(
      {
        setenv("MUSASHIM_ARCH", "sm_90", 1);
        exit(activeBackend().deviceCount() == 0 ? 5 : 6);
      },
      testing::ExitedWithCode(5),
      "musashim: MUSASHIM_ARCH=sm_90 is not usable: accepted are mp_21, .*no devices");
}

TEST(Settings, NoDevicesAtAll) {
  std::unique_ptr<Backend> backend;
  ASSERT_TRUE(CpuBackend::create(read({{"MUSASHIM_DEVICES", "0"}}), backend).isOk());
  EXPECT_EQ(backend->deviceCount(), 0u);
}

TEST(Settings, SixtyFourDevices) {
  std::unique_ptr<Backend> backend;
  ASSERT_TRUE(CpuBackend::create(read({{"MUSASHIM_DEVICES", "64"}}), backend).isOk());
  EXPECT_EQ(backend->deviceCount(), 64u);
}

TEST(Profiles, AreComplete) {
  ASSERT_EQ(profiles().size(), 4u);
  for (const ProfileEntry& entry : profiles()) {
    const DeviceProfile& p = entry.profile;
    EXPECT_EQ(p.pciVendorId, 0x1ED5u);
    EXPECT_EQ(p.major * 100 + p.minor * 10, p.arch);
    EXPECT_TRUE(p.warpSize == (p.arch == 310 ? 32u : 128u));
    EXPECT_GT(p.memoryBytes, size_t{10} << 30);
    EXPECT_GT(p.sharedBytesPerBlock, 16u << 10);
    EXPECT_EQ(p.name.substr(0, 5), "MTT S");
  }
}

}  // namespace
}  // namespace musashim::backend::cpu
