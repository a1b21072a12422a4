// NVML's interface on emulated devices.
#include "nvml.h"

#include <crt/cuda_runtime_answers.h>
#include <gtest/gtest.h>
#include <musa_runtime.h>
#include <sched.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

class Nvml : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(nvmlInit(), NVML_SUCCESS);
    ASSERT_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS); }

  nvmlDevice_t device = nullptr;
};

TEST(NvmlUninitialized, AnswersNothing) {
  unsigned int count = 0;
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
  EXPECT_STREQ(nvmlErrorString(NVML_ERROR_UNINITIALIZED), "Uninitialized");
}

TEST_F(Nvml, IsOpenedAndClosedAsOftenAsWanted) {
  unsigned int count = 0;
  EXPECT_EQ(nvmlInitWithFlags(0), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  int devices = 0;
  ASSERT_EQ(musaGetDeviceCount(&devices), musaSuccess);
  EXPECT_EQ(count, static_cast<unsigned int>(devices));
}

TEST_F(Nvml, DeviceIsTheRuntimes) {
  musaDeviceProp properties;
  ASSERT_EQ(musaGetDeviceProperties(&properties, 0), musaSuccess);
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
  ASSERT_EQ(nvmlDeviceGetName(device, name, sizeof name), NVML_SUCCESS);
  EXPECT_STREQ(name, properties.name);
  int major = 0, minor = 0;
  ASSERT_EQ(nvmlDeviceGetCudaComputeCapability(device, &major, &minor), NVML_SUCCESS);
  // NVML is the CUDA face's.
  musaDeviceProp face;
  ASSERT_EQ(cudaGetDeviceProperties(&face, 0), musaSuccess);
  EXPECT_EQ(major, face.major);
  EXPECT_EQ(minor, face.minor);
  unsigned int clock = 0;
  ASSERT_EQ(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &clock), NVML_SUCCESS);
  EXPECT_EQ(clock, static_cast<unsigned int>(properties.clockRate / 1000));
}

TEST_F(Nvml, AThreadIsKeptOnTheDevicesProcessors) {
  cpu_set_t before, bound, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  unsigned long near[sizeof(cpu_set_t) / sizeof(unsigned long)] = {};
  ASSERT_EQ(nvmlDeviceGetCpuAffinity(device, sizeof near / sizeof *near, near), NVML_SUCCESS);
  ASSERT_EQ(nvmlDeviceSetCpuAffinity(device), NVML_SUCCESS);
  ASSERT_EQ(sched_getaffinity(0, sizeof bound, &bound), 0);
  EXPECT_GT(CPU_COUNT(&bound), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    const bool isNear = near[cpu / 64] >> cpu % 64 & 1;
    if (CPU_ISSET(cpu, &bound)) EXPECT_TRUE(isNear) << cpu;
  }
  EXPECT_EQ(nvmlDeviceClearCpuAffinity(device), NVML_SUCCESS);
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  CPU_AND(&bound, &after, &before);
  EXPECT_TRUE(CPU_EQUAL(&bound, &before));
  EXPECT_EQ(nvmlDeviceSetCpuAffinity(nullptr), NVML_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST_F(Nvml, DevicesAreFoundByUuidAndPlace) {
  char uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
  ASSERT_EQ(nvmlDeviceGetUUID(device, uuid, sizeof uuid), NVML_SUCCESS);
  EXPECT_EQ(std::string(uuid).substr(0, 4), "GPU-");
  nvmlDevice_t found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByUUID(uuid, &found), NVML_SUCCESS);
  EXPECT_EQ(found, device);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-none", &found), NVML_ERROR_NOT_FOUND);
  nvmlPciInfo_t pci;
  ASSERT_EQ(nvmlDeviceGetPciInfo(device, &pci), NVML_SUCCESS);
  char bus[32];
  ASSERT_EQ(musaDeviceGetPCIBusId(bus, sizeof bus, 0), musaSuccess);
  EXPECT_STREQ(pci.busIdLegacy, bus);
  EXPECT_EQ(std::string(pci.busId), "0000" + std::string(bus));
  found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId(pci.busId, &found), NVML_SUCCESS);
  EXPECT_EQ(found, device);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("0000:ff:00.0", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("nonsense", &found), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Nvml, MemoryAndProcessesFollowAllocations) {
  nvmlMemory_t before, during;
  ASSERT_EQ(nvmlDeviceGetMemoryInfo(device, &before), NVML_SUCCESS);
  void* pointer = nullptr;
  ASSERT_EQ(musaMalloc(&pointer, 64 << 20), musaSuccess);
  ASSERT_EQ(nvmlDeviceGetMemoryInfo(device, &during), NVML_SUCCESS);
  EXPECT_EQ(during.used - before.used, 64u << 20);
  EXPECT_EQ(during.used + during.free, during.total);

  unsigned int count = 0;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(device, &count, nullptr), NVML_ERROR_INSUFFICIENT_SIZE);
  ASSERT_EQ(count, 1u);
  std::vector<nvmlProcessInfo_t> processes(count);
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses(device, &count, processes.data()), NVML_SUCCESS);
  EXPECT_EQ(processes[0].pid, static_cast<unsigned int>(getpid()));
  EXPECT_EQ(processes[0].usedGpuMemory, during.used);
  count = 0;
  EXPECT_EQ(nvmlDeviceGetGraphicsRunningProcesses(device, &count, nullptr), NVML_SUCCESS);
  char name[256];
  ASSERT_EQ(nvmlSystemGetProcessName(processes[0].pid, name, sizeof name), NVML_SUCCESS);
  EXPECT_NE(std::string(name).find("mtml_test"), std::string::npos);
  ASSERT_EQ(musaFree(pointer), musaSuccess);
}

TEST_F(Nvml, MemoryOfVersion2TellsWhatIsReserved) {
  nvmlMemory_v2_t memory{};
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device, &memory), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  memory.version = nvmlMemory_v2;
  ASSERT_EQ(nvmlDeviceGetMemoryInfo_v2(device, &memory), NVML_SUCCESS);
  EXPECT_EQ(memory.reserved + memory.used + memory.free, memory.total);
}

TEST_F(Nvml, WhatAnEmulatedDeviceLacksIsNotSupported) {
  unsigned int value = 0;
  EXPECT_EQ(nvmlDeviceGetTemperatureThreshold(device, NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, &value),
            NVML_ERROR_NOT_SUPPORTED);
  // An S5000 is cooled by its server.
  EXPECT_EQ(nvmlDeviceGetFanSpeed(device, &value), NVML_ERROR_NOT_SUPPORTED);
  nvmlEnableState_t state;
  EXPECT_EQ(nvmlDeviceGetNvLinkState(device, 0, &state), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetNvLinkState(device, 99, &state), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Nvml, BoardIsTheProducts) {
  unsigned int limit = 0, milliwatts = 0, celsius = 0, least = 0, most = 0, fans = 7;
  ASSERT_EQ(nvmlDeviceGetPowerManagementLimit(device, &limit), NVML_SUCCESS);
  EXPECT_EQ(limit, 950'000u);
  ASSERT_EQ(nvmlDeviceGetPowerManagementLimitConstraints(device, &least, &most), NVML_SUCCESS);
  EXPECT_EQ(least, limit);
  EXPECT_EQ(most, limit);
  ASSERT_EQ(nvmlDeviceGetPowerUsage(device, &milliwatts), NVML_SUCCESS);
  EXPECT_GT(milliwatts, 0u);
  EXPECT_LE(milliwatts, limit);
  ASSERT_EQ(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &celsius), NVML_SUCCESS);
  EXPECT_GE(celsius, 27u);
  ASSERT_EQ(nvmlDeviceGetNumFans(device, &fans), NVML_SUCCESS);
  EXPECT_EQ(fans, 0u);
  unsigned int video = 0;
  ASSERT_EQ(nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &video), NVML_SUCCESS);
  EXPECT_EQ(video, 1200u);
  unsigned int load = 7, period = 7;
  ASSERT_EQ(nvmlDeviceGetEncoderUtilization(device, &load, &period), NVML_SUCCESS);
  EXPECT_EQ(load, 0u);
  char text[NVML_DEVICE_SERIAL_BUFFER_SIZE] = "";
  ASSERT_EQ(nvmlDeviceGetVbiosVersion(device, text, sizeof text), NVML_SUCCESS);
  EXPECT_STREQ(text, "4.3.41");
  ASSERT_EQ(nvmlDeviceGetSerial(device, text, sizeof text), NVML_SUCCESS);
  EXPECT_EQ(std::string(text).substr(0, 6), "MY10YL");
}

TEST_F(Nvml, WrongArgumentsAreRefused) {
  unsigned int value = 0;
  char text[4];
  EXPECT_EQ(nvmlDeviceGetIndex(nullptr, &value), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetIndex(reinterpret_cast<nvmlDevice_t>(&value), &value), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetIndex(device, nullptr), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(64, &device), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetName(device, text, sizeof text), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_EQ(nvmlSystemGetProcessName(4000000, text, sizeof text), NVML_ERROR_NOT_FOUND);
}

TEST_F(Nvml, OneDeviceIsItsOwnAncestor) {
  nvmlGpuTopologyLevel_t level;
  ASSERT_EQ(nvmlDeviceGetTopologyCommonAncestor(device, device, &level), NVML_SUCCESS);
  EXPECT_EQ(level, NVML_TOPOLOGY_INTERNAL);
  nvmlGpuP2PStatus_t status;
  ASSERT_EQ(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_NVLINK, &status), NVML_SUCCESS);
  EXPECT_EQ(status, NVML_P2P_STATUS_NOT_SUPPORTED);
}

}  // namespace
