// What device code does wrong sticks to the device, and to it alone, until it is reset.
#include <chrono>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

struct FaultCase {
  FaultKind kind;
  const char* error;
};

class FaultTest : public RuntimeTest, public ::testing::WithParamInterface<FaultCase> {};

TEST_P(FaultTest, SticksUntilReset) {
  Buffer<int> other(1);
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  void* memory = nullptr;
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMalloc(&memory, 64));
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, launch(kernels.fault, 1, 1, 0, stream, int{GetParam().kind}));
  const char* error = GetParam().error;
  EXPECT_STREQ(error, musaGetErrorName(musaStreamSynchronize(stream)));
  EXPECT_STREQ(error, musaGetErrorName(musaGetLastError()));
  EXPECT_MUSA(musaSuccess, musaGetLastError()) << "calls bring it back, asking does not";
  EXPECT_STREQ(error, musaGetErrorName(musaDeviceSynchronize()));
  EXPECT_STREQ(error, musaGetErrorName(launch(kernels.empty, 1, 1, 0, stream)));
  EXPECT_STREQ(error, musaGetErrorName(musaFree(memory)));
  EXPECT_STREQ(error, musaGetErrorName(::musaMalloc(&memory, 64)));
  EXPECT_STREQ(error, musaGetErrorName(musaMemset(memory, 0, 4)));

  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  EXPECT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, nullptr, other.get(), 1, 8));
  EXPECT_EQ(other.download(), std::vector<int>{8}) << "other devices go on";

  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  EXPECT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_MUSA(musaSuccess, musaGetLastError());
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamDestroy(stream));
  (void)musaGetLastError();
  Buffer<int> fresh(1);
  EXPECT_MUSA(musaSuccess, launch(kernels.fill, 1, 1, 0, nullptr, fresh.get(), 1, 9));
  EXPECT_EQ(fresh.download(), std::vector<int>{9});
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultTest,
                         ::testing::Values(FaultCase{kStoreNull, "musaErrorIllegalAddress"},
                                           FaultCase{kTrap, "musaErrorLaunchFailure"},
                                           FaultCase{kAssert, "musaErrorAssert"},
                                           FaultCase{kIllegal, "musaErrorIllegalInstruction"}));

using FaultOutputTest = RuntimeTest;

// By whichever call the program learns of the fault.
TEST_F(FaultOutputTest, WhatWasPrintedBeforeIsShown) {
  struct Way {
    const char* name;
    musaError_t (*learn)(musaStream_t, void*);
  };
  const Way ways[] = {{"musaStreamQuery", [](musaStream_t stream, void*) { return musaStreamQuery(stream); }},
                      {"musaFree", [](musaStream_t, void* memory) { return musaFree(memory); }},
                      {"musaMemset", [](musaStream_t, void* memory) { return musaMemset(memory, 0, 4); }},
                      {"musaDeviceSynchronize", [](musaStream_t, void*) { return musaDeviceSynchronize(); }}};
  for (const Way& way : ways) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(1));
    void* memory = nullptr;
    musaStream_t stream = nullptr;
    ASSERT_MUSA(musaSuccess, ::musaMalloc(&memory, 64));
    ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
    testing::internal::CaptureStdout();
    EXPECT_MUSA(musaSuccess, launch(kernels.print, 1, 1, 0, stream));
    EXPECT_MUSA(musaSuccess, launch(kernels.fault, 1, 1, 0, stream, int{kAssert}));
    musaError_t learnt = musaErrorNotReady;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the fault is there, mostly
    while (learnt == musaErrorNotReady) learnt = way.learn(stream, memory);
    EXPECT_STREQ("musaErrorAssert", musaGetErrorName(learnt)) << way.name;
    std::fflush(stdout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello from the device\n") << way.name;
    EXPECT_MUSA(musaSuccess, musaDeviceReset());
    (void)musaGetLastError();
  }
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
}

using LastErrorTest = RuntimeTest;

TEST_F(LastErrorTest, GetClearsPeekDoesNot) {
  EXPECT_MUSA(musaErrorInvalidDevice, musaSetDevice(99));
  EXPECT_MUSA(musaErrorInvalidDevice, musaPeekAtLastError());
  EXPECT_MUSA(musaErrorInvalidDevice, musaPeekAtLastError());
  int device = 0;
  EXPECT_MUSA(musaSuccess, musaGetDevice(&device)) << "a success leaves it";
  EXPECT_MUSA(musaErrorInvalidDevice, musaGetLastError());
  EXPECT_MUSA(musaSuccess, musaGetLastError());
}

TEST_F(LastErrorTest, CallbacksLearnOfTheFault) {
  ASSERT_MUSA(musaSuccess, musaSetDevice(2));
  struct Seen {
    musaError_t status = musaSuccess;
    bool host = false;
  } seen;
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(stream));
  ASSERT_MUSA(musaSuccess, launch(kernels.fault, 1, 1, 0, stream, int{kTrap}));
  ASSERT_MUSA(musaSuccess, musaStreamAddCallback(
                               stream,
                               [](musaStream_t, musaError_t status, void* data) {
                                 static_cast<Seen*>(data)->status = status;
                               },
                               &seen, 0));
  ASSERT_MUSA(musaSuccess,
              musaLaunchHostFunc(stream, [](void* data) { static_cast<Seen*>(data)->host = true; }, &seen));
  flag.raise();
  EXPECT_MUSA(musaErrorLaunchFailure, musaStreamSynchronize(stream));
  EXPECT_MUSA(musaErrorLaunchFailure, seen.status);
  EXPECT_FALSE(seen.host) << "host functions are not called after an error";
  EXPECT_MUSA(musaSuccess, musaDeviceReset());
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
}

TEST(ErrorNames, AllCodesHaveThem) {
  EXPECT_STREQ(musaGetErrorString(musaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(musaGetErrorName(musaErrorMusartUnloading), "musaErrorMusartUnloading");
  EXPECT_STREQ(musaGetErrorName(static_cast<musaError_t>(12345)), "unrecognized error code");
  EXPECT_STREQ(musaGetErrorString(static_cast<musaError_t>(12345)), "unrecognized error code");
}

}  // namespace
}  // namespace musashim::test
