#include <atomic>
#include <thread>

#include "libs/core/stream_work.h"
#include "musparse/support.h"

namespace musashim::test {
namespace {

TEST_F(MusparseTest, HandlesThatAreNone) {
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE, musparseCreate(nullptr));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroy(nullptr));
  musparseHandle_t other = nullptr;
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCreate(&other));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroy(other));
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE, musparseDestroy(other));
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE, musparseSetStream(other, nullptr));
  EXPECT_STREQ(musparseGetErrorString(MUSPARSE_STATUS_ZERO_PIVOT), "zero pivot");
}

// Work waits for what its stream has before it, and for nobody else.
TEST_F(MusparseTest, CallsAreWorkOfTheirStream) {
  const auto a = HostCsr<float>::random(8, 8, 1, 0, true);
  const DeviceCsr<float> csr(a);
  const Vector<float> x(std::vector<float>(8, 0)), y(std::vector<float>(8, 1));
  musaStream_t stream = nullptr;
  ASSERT_EQ(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking), musaSuccess);
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSetStream(handle_, stream));
  std::atomic<bool> open{false};
  float* const in = x.values.get();
  ASSERT_EQ(libs::runOnStream(stream,
                              [&open, in] {
                                while (!open) std::this_thread::yield();
                                std::fill_n(in, 8, 1.0f);
                              }),
            musaSuccess);
  const float one = 1, zero = 0;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpMV(handle_, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, csr.describe, x.describe, &zero,
                             y.describe, MUSA_R_32F, MUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  EXPECT_EQ(musaStreamQuery(stream), musaErrorNotReady);
  open = true;
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  const auto dense = a.dense(), got = y.values.fetch();
  for (size_t row = 0; row < 8; ++row) {
    double sum = 0;
    for (size_t column = 0; column < 8; ++column) sum += static_cast<double>(dense[column * 8 + row]);
    EXPECT_NEAR(static_cast<double>(got[row]), sum, 1e-4);
  }
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
}

TEST_F(MusparseTest, GraphsRunThemAgain) {
  const OnDevice<int> offsets(std::vector<int>{0, 1, 2}), columns(std::vector<int>{0, 1});
  const OnDevice<float> values(std::vector<float>{2, 3});
  musparseSpMatDescr_t a = nullptr;
  musparseCreateCsr(&a, 2, 2, 2, offsets.get(), columns.get(), values.get(), MUSPARSE_INDEX_32I,
                    MUSPARSE_INDEX_32I, MUSPARSE_INDEX_BASE_ZERO, MUSA_R_32F);
  const Vector<float> x(std::vector<float>{1, 1}), y(std::vector<float>{0, 0});
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
  musparseSetStream(handle_, stream);
  ASSERT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
  const float one = 1;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpMV(handle_, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x.describe, &one, y.describe,
                             MUSA_R_32F, MUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  ASSERT_EQ(musaStreamEndCapture(stream, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(musaGraphLaunch(exec, stream), musaSuccess);
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(y.values.fetch(), (std::vector<float>{6, 9}));
  EXPECT_EQ(musaGraphExecDestroy(exec), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
  musparseDestroySpMat(a);
}

}  // namespace
}  // namespace musashim::test
