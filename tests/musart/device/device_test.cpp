#include <cstring>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

using DeviceTest = RuntimeTest;

TEST_F(DeviceTest, CountsAndChooses) {
  int count = 0, device = -1;
  EXPECT_MUSA(musaSuccess, musaGetDeviceCount(&count));
  EXPECT_EQ(count, kDevices);
  EXPECT_MUSA(musaSuccess, musaSetDevice(2));
  EXPECT_MUSA(musaSuccess, musaGetDevice(&device));
  EXPECT_EQ(device, 2);
  EXPECT_MUSA(musaErrorInvalidDevice, musaSetDevice(kDevices));
  EXPECT_MUSA(musaErrorInvalidDevice, musaSetDevice(-1));
  EXPECT_MUSA(musaSuccess, musaGetDevice(&device));
  EXPECT_EQ(device, 2) << "a refused device changes nothing";
  EXPECT_MUSA(musaErrorInvalidValue, musaGetDevice(nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
}

TEST_F(DeviceTest, EveryThreadBeginsOnDeviceZero) {
  ASSERT_MUSA(musaSuccess, musaSetDevice(3));
  std::thread([] {
    int device = -1;
    EXPECT_MUSA(musaSuccess, musaGetDevice(&device));
    EXPECT_EQ(device, 0);
  }).join();
}

TEST_F(DeviceTest, PropertiesAgreeWithAttributes) {
  musaDeviceProp prop;
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&prop, 1));
  EXPECT_STREQ(prop.name, "MTT S5000");
  struct {
    musaDeviceAttr attribute;
    long long expected;
  } rows[] = {{musaDevAttrWarpSize, 32},
              {musaDevAttrComputeCapabilityMajor, prop.major},
              {musaDevAttrComputeCapabilityMinor, prop.minor},
              {musaDevAttrMaxThreadsPerBlock, prop.maxThreadsPerBlock},
              {musaDevAttrMaxBlockDimZ, prop.maxThreadsDim[2]},
              {musaDevAttrMaxGridDimY, prop.maxGridSize[1]},
              {musaDevAttrMultiProcessorCount, prop.multiProcessorCount},
              {musaDevAttrPciBusId, prop.pciBusID},
              {musaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(prop.sharedMemPerBlock)},
              {musaDevAttrClockRate, prop.clockRate},
              {musaDevAttrComputeMode, musaComputeModeDefault}};
  for (const auto& row : rows) {
    int value = -1;
    EXPECT_MUSA(musaSuccess, musaDeviceGetAttribute(&value, row.attribute, 1));
    EXPECT_EQ(value, row.expected) << "attribute " << row.attribute;
  }
  int value = 0;
  EXPECT_MUSA(musaErrorInvalidDevice, musaGetDeviceProperties(&prop, kDevices));
  EXPECT_MUSA(musaErrorInvalidValue, musaGetDeviceProperties(nullptr, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceGetAttribute(&value, static_cast<musaDeviceAttr>(1000), 0));
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceGetAttribute(&value, musaDevAttrWarpSize, -1));
}

TEST_F(DeviceTest, DevicesHaveDifferentPlacesAndUuids) {
  musaDeviceProp first, second;
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&first, 0));
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&second, 1));
  EXPECT_NE(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid), 0);
  char id[32];
  int device = -1;
  ASSERT_MUSA(musaSuccess, musaDeviceGetPCIBusId(id, sizeof id, 2));
  ASSERT_MUSA(musaSuccess, musaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(device, 2);
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceGetPCIBusId(id, 4, 2));
  EXPECT_MUSA(musaErrorInvalidDevice, musaDeviceGetByPCIBusId(&device, "0000:01:00.0"));
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceGetByPCIBusId(&device, "nonsense"));
}

TEST_F(DeviceTest, LimitsFlagsAndPreferences) {
  size_t value = 0;
  EXPECT_MUSA(musaSuccess, musaDeviceSetLimit(musaLimitStackSize, 4096));
  EXPECT_MUSA(musaSuccess, musaDeviceGetLimit(&value, musaLimitStackSize));
  EXPECT_EQ(value, 4096u);
  EXPECT_MUSA(musaErrorInvalidValue, musaDeviceGetLimit(&value, static_cast<musaLimit>(99)));
  musaDeviceProp found = {};
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&found, 0));
  EXPECT_GT(found.persistingL2CacheMaxSize, 0);
  EXPECT_LT(found.persistingL2CacheMaxSize, found.l2CacheSize);
  EXPECT_MUSA(musaSuccess, musaDeviceSetLimit(musaLimitPersistingL2CacheSize, 1 << 20));
  EXPECT_MUSA(musaSuccess, musaDeviceGetLimit(&value, musaLimitPersistingL2CacheSize));
  EXPECT_EQ(value, 1u << 20);
  EXPECT_MUSA(musaSuccess, musaDeviceSetLimit(musaLimitPersistingL2CacheSize, found.l2CacheSize));
  EXPECT_MUSA(musaSuccess, musaDeviceGetLimit(&value, musaLimitPersistingL2CacheSize));
  EXPECT_EQ(value, static_cast<size_t>(found.persistingL2CacheMaxSize)) << "a device gives what it has";
  EXPECT_MUSA(musaSuccess, musaCtxResetPersistingL2Cache());
  unsigned flags = 0;
  EXPECT_MUSA(musaErrorInvalidValue, musaSetDeviceFlags(0x1000));
  EXPECT_MUSA(musaSuccess, musaSetDeviceFlags(musaDeviceScheduleSpin));
  EXPECT_MUSA(musaSuccess, musaGetDeviceFlags(&flags));
  EXPECT_EQ(flags, unsigned{musaDeviceScheduleSpin | musaDeviceMapHost});
  EXPECT_MUSA(musaSuccess, musaSetDeviceFlags(0));
  int least = -1, greatest = 1;
  EXPECT_MUSA(musaSuccess, musaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  musaFuncCache cache;
  EXPECT_MUSA(musaSuccess, musaDeviceSetCacheConfig(musaFuncCachePreferL1));
  EXPECT_MUSA(musaSuccess, musaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(cache, musaFuncCachePreferL1);
}

TEST_F(DeviceTest, ResetEndsEverythingOnTheDevice) {
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  void* memory = nullptr;
  size_t before = 0, after = 0, total = 0;
  ASSERT_MUSA(musaSuccess, musaMemGetInfo(&before, &total));
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, musaEventCreateWithFlags(&event, 0));
  ASSERT_MUSA(musaSuccess, ::musaMalloc(&memory, 1 << 20));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, stream));
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamSynchronize(stream));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventQuery(event));
  EXPECT_MUSA(musaErrorInvalidValue, musaFree(memory));
  EXPECT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, nullptr)) << "device code loads again";
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  ASSERT_MUSA(musaSuccess, musaMemGetInfo(&after, &total));
  EXPECT_LE(after, total);
  EXPECT_GT(after + (16 << 20), before) << "the memory came back";
}

TEST_F(DeviceTest, VersionsAndEntryPoints) {
  int version = 0;
  EXPECT_MUSA(musaSuccess, musaRuntimeGetVersion(&version));
  EXPECT_EQ(version, MUSART_VERSION);
  EXPECT_MUSA(musaSuccess, musaDriverGetVersion(&version));
  EXPECT_GE(version, MUSART_VERSION);
  EXPECT_MUSA(musaErrorInvalidValue, musaRuntimeGetVersion(nullptr));
  void* entry = nullptr;
  musaDriverEntryPointQueryResult status;
  EXPECT_MUSA(musaSuccess, musaGetDriverEntryPoint("muMemAlloc", &entry, musaEnableDefault, &status));
  EXPECT_NE(entry, nullptr);
  EXPECT_MUSA(musaSuccess, musaGetDriverEntryPoint("muNothing", &entry, musaEnableDefault, &status));
  EXPECT_EQ(status, musaDriverEntryPointSymbolNotFound);
}

}  // namespace
}  // namespace musashim::test
