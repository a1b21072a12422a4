// Waiting for values in memory and writing them in stream order.
#include <musa.h>

#include "support.h"

namespace musashim::test {
namespace {

class StreamMemoryTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    for (musaStream_t* stream : {&stream_, &other_}) {
      ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(stream, musaStreamNonBlocking));
    }
  }
  void TearDown() override {
    for (musaStream_t stream : {stream_, other_}) (void)musaStreamDestroy(stream);
    RuntimeTest::TearDown();
  }
  static MUdeviceptr address(const Buffer<unsigned>& buffer, size_t index = 0) {
    return reinterpret_cast<MUdeviceptr>(buffer.get() + index);
  }
  musaStream_t stream_ = nullptr, other_ = nullptr;
};

TEST_F(StreamMemoryTest, WaitsUntilAnotherStreamWrites) {
  Buffer<unsigned> words(2);
  words.upload({0, 0});
  ASSERT_EQ(muStreamWaitValue32(stream_, address(words), 5, MU_STREAM_WAIT_VALUE_GEQ), MUSA_SUCCESS);
  ASSERT_EQ(muStreamWriteValue32(stream_, address(words, 1), 9, 0), MUSA_SUCCESS);
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(stream_));
  EXPECT_EQ(words.download()[1], 0u);
  ASSERT_EQ(muStreamWriteValue32(other_, address(words), 6, 0), MUSA_SUCCESS);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(words.download()[1], 9u);
}

TEST_F(StreamMemoryTest, EveryComparison) {
  Buffer<unsigned> words(2);
  words.upload({7, 0});
  struct {
    unsigned value, flags;
  } fulfilled[] = {{7, MU_STREAM_WAIT_VALUE_EQ},
                   {6, MU_STREAM_WAIT_VALUE_GEQ},
                   {0xfffffff0u, MU_STREAM_WAIT_VALUE_GEQ},  // cyclic
                   {4, MU_STREAM_WAIT_VALUE_AND},
                   {8, MU_STREAM_WAIT_VALUE_NOR}};
  for (auto& one : fulfilled) {
    ASSERT_EQ(muStreamWaitValue32(stream_, address(words), one.value, one.flags), MUSA_SUCCESS);
  }
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(muStreamWaitValue32(stream_, address(words), 0, 0x80), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamWaitValue32(stream_, address(words) + 1, 0, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamWriteValue64(stream_, address(words) + 4, 0, 0), MUSA_ERROR_INVALID_VALUE);
  unsigned host = 0;
  EXPECT_EQ(muStreamWriteValue32(stream_, reinterpret_cast<MUdeviceptr>(&host), 1, 0),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(StreamMemoryTest, BatchesAreAllOrNothing) {
  Buffer<unsigned> words(2);
  words.upload({0, 0});
  MUstreamBatchMemOpParams batch[2] = {};
  batch[0].writeValue.operation = MU_STREAM_MEM_OP_WRITE_VALUE_32;
  batch[0].writeValue.address = address(words);
  batch[0].writeValue.value = 3;
  batch[1].operation = static_cast<MUstreamBatchMemOpType>(99);
  EXPECT_EQ(muStreamBatchMemOp(stream_, 2, batch, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(words.download()[0], 0u);
  batch[1].operation = MU_STREAM_MEM_OP_BARRIER;
  EXPECT_EQ(muStreamBatchMemOp(stream_, 2, batch, 0), MUSA_SUCCESS);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(words.download()[0], 3u);
}

TEST_F(StreamMemoryTest, InGraphs) {
  Buffer<unsigned> words(1);
  words.upload({0});
  ASSERT_MUSA(musaSuccess, musaStreamBeginCapture(stream_, musaStreamCaptureModeThreadLocal));
  ASSERT_EQ(muStreamWriteValue32(stream_, address(words), 11, 0), MUSA_SUCCESS);
  musaGraph_t graph = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamEndCapture(stream_, &graph));
  musaGraphExec_t exec = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaGraphInstantiate(&exec, graph, 0));
  EXPECT_EQ(words.download()[0], 0u);
  ASSERT_MUSA(musaSuccess, musaGraphLaunch(exec, stream_));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream_));
  EXPECT_EQ(words.download()[0], 11u);
  EXPECT_MUSA(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_MUSA(musaSuccess, musaGraphDestroy(graph));
}

// A wait that nobody fulfils must not keep the device from being reset.
TEST_F(StreamMemoryTest, ResetEndsAWait) {
  Buffer<unsigned> words(1);
  words.upload({0});
  ASSERT_EQ(muStreamWaitValue32(stream_, address(words), 1, MU_STREAM_WAIT_VALUE_EQ), MUSA_SUCCESS);
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(stream_));
  EXPECT_MUSA(musaSuccess, musaDeviceReset());
}

}  // namespace
}  // namespace musashim::test
