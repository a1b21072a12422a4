// Contexts, handles and errors of the driver API.
#include <musa.h>
#include <musashim_tables.h>

#include <cstring>
#include <thread>

#include "support.h"

#define EXPECT_MU(expected, call) EXPECT_EQ(expected, call) << #call
#define ASSERT_MU(expected, call) ASSERT_EQ(expected, call) << #call

namespace musashim::test {
namespace {

class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_MU(MUSA_SUCCESS, muInit(0));
    ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&primary_, 0));
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(primary_));
  }
  void TearDown() override {
    EXPECT_MU(MUSA_SUCCESS, muCtxSetCurrent(nullptr));
    EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(0));
  }
  MUcontext primary_ = nullptr;
};

TEST_F(DriverTest, InitAndNames) {
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muInit(1));
  const char* text = nullptr;
  EXPECT_MU(MUSA_SUCCESS, muGetErrorName(MUSA_ERROR_NO_BINARY_FOR_GPU, &text));
  EXPECT_STREQ(text, "MUSA_ERROR_NO_BINARY_FOR_GPU");
  EXPECT_MU(MUSA_SUCCESS, muGetErrorString(MUSA_ERROR_INVALID_HANDLE, &text));
  EXPECT_STREQ(text, "invalid resource handle");
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muGetErrorName(static_cast<MUresult>(9), &text))
      << "the runtime's alone";
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, Devices) {
  MUdevice device = -1;
  char name[64];
  MUuuid uuid;
  size_t bytes = 0;
  EXPECT_MU(MUSA_ERROR_INVALID_DEVICE, muDeviceGet(&device, kDevices));
  EXPECT_MU(MUSA_SUCCESS, muDeviceGet(&device, 1));
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetName(name, sizeof name, device));
  EXPECT_STREQ(name, "MTT S5000");
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetName(name, 4, device));
  EXPECT_STREQ(name, "MTT");
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetUuid(&uuid, device));
  EXPECT_MU(MUSA_SUCCESS, muDeviceTotalMem(&bytes, device));
  EXPECT_GT(bytes, size_t{1} << 30);
  int value = 0;
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetP2PAttribute(&value, MU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EXPECT_EQ(value, 1);
  EXPECT_MU(MUSA_ERROR_INVALID_DEVICE,
            muDeviceGetP2PAttribute(&value, MU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1, 1));
}

TEST_F(DriverTest, StackOfContexts) {
  MUcontext context = nullptr, current = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muCtxCreate(&context, 0, 1));
  EXPECT_MU(MUSA_SUCCESS, muCtxGetCurrent(&current));
  EXPECT_EQ(current, context);
  MUdevice device = -1;
  EXPECT_MU(MUSA_SUCCESS, muCtxGetDevice(&device));
  EXPECT_EQ(device, 1);
  EXPECT_MU(MUSA_SUCCESS, muCtxPushCurrent(primary_));
  EXPECT_MU(MUSA_SUCCESS, muCtxPopCurrent(&current));
  EXPECT_EQ(current, primary_);
  EXPECT_MU(MUSA_SUCCESS, muCtxDestroy(context));
  EXPECT_MU(MUSA_SUCCESS, muCtxGetCurrent(&current));
  EXPECT_EQ(current, primary_) << "what was below";
  EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muCtxSetCurrent(context));
  EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muCtxDestroy(context));
  EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muCtxDestroy(primary_)) << "is released, not destroyed";
  std::thread([] {
    MUdeviceptr pointer = 0;
    EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muMemAlloc(&pointer, 4)) << "none is current";
    MUcontext none = nullptr;
    EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muCtxPopCurrent(&none));
  }).join();
}

TEST_F(DriverTest, ContextEndsWithWhatIsInIt) {
  MUcontext context = nullptr;
  MUstream stream = nullptr;
  MUevent event = nullptr;
  MUdeviceptr memory = 0;
  ASSERT_MU(MUSA_SUCCESS, muCtxCreate(&context, 0, 0));
  ASSERT_MU(MUSA_SUCCESS, muStreamCreate(&stream, MU_STREAM_DEFAULT));
  ASSERT_MU(MUSA_SUCCESS, muEventCreate(&event, MU_EVENT_DEFAULT));
  ASSERT_MU(MUSA_SUCCESS, muMemAlloc(&memory, 1024));
  ASSERT_MU(MUSA_SUCCESS, muMemsetD32Async(memory, 7, 256, stream));
  ASSERT_MU(MUSA_SUCCESS, muEventRecord(event, stream));
  ASSERT_MU(MUSA_SUCCESS, muCtxDestroy(context));
  EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muStreamSynchronize(stream));
  EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muEventSynchronize(event));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemFree(memory));
}

TEST_F(DriverTest, PrimaryContextState) {
  unsigned flags = 9;
  int active = -1;
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 1);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muDevicePrimaryCtxSetFlags(0, 0x10000));
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxReset(2));
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxGetState(2, &flags, &active));
  EXPECT_EQ(active, 0);
  EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muDevicePrimaryCtxRelease(2));
}

TEST_F(DriverTest, FillsOfEveryWidth) {
  MUdeviceptr memory = 0;
  ASSERT_MU(MUSA_SUCCESS, muMemAlloc(&memory, 64));
  std::vector<unsigned char> back(64);
  auto read = [&] { EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(back.data(), memory, 64)); };
  EXPECT_MU(MUSA_SUCCESS, muMemsetD8(memory, 1, 64));
  EXPECT_MU(MUSA_SUCCESS, muMemsetD16(memory + 2, 0x0203, 3));
  EXPECT_MU(MUSA_SUCCESS, muMemsetD32(memory + 16, 0x04050607, 2));
  EXPECT_MU(MUSA_SUCCESS, muMemsetD2D8(memory + 32, 8, 9, 3, 2));
  read();
  EXPECT_EQ(back[1], 1);
  EXPECT_EQ(back[2], 3);
  EXPECT_EQ(back[7], 2);
  EXPECT_EQ(back[8], 1);
  EXPECT_EQ(back[16], 7);
  EXPECT_EQ(back[23], 4);
  EXPECT_EQ(back[24], 1);
  EXPECT_EQ(back[42], 9);
  EXPECT_EQ(back[43], 1);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemsetD32(memory + 2, 0, 1));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemsetD32(memory, 0, 17));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemsetD2D32(memory, 4, 0, 2, 2));
  MUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_MU(MUSA_SUCCESS, muMemGetAddressRange(&base, &size, memory + 40));
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 64u);
  EXPECT_MU(MUSA_ERROR_NOT_FOUND, muMemGetAddressRange(&base, &size, memory + 64));
  EXPECT_MU(MUSA_SUCCESS, muMemFree(memory));
}

TEST_F(DriverTest, EntryPointsByName) {
  void* entry = nullptr;
  MUdriverProcAddressQueryResult status;
  EXPECT_MU(MUSA_SUCCESS, muGetProcAddress("muMemAlloc", &entry, MUSA_VERSION, 0, &status));
  EXPECT_EQ(entry, reinterpret_cast<void*>(&muMemAlloc));
  EXPECT_MU(MUSA_SUCCESS, muGetProcAddress("muMemAlloc_v2", &entry, MUSA_VERSION, 0, nullptr));
  EXPECT_EQ(entry, reinterpret_cast<void*>(&muMemAlloc));
  EXPECT_MU(MUSA_SUCCESS, muGetProcAddress("muMagic", &entry, MUSA_VERSION, 0, &status));
  EXPECT_EQ(status, MU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(entry, nullptr);
  EXPECT_MU(MUSA_ERROR_NOT_FOUND, muGetProcAddress("muMagic", &entry, MUSA_VERSION, 0, nullptr));
  // Entries of later versions than asked for, by CUDA's numbers.
  EXPECT_MU(MUSA_SUCCESS, muGetProcAddress("muGraphAddNode", &entry, 11080, 0, &status));
  EXPECT_EQ(status, MU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_EQ(entry, nullptr);
  EXPECT_MU(MUSA_ERROR_NOT_FOUND, muGetProcAddress("muGraphAddNode", &entry, 11080, 0, nullptr));
  EXPECT_MU(MUSA_SUCCESS, muGetProcAddress("muGraphAddNode", &entry, 12030, 0, &status));
  EXPECT_EQ(status, MU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muGetProcAddress("muMemAlloc", &entry, MUSA_VERSION, 3, &status));
}

// Entries that are here only to say that they are not supported.
TEST_F(DriverTest, WhatIsNotSupportedSaysSo) {
  MUtexref reference = nullptr;
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muTexRefCreate(&reference));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muParamSetTexRef(nullptr, 0, nullptr));
  MUSA_LAUNCH_PARAMS launches[1] = {};
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muLaunchCooperativeKernelMultiDevice(launches, 1, 0));
  MUexternalMemory foreign = nullptr;
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muImportExternalMemory(&foreign, nullptr));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muSignalExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muGraphicsMapResources(0, nullptr, nullptr));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muGreenCtxCreate(nullptr, nullptr, 0, 0));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muMulticastCreate(nullptr, nullptr));
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muTensorMapReplaceAddress(nullptr, nullptr));
  size_t size = 0;
  EXPECT_MU(MUSA_ERROR_NOT_SUPPORTED, muCoredumpGetAttribute(MU_COREDUMP_FILE, nullptr, &size));
}

TEST_F(DriverTest, PropertiesAndAffinity) {
  MUdevprop properties{};
  ASSERT_MU(MUSA_SUCCESS, muDeviceGetProperties(&properties, 0));
  int threads = 0, warp = 0, constants = 0, supported = -1;
  ASSERT_MU(MUSA_SUCCESS, muDeviceGetAttribute(&threads, MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0));
  ASSERT_MU(MUSA_SUCCESS, muDeviceGetAttribute(&warp, MU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  ASSERT_MU(MUSA_SUCCESS, muDeviceGetAttribute(&constants, MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 0));
  EXPECT_EQ(properties.maxThreadsPerBlock, threads);
  EXPECT_EQ(properties.SIMDWidth, warp);
  EXPECT_EQ(properties.totalConstantMemory, constants);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muDeviceGetProperties(nullptr, 0));
  EXPECT_MU(MUSA_ERROR_INVALID_DEVICE, muDeviceGetProperties(&properties, 99));
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetExecAffinitySupport(&supported, MU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  EXPECT_EQ(supported, 0);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE,
            muDeviceGetExecAffinitySupport(&supported, static_cast<MUexecAffinityType>(9), 0));
}

TEST_F(DriverTest, FlagsOfTheCurrentContext) {
  unsigned before = 0, flags = 0;
  ASSERT_MU(MUSA_SUCCESS, muCtxGetFlags(&before));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muCtxSetFlags(0x10000));
  EXPECT_MU(MUSA_SUCCESS, muCtxSetFlags(MU_CTX_SCHED_BLOCKING_SYNC));
  EXPECT_MU(MUSA_SUCCESS, muCtxGetFlags(&flags));
  EXPECT_EQ(flags, unsigned{MU_CTX_SCHED_BLOCKING_SYNC});
  EXPECT_MU(MUSA_SUCCESS, muCtxSetFlags(before));
  size_t width = 0;
  EXPECT_MU(MUSA_SUCCESS, muDeviceGetTexture1DLinearMaxWidth(&width, MU_AD_FORMAT_FLOAT, 4, 0));
  EXPECT_GT(width, 0u);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muDeviceGetTexture1DLinearMaxWidth(&width, MU_AD_FORMAT_FLOAT, 3, 0));
}

TEST_F(DriverTest, PeersByContext) {
  MUcontext peer = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&peer, 1));
  EXPECT_MU(MUSA_ERROR_PEER_ACCESS_UNSUPPORTED, muCtxEnablePeerAccess(primary_, 0)) << "itself";
  EXPECT_MU(MUSA_SUCCESS, muCtxEnablePeerAccess(peer, 0));
  EXPECT_MU(MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED, muCtxEnablePeerAccess(peer, 0));
  EXPECT_MU(MUSA_SUCCESS, muCtxDisablePeerAccess(peer));
  EXPECT_MU(MUSA_ERROR_PEER_ACCESS_NOT_ENABLED, muCtxDisablePeerAccess(peer));
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(1));
}

TEST_F(DriverTest, ContextsNamedInTheCall) {
  MUcontext other = nullptr, seen = nullptr;
  MUdevice device = -1;
  ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&other, 1));
  EXPECT_MU(MUSA_SUCCESS, muCtxGetDevice_v2(&device, other));
  EXPECT_EQ(device, 1);
  EXPECT_MU(MUSA_SUCCESS, muCtxGetDevice_v2(&device, nullptr));
  EXPECT_EQ(device, 0);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muCtxGetDevice_v2(nullptr, other));
  EXPECT_MU(MUSA_SUCCESS, muCtxSynchronize_v2(other));
  EXPECT_MU(MUSA_SUCCESS, muCtxSynchronize_v2(nullptr));
  MUgreenCtx green = reinterpret_cast<MUgreenCtx>(&device);
  EXPECT_MU(MUSA_SUCCESS, muStreamGetCtx_v2(nullptr, &seen, &green));
  EXPECT_EQ(seen, primary_);
  EXPECT_EQ(green, nullptr);
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(1));
  EXPECT_MU(MUSA_ERROR_INVALID_CONTEXT, muCtxSynchronize_v2(reinterpret_cast<MUcontext>(&device)));
}

TEST_F(DriverTest, StreamMarkShowsWhatIsSubmitted) {
  constexpr MUuuid kId = MUSASHIM_STREAM_TABLE, kUnknown = {{1, 2, 3}};
  const void* table = nullptr;
  EXPECT_EQ(muGetExportTable(&table, &kUnknown), MUSA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(muGetExportTable(nullptr, &kId), MUSA_ERROR_INVALID_VALUE);
  ASSERT_EQ(muGetExportTable(&table, &kId), MUSA_SUCCESS);
  const auto& streams = *static_cast<const MUshimStreamTable*>(table);
  ASSERT_EQ(streams.size, sizeof streams);
  MUstream free = nullptr, blocking = nullptr;
  ASSERT_EQ(muStreamCreate(&free, MU_STREAM_NON_BLOCKING), MUSA_SUCCESS);
  ASSERT_EQ(muStreamCreate(&blocking, MU_STREAM_DEFAULT), MUSA_SUCCESS);
  const auto commandsOf = [&](MUstream stream) {
    MUshimStreamMark mark{};
    EXPECT_EQ(streams.mark(stream, &mark), MUSA_SUCCESS);
    unsigned long long id = 0;
    EXPECT_EQ(muStreamGetId(stream, &id), MUSA_SUCCESS);
    EXPECT_EQ(mark.stream, id);
    return mark.commands;
  };
  const unsigned long long freeBefore = commandsOf(free), blockingBefore = commandsOf(blocking);
  const auto nothing = [](void*) {};
  ASSERT_EQ(muLaunchHostFunc(free, nothing, nullptr), MUSA_SUCCESS);
  EXPECT_EQ(commandsOf(free), freeBefore + 1);
  EXPECT_EQ(commandsOf(blocking), blockingBefore);
  ASSERT_EQ(muLaunchHostFunc(MU_STREAM_LEGACY, nothing, nullptr), MUSA_SUCCESS);
  EXPECT_EQ(commandsOf(free), freeBefore + 1);
  EXPECT_GT(commandsOf(blocking), blockingBefore);
  MUshimStreamMark mark{};
  EXPECT_EQ(streams.mark(MU_STREAM_LEGACY, &mark), MUSA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(streams.mark(free, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamDestroy(free), MUSA_SUCCESS);
  EXPECT_EQ(muStreamDestroy(blocking), MUSA_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
