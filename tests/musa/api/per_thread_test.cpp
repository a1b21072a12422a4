// Programs whose default stream is per thread: musa.h with MUSA_API_PER_THREAD_DEFAULT_STREAM.
#define MUSA_API_PER_THREAD_DEFAULT_STREAM
#include <musa.h>

#include <cstring>

#include "support.h"

#define EXPECT_MU(expected, call) EXPECT_EQ(expected, call) << #call
#define ASSERT_MU(expected, call) ASSERT_EQ(expected, call) << #call

namespace musashim::test {
namespace {

class DriverPerThreadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_MU(MUSA_SUCCESS, muInit(0));
    ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&primary_, 0));
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(primary_));
    ASSERT_MU(MUSA_SUCCESS, muMemAlloc(&memory_, kBytes));
  }
  void TearDown() override {
    EXPECT_MU(MUSA_SUCCESS, muMemFree(memory_));
    EXPECT_MU(MUSA_SUCCESS, muCtxSetCurrent(nullptr));
    EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(0));
  }
  static constexpr size_t kBytes = 64;
  MUcontext primary_ = nullptr;
  MUdeviceptr memory_ = 0;
};

// The legacy stream cannot be captured; the thread's own can.
TEST_F(DriverPerThreadTest, ZeroIsTheThreadsStream) {
  ASSERT_MU(MUSA_SUCCESS, muStreamBeginCapture(nullptr, MU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_MU(MUSA_SUCCESS, muMemsetD8Async(memory_, 7, kBytes, nullptr));
  MUstreamCaptureStatus status = MU_STREAM_CAPTURE_STATUS_NONE;
  EXPECT_MU(MUSA_SUCCESS, muStreamIsCapturing(MU_STREAM_PER_THREAD, &status));
  EXPECT_EQ(status, MU_STREAM_CAPTURE_STATUS_ACTIVE);
  MUgraph graph = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muStreamEndCapture(nullptr, &graph));
  size_t nodes = 0;
  EXPECT_MU(MUSA_SUCCESS, muGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 1u);
  EXPECT_MU(MUSA_SUCCESS, muGraphDestroy(graph));
}

TEST_F(DriverPerThreadTest, SynchronousCallsAreDoneWhenTheyReturn) {
  char bytes[kBytes] = {};
  ASSERT_MU(MUSA_SUCCESS, muMemsetD8(memory_, 3, kBytes));
  ASSERT_MU(MUSA_SUCCESS, muMemcpyDtoH(bytes, memory_, kBytes));
  for (const char byte : bytes) EXPECT_EQ(byte, 3);
  std::memset(bytes, 5, sizeof bytes);
  ASSERT_MU(MUSA_SUCCESS, muMemcpyHtoD(memory_, bytes, kBytes));
  ASSERT_MU(MUSA_SUCCESS, muMemcpy(reinterpret_cast<MUdeviceptr>(bytes), memory_ + 1, 4));
  EXPECT_EQ(bytes[3], 5);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemcpyDtoH(bytes, memory_, kBytes + 1024));
}

TEST_F(DriverPerThreadTest, ArraysOfOneDimension) {
  const MUSA_ARRAY_DESCRIPTOR line = {kBytes, 0, MU_AD_FORMAT_UNSIGNED_INT8, 1};
  MUarray a = nullptr, b = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muArrayCreate(&a, &line));
  ASSERT_MU(MUSA_SUCCESS, muArrayCreate(&b, &line));
  unsigned char bytes[kBytes];
  for (size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<unsigned char>(i);
  ASSERT_MU(MUSA_SUCCESS, muMemcpyHtoD(memory_, bytes, kBytes));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoA(a, 8, memory_, 16));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyAtoA(b, 0, a, 12, 8));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyAtoD(memory_ + 32, b, 2, 4));
  ASSERT_MU(MUSA_SUCCESS, muMemcpyDtoH(bytes, memory_ + 32, 4));
  EXPECT_EQ(bytes[0], 6);
  EXPECT_EQ(bytes[3], 9);
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muMemcpyDtoA(a, kBytes, memory_, 16));
  EXPECT_MU(MUSA_SUCCESS, muArrayDestroy(a));
  EXPECT_MU(MUSA_SUCCESS, muArrayDestroy(b));
}

TEST_F(DriverPerThreadTest, EntryPointsByFlag) {
  void *legacy = nullptr, *own = nullptr, *either = nullptr;
  MUdriverProcAddressQueryResult status{};
  ASSERT_MU(MUSA_SUCCESS, muGetProcAddress("muMemsetD8Async", &legacy, MUSA_VERSION,
                                           MU_GET_PROC_ADDRESS_LEGACY_STREAM, &status));
  ASSERT_MU(MUSA_SUCCESS, muGetProcAddress("muMemsetD8Async", &own, MUSA_VERSION,
                                           MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  EXPECT_NE(legacy, own);
  EXPECT_EQ(own, reinterpret_cast<void*>(&muMemsetD8Async));
  ASSERT_MU(MUSA_SUCCESS, muGetProcAddress("muMemAlloc", &either, MUSA_VERSION,
                                           MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  EXPECT_EQ(either, reinterpret_cast<void*>(&muMemAlloc)) << "has one form";
}

}  // namespace
}  // namespace musashim::test
