// libmtml: what it tells, its handles, its errors.
#include "mtml.h"

#include <gtest/gtest.h>
#include <musa_runtime.h>

#include <string>

namespace {

class Mtml : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mtmlLibraryInit(&library), MTML_SUCCESS);
    ASSERT_EQ(mtmlLibraryInitDeviceByIndex(library, 0, &device), MTML_SUCCESS);
  }
  void TearDown() override {
    if (library) EXPECT_EQ(mtmlLibraryShutDown(library), MTML_SUCCESS);
  }

  std::string uuid() const {
    char text[MTML_DEVICE_UUID_BUFFER_SIZE] = "";
    EXPECT_EQ(mtmlDeviceGetUUID(device, text, sizeof text), MTML_SUCCESS);
    return text;
  }

  MtmlLibrary* library = nullptr;
  MtmlDevice* device = nullptr;
};

TEST_F(Mtml, DeviceIsTheRuntimes) {
  musaDeviceProp properties;
  ASSERT_EQ(musaGetDeviceProperties(&properties, 0), musaSuccess);
  char name[MTML_DEVICE_NAME_BUFFER_SIZE] = "";
  ASSERT_EQ(mtmlDeviceGetName(device, name, sizeof name), MTML_SUCCESS);
  EXPECT_STREQ(name, properties.name);
  unsigned int cores = 0;
  ASSERT_EQ(mtmlDeviceCountGpuCores(device, &cores), MTML_SUCCESS);
  EXPECT_EQ(cores, static_cast<unsigned int>(properties.multiProcessorCount));
  MtmlPciInfo pci;
  ASSERT_EQ(mtmlDeviceGetPciInfo(device, &pci), MTML_SUCCESS);
  EXPECT_EQ(pci.bus, static_cast<unsigned int>(properties.pciBusID));
  EXPECT_EQ(pci.pciDeviceId & 0xffff, 0x1ed5u);
  char sbdf[MTML_DEVICE_PCI_SBDF_BUFFER_SIZE];
  std::snprintf(sbdf, sizeof sbdf, "%08x:%02x:%02x.0", pci.segment, pci.bus, pci.device);
  EXPECT_STREQ(pci.sbdf, sbdf);
}

TEST_F(Mtml, UuidsAreThoseThatMusaVisibleDevicesTakes) {
  musaDeviceProp properties;
  ASSERT_EQ(musaGetDeviceProperties(&properties, 0), musaSuccess);
  std::string hex;
  for (const char byte : properties.uuid.bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    hex += digits;
  }
  std::string text = uuid();
  EXPECT_EQ(text.size(), 36u);
  std::erase(text, '-');
  EXPECT_EQ(text, hex);
}

TEST_F(Mtml, DevicesAreFoundByNumberUuidAndPlace) {
  unsigned int count = 0;
  ASSERT_EQ(mtmlLibraryCountDevice(library, &count), MTML_SUCCESS);
  MtmlDevice* found = nullptr;
  EXPECT_EQ(mtmlLibraryInitDeviceByIndex(library, count, &found), MTML_ERROR_NOT_FOUND);
  ASSERT_EQ(mtmlLibraryInitDeviceByUuid(library, uuid().c_str(), &found), MTML_SUCCESS);
  unsigned int index = 99;
  ASSERT_EQ(mtmlDeviceGetIndex(found, &index), MTML_SUCCESS);
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(mtmlLibraryInitDeviceByUuid(library, "no such", &found), MTML_ERROR_NOT_FOUND);
  MtmlPciInfo pci;
  ASSERT_EQ(mtmlDeviceGetPciInfo(device, &pci), MTML_SUCCESS);
  EXPECT_EQ(mtmlLibraryInitDeviceByPciSbdf(library, pci.sbdf, &found), MTML_SUCCESS);
  EXPECT_EQ(mtmlLibraryInitDeviceByPciSbdf(library, "00000000:ff:00.0", &found), MTML_ERROR_NOT_FOUND);
}

TEST_F(Mtml, MemoryInUseFollowsAllocations) {
  MtmlMemory* memory = nullptr;
  ASSERT_EQ(mtmlDeviceInitMemory(device, &memory), MTML_SUCCESS);
  unsigned long long total = 0, before = 0, during = 0, after = 0;
  ASSERT_EQ(mtmlMemoryGetTotal(memory, &total), MTML_SUCCESS);
  EXPECT_EQ(total % (1ull << 30), 0u);
  ASSERT_EQ(mtmlMemoryGetUsed(memory, &before), MTML_SUCCESS);
  void* pointer = nullptr;
  ASSERT_EQ(musaMalloc(&pointer, 48 << 20), musaSuccess);
  ASSERT_EQ(mtmlMemoryGetUsed(memory, &during), MTML_SUCCESS);
  ASSERT_EQ(musaFree(pointer), musaSuccess);
  ASSERT_EQ(mtmlMemoryGetUsed(memory, &after), MTML_SUCCESS);
  EXPECT_EQ(during - before, 48ull << 20);
  EXPECT_EQ(after, before);
  EXPECT_EQ(mtmlDeviceFreeMemory(memory), MTML_SUCCESS);
}

TEST_F(Mtml, BandwidthIsThatOfBusAndClock) {
  MtmlMemory* memory = nullptr;
  ASSERT_EQ(mtmlDeviceInitMemory(device, &memory), MTML_SUCCESS);
  unsigned int clock = 0, bits = 0, bandwidth = 0, speed = 0;
  ASSERT_EQ(mtmlMemoryGetClock(memory, &clock), MTML_SUCCESS);
  ASSERT_EQ(mtmlMemoryGetBusWidth(memory, &bits), MTML_SUCCESS);
  ASSERT_EQ(mtmlMemoryGetBandwidth(memory, &bandwidth), MTML_SUCCESS);
  ASSERT_EQ(mtmlMemoryGetSpeed(memory, &speed), MTML_SUCCESS);
  EXPECT_EQ(speed, 2 * clock);
  EXPECT_EQ(bandwidth, speed * bits / 8 / 1000);
}

TEST_F(Mtml, WhatAnEmulatedDeviceLacksIsNotSupported) {
  unsigned int value = 7;
  EXPECT_EQ(mtmlDeviceCountMpcInstances(device, &value), MTML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(mtmlDeviceCountSupportedVirtTypes(device, &value), MTML_ERROR_NOT_SUPPORTED);
  MtmlMpcProfile profile;
  EXPECT_EQ(mtmlDeviceGetMpcProfileInfo(device, &profile), MTML_ERROR_NOT_SUPPORTED);
  MtmlPciSlotInfo slot;
  EXPECT_EQ(mtmlDeviceGetPcieSlotInfo(device, &slot), MTML_ERROR_NOT_SUPPORTED);
  // An S5000 is cooled by its server.
  EXPECT_EQ(mtmlDeviceGetFanSpeed(device, 0, &value), MTML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(value, 7u);
  ASSERT_EQ(mtmlDeviceCountFan(device, &value), MTML_SUCCESS);
  EXPECT_EQ(value, 0u);
}

TEST_F(Mtml, ResetsOnlyWhatNobodyUses) {
  void* pointer = nullptr;
  ASSERT_EQ(musaMalloc(&pointer, 1 << 20), musaSuccess);
  EXPECT_EQ(mtmlDeviceReset(device), MTML_ERROR_RESOURCE_IS_BUSY);
  ASSERT_EQ(musaFree(pointer), musaSuccess);
  EXPECT_EQ(mtmlDeviceReset(nullptr), MTML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Mtml, HandlesThatAreNoneAreRefused) {
  unsigned int value = 0;
  EXPECT_EQ(mtmlDeviceGetIndex(nullptr, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlDeviceGetIndex(reinterpret_cast<MtmlDevice*>(&value), &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlDeviceGetIndex(device, nullptr), MTML_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(mtmlLibraryFreeDevice(device), MTML_SUCCESS);
  EXPECT_EQ(mtmlDeviceGetIndex(device, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlLibraryFreeDevice(device), MTML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Mtml, ShutDownEndsAllThatIsOfTheLibrary) {
  MtmlLibrary* other = nullptr;
  ASSERT_EQ(mtmlLibraryInit(&other), MTML_SUCCESS);
  MtmlDevice* others = nullptr;
  ASSERT_EQ(mtmlLibraryInitDeviceByIndex(other, 0, &others), MTML_SUCCESS);
  MtmlGpu* gpu = nullptr;
  ASSERT_EQ(mtmlDeviceInitGpu(device, &gpu), MTML_SUCCESS);
  ASSERT_EQ(mtmlLibraryShutDown(library), MTML_SUCCESS);
  unsigned int value = 0;
  EXPECT_EQ(mtmlLibraryCountDevice(library, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlDeviceGetIndex(device, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlGpuGetClock(gpu, &value), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlDeviceGetIndex(others, &value), MTML_SUCCESS);
  library = other;
}

TEST_F(Mtml, ShortBuffersAreRefusedAndNotTouched) {
  char name[4] = "abc";
  EXPECT_EQ(mtmlDeviceGetName(device, name, sizeof name), MTML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_STREQ(name, "abc");
  EXPECT_EQ(mtmlDeviceGetName(device, nullptr, 32), MTML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mtmlDeviceGetName(device, name, 0), MTML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Mtml, DriverVersionIsTheDrivers) {
  MtmlSystem* system = nullptr;
  ASSERT_EQ(mtmlLibraryInitSystem(library, &system), MTML_SUCCESS);
  char text[MTML_DRIVER_VERSION_BUFFER_SIZE] = "";
  ASSERT_EQ(mtmlSystemGetDriverVersion(system, text, sizeof text), MTML_SUCCESS);
  int version = 0;
  ASSERT_EQ(musaDriverGetVersion(&version), musaSuccess);
  EXPECT_EQ(text, std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
                      std::to_string(version % 100));
  EXPECT_EQ(mtmlLibraryFreeSystem(system), MTML_SUCCESS);
  EXPECT_EQ(mtmlLibraryFreeSystem(system), MTML_ERROR_INVALID_ARGUMENT);
}

TEST(MtmlErrors, HaveTexts) {
  EXPECT_STREQ(mtmlErrorString(MTML_ERROR_NOT_SUPPORTED), "Not supported");
  EXPECT_STREQ(mtmlErrorString(static_cast<MtmlReturn>(500)), "Unknown error");
  EXPECT_EQ(mtmlLibraryInit(nullptr), MTML_ERROR_INVALID_ARGUMENT);
}

}  // namespace
