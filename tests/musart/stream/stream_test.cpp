// Streams: handles, order, and the legacy default stream's rules.
#include <atomic>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

class StreamTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_MUSA(musaSuccess, musaStreamCreate(&blocking_));
    ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&nonBlocking_, musaStreamNonBlocking));
  }
  void TearDown() override {
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(blocking_));
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(nonBlocking_));
    RuntimeTest::TearDown();
  }
  musaStream_t blocking_ = nullptr, nonBlocking_ = nullptr;
};

TEST_F(StreamTest, HandlesAndProperties) {
  unsigned flags = 9;
  int priority = 9, device = -1;
  unsigned long long first = 0, second = 0;
  EXPECT_MUSA(musaSuccess, musaStreamGetFlags(nonBlocking_, &flags));
  EXPECT_EQ(flags, unsigned{musaStreamNonBlocking});
  EXPECT_MUSA(musaSuccess, musaStreamGetFlags(nullptr, &flags));
  EXPECT_EQ(flags, unsigned{musaStreamDefault});
  EXPECT_MUSA(musaSuccess, musaStreamGetId(blocking_, &first));
  EXPECT_MUSA(musaSuccess, musaStreamGetId(nonBlocking_, &second));
  EXPECT_NE(first, second);
  EXPECT_MUSA(musaSuccess, musaStreamGetDevice(blocking_, &device));
  EXPECT_EQ(device, 0);
  musaStream_t urgent = nullptr;
  EXPECT_MUSA(musaSuccess, musaStreamCreateWithPriority(&urgent, musaStreamNonBlocking, -100));
  EXPECT_MUSA(musaSuccess, musaStreamGetPriority(urgent, &priority));
  int least = 0, greatest = 0;
  EXPECT_MUSA(musaSuccess, musaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(priority, greatest) << "out of range is clamped";
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(urgent));
  EXPECT_MUSA(musaErrorInvalidValue, musaStreamCreate(nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaStreamCreateWithFlags(&urgent, 8));
}

TEST_F(StreamTest, BadHandlesAreKnown) {
  musaStream_t gone = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&gone));
  ASSERT_MUSA(musaSuccess, musaStreamDestroy(gone));
  for (musaStream_t bad :
       {gone, reinterpret_cast<musaStream_t>(0xdead0), reinterpret_cast<musaStream_t>(&gone)}) {
    EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamSynchronize(bad));
    EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamQuery(bad));
    EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamDestroy(bad));
    EXPECT_MUSA(musaErrorInvalidResourceHandle, launch(kernels.empty, 1, 1, 0, bad));
  }
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamDestroy(nullptr));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaStreamDestroy(musaStreamLegacy));
}

TEST_F(StreamTest, LegacyWaitsForBlockingStreamsOnly) {
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(blocking_));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, nullptr));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, nonBlocking_));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(nonBlocking_)) << "not held up";
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(nullptr));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(nullptr));
  EXPECT_MUSA(musaSuccess, musaStreamQuery(blocking_));
}

TEST_F(StreamTest, BlockingStreamsWaitForLegacy) {
  SpinFlag flag;
  musaStream_t perThread = musaStreamPerThread;
  ASSERT_MUSA(musaSuccess, flag.startOn(musaStreamLegacy));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, blocking_));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, perThread));
  ASSERT_MUSA(musaSuccess, launch(kernels.empty, 1, 1, 0, nonBlocking_));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(nonBlocking_));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(blocking_));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(perThread));
  flag.raise();
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(blocking_));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(perThread));
}

// stream -> legacy -> other stream: the value shows the order.
TEST_F(StreamTest, LegacyOrdersWorkOfDifferentStreams) {
  musaStream_t other = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&other));
  Buffer<int> values(1000);
  for (int round = 0; round < 200; ++round) {
    ASSERT_MUSA(musaSuccess, launch(kernels.fill, 1, 256, 0, blocking_, values.get(), 1000, 1));
    ASSERT_MUSA(musaSuccess, launch(kernels.fill, 4, 256, 0, nullptr, values.get(), 1000, 10));
    ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, other, values.get(), 1000, 7));
    ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, nullptr, values.get(), 1000, 3));
    ASSERT_EQ(values.download(), std::vector<int>(1000, 20)) << "round " << round;
  }
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
}

TEST_F(StreamTest, WorkOutlivesItsStream) {
  Buffer<int> values(1);
  values.upload({0});
  musaStream_t stream = nullptr;
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, flag.startOn(stream));
  ASSERT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, stream, values.get(), 1, 5));
  ASSERT_MUSA(musaSuccess, musaStreamDestroy(stream));
  flag.raise();
  EXPECT_EQ(values.download(), std::vector<int>{5}) << "the legacy stream still waits for it";
}

TEST_F(StreamTest, HostFunctionsRunInOrder) {
  struct Record {
    std::vector<int> order;
    musaError_t inside = musaSuccess, device = musaSuccess, event = musaErrorUnknown, last = musaSuccess;
    musaEvent_t reached = nullptr;
  } record;
  ASSERT_MUSA(musaSuccess, ::musaEventCreate(&record.reached));
  auto host = [](void* data) {
    auto* r = static_cast<Record*>(data);
    r->order.push_back(1);
    int device = 0;
    r->inside = musaStreamQuery(nullptr);  // not allowed here
    r->device = musaGetDevice(&device);
    r->event = musaEventQuery(r->reached);  // this is
    r->last = musaGetLastError();
  };
  auto callback = [](musaStream_t stream, musaError_t status, void* data) {
    EXPECT_EQ(status, musaSuccess);
    EXPECT_NE(stream, nullptr);
    static_cast<Record*>(data)->order.push_back(2);
  };
  EXPECT_MUSA(musaSuccess, musaLaunchHostFunc(blocking_, host, &record));
  EXPECT_MUSA(musaSuccess, musaStreamAddCallback(blocking_, callback, &record, 0));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(blocking_));
  EXPECT_EQ(record.order, (std::vector<int>{1, 2}));
  EXPECT_MUSA(musaErrorNotPermitted, record.inside);
  EXPECT_MUSA(musaErrorNotPermitted, record.device);
  EXPECT_MUSA(musaSuccess, record.event);
  EXPECT_MUSA(musaErrorNotPermitted, record.last);
  EXPECT_MUSA(musaSuccess, musaGetLastError()) << "whichever thread ran the function";
  EXPECT_MUSA(musaSuccess, musaEventDestroy(record.reached));
  EXPECT_MUSA(musaErrorInvalidValue, musaLaunchHostFunc(blocking_, nullptr, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaStreamAddCallback(blocking_, nullptr, nullptr, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaStreamAddCallback(blocking_, callback, nullptr, 1));
}

TEST_F(StreamTest, PriorityCanChange) {
  musaLaunchAttributeValue value = {};
  value.priority = -2;
  EXPECT_MUSA(musaSuccess, musaStreamSetAttribute(blocking_, musaLaunchAttributePriority, &value));
  int priority = 0;
  EXPECT_MUSA(musaSuccess, musaStreamGetPriority(blocking_, &priority));
  EXPECT_EQ(priority, -2);
  value.priority = -100;
  EXPECT_MUSA(musaSuccess, musaStreamSetAttribute(blocking_, musaLaunchAttributePriority, &value));
  value = {};
  EXPECT_MUSA(musaSuccess, musaStreamGetAttribute(blocking_, musaLaunchAttributePriority, &value));
  int least = 0, greatest = 0;
  EXPECT_MUSA(musaSuccess, musaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(value.priority, greatest);
}

TEST_F(StreamTest, AccessPolicyWindowsAreChecked) {
  musaDeviceProp device = {};
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&device, 0));
  ASSERT_GT(device.accessPolicyMaxWindowSize, 0);
  const auto set = [&](size_t bytes, float ratio, musaAccessProperty hit, musaAccessProperty miss) {
    musaLaunchAttributeValue value = {};
    value.accessPolicyWindow = {&value, bytes, ratio, hit, miss};
    return musaStreamSetAttribute(blocking_, musaStreamAttributeAccessPolicyWindow, &value);
  };
  const auto persisting = musaAccessPropertyPersisting;
  const auto streaming = musaAccessPropertyStreaming;
  const size_t most = static_cast<size_t>(device.accessPolicyMaxWindowSize);
  EXPECT_MUSA(musaSuccess, set(most, 0.5F, persisting, streaming));
  musaLaunchAttributeValue value = {};
  EXPECT_MUSA(musaSuccess, musaStreamGetAttribute(blocking_, musaStreamAttributeAccessPolicyWindow, &value));
  EXPECT_EQ(value.accessPolicyWindow.num_bytes, most);
  EXPECT_MUSA(musaErrorInvalidValue, set(most + 1, 0.5F, persisting, streaming));
  EXPECT_MUSA(musaErrorInvalidValue, set(64, 1.5F, persisting, streaming));
  EXPECT_MUSA(musaErrorInvalidValue, set(64, -0.5F, persisting, streaming));
  EXPECT_MUSA(musaErrorInvalidValue, set(64, 1, persisting, persisting)) << "what misses can not persist";
  EXPECT_MUSA(musaErrorInvalidValue, set(64, 1, static_cast<musaAccessProperty>(3), streaming));
  EXPECT_MUSA(musaSuccess, set(0, 0, musaAccessPropertyNormal, musaAccessPropertyNormal));
}

TEST_F(StreamTest, ExternalFlagsAreForCaptures) {
  musaEvent_t event = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaEventCreate(&event));
  EXPECT_MUSA(musaErrorIllegalState, musaEventRecordWithFlags(event, blocking_, musaEventRecordExternal));
  EXPECT_MUSA(musaErrorIllegalState, musaStreamWaitEvent(blocking_, event, musaEventWaitExternal));
  EXPECT_MUSA(musaSuccess, musaEventDestroy(event));
}

TEST_F(StreamTest, PerThreadStreamsDiffer) {
  unsigned long long mine = 0, others = 0;
  EXPECT_MUSA(musaSuccess, musaStreamGetId(musaStreamPerThread, &mine));
  std::thread([&] { EXPECT_MUSA(musaSuccess, musaStreamGetId(musaStreamPerThread, &others)); }).join();
  EXPECT_NE(mine, others);
}

}  // namespace
}  // namespace musashim::test
