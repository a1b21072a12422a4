#include <chrono>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

class EventTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_MUSA(musaSuccess, ::musaEventCreate(&start_));
    ASSERT_MUSA(musaSuccess, ::musaEventCreate(&end_));
  }
  void TearDown() override {
    EXPECT_MUSA(musaSuccess, musaEventDestroy(start_));
    EXPECT_MUSA(musaSuccess, musaEventDestroy(end_));
    RuntimeTest::TearDown();
  }
  musaEvent_t start_ = nullptr, end_ = nullptr;
};

TEST_F(EventTest, CreationErrors) {
  musaEvent_t event = nullptr;
  EXPECT_MUSA(musaErrorInvalidValue, ::musaEventCreate(nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaEventCreateWithFlags(&event, 0x20));
  EXPECT_MUSA(musaErrorInvalidValue, musaEventCreateWithFlags(&event, musaEventInterprocess));
}

TEST_F(EventTest, NeverRecorded) {
  float ms = 0;
  EXPECT_MUSA(musaSuccess, musaEventQuery(start_));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(start_));
  EXPECT_MUSA(musaSuccess, musaStreamWaitEvent(nullptr, start_, 0));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventElapsedTime(&ms, start_, end_));
}

TEST_F(EventTest, ElapsedTimeIsTheTruth) {
  auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  EXPECT_MUSA(musaSuccess, musaEventRecord(start_, nullptr));
  EXPECT_MUSA(musaSuccess, musaLaunchHostFunc(nullptr, sleep, nullptr));
  EXPECT_MUSA(musaSuccess, musaEventRecord(end_, nullptr));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(end_));
  float ms = 0;
  EXPECT_MUSA(musaSuccess, musaEventElapsedTime(&ms, start_, end_));
  EXPECT_GE(ms, 20.0f);
  EXPECT_LT(ms, 2000.0f);
  EXPECT_MUSA(musaErrorInvalidValue, musaEventElapsedTime(nullptr, start_, end_));
}

TEST_F(EventTest, PendingEvents) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  {
    SpinFlag flag;
    float ms = 0;
    EXPECT_MUSA(musaSuccess, musaEventRecord(start_, stream));
    ASSERT_MUSA(musaSuccess, flag.startOn(stream));
    EXPECT_MUSA(musaSuccess, musaEventRecord(end_, stream));
    EXPECT_MUSA(musaErrorNotReady, musaEventQuery(end_));
    EXPECT_MUSA(musaErrorNotReady, musaEventElapsedTime(&ms, start_, end_));
    EXPECT_MUSA(musaSuccess, musaGetLastError()) << "not ready is no error";
    flag.raise();
    EXPECT_MUSA(musaSuccess, musaEventSynchronize(end_));
    EXPECT_MUSA(musaSuccess, musaEventElapsedTime(&ms, start_, end_));
  }
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(EventTest, WithoutTiming) {
  musaEvent_t plain = nullptr;
  float ms = 0;
  ASSERT_MUSA(musaSuccess, musaEventCreateWithFlags(&plain, musaEventDisableTiming));
  EXPECT_MUSA(musaSuccess, musaEventRecord(plain, nullptr));
  EXPECT_MUSA(musaSuccess, musaEventRecord(end_, nullptr));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(plain));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(end_));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventElapsedTime(&ms, plain, end_));
  EXPECT_MUSA(musaSuccess, musaEventDestroy(plain));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventDestroy(plain));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventRecord(plain, nullptr));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventRecord(nullptr, nullptr));
}

TEST_F(EventTest, RecordingAgainMovesTheEvent) {
  musaStream_t busy = nullptr, idle = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&busy, musaStreamNonBlocking));
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&idle, musaStreamNonBlocking));
  {
    SpinFlag flag;
    ASSERT_MUSA(musaSuccess, flag.startOn(busy));
    EXPECT_MUSA(musaSuccess, musaEventRecord(start_, busy));
    EXPECT_MUSA(musaErrorNotReady, musaEventQuery(start_));
    EXPECT_MUSA(musaSuccess, musaEventRecord(start_, idle));
    EXPECT_MUSA(musaSuccess, musaEventSynchronize(start_));
    flag.raise();
  }
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(busy));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(idle));
}

// A chain over all devices: each adds one after the one before it.
TEST_F(EventTest, WaitsAcrossDevices) {
  int* value = nullptr;
  ASSERT_MUSA(musaSuccess,
              ::musaMallocManaged(reinterpret_cast<void**>(&value), sizeof(int), musaMemAttachGlobal));
  *value = 0;
  std::vector<musaStream_t> streams(kDevices);
  std::vector<musaEvent_t> events(kDevices);
  for (int i = 0; i < kDevices; ++i) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(i));
    ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&streams[i], musaStreamNonBlocking));
    ASSERT_MUSA(musaSuccess, musaEventCreateWithFlags(&events[i], musaEventDisableTiming));
  }
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kDevices; ++i) {
      ASSERT_MUSA(musaSuccess, musaSetDevice(i));
      int before = (i + kDevices - 1) % kDevices;
      ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(streams[i], events[before], 0));
      ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, streams[i], value, 1, 1));
      ASSERT_MUSA(musaSuccess, musaEventRecord(events[i], streams[i]));
    }
  }
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(streams[kDevices - 1]));
  EXPECT_EQ(*value, kRounds * kDevices);
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaEventRecord(events[0], streams[1])) << "of another device";
  EXPECT_MUSA(musaErrorInvalidValue, musaStreamWaitEvent(streams[0], events[0], 2));
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(streams[i]));
    EXPECT_MUSA(musaSuccess, musaEventDestroy(events[i]));
  }
  EXPECT_MUSA(musaSuccess, musaFree(value));
}

}  // namespace
}  // namespace musashim::test
