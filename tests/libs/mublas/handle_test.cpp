#include <atomic>
#include <string>
#include <thread>

#include "libs/core/stream_work.h"
#include "mublas/support.h"

namespace musashim::test {
namespace {

TEST_F(MublasTest, HandlesThatAreNone) {
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasCreate(nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, mublasDestroy(nullptr));
  mublasHandle_t other = nullptr;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCreate(&other));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDestroy(other));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, mublasDestroy(other));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, mublasSetStream(other, nullptr));
}

TEST_F(MublasTest, SettingsAreKeptAndChecked) {
  mublasPointerMode_t pointers{};
  mublasMath_t math{};
  mublasAtomicsMode_t atomics{};
  musaStream_t stream = nullptr;
  int number = -1;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetPointerMode(handle_, &pointers));
  EXPECT_EQ(pointers, MUBLAS_POINTER_MODE_HOST);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetMathMode(handle_, MUBLAS_TF32_TENSOR_OP_MATH));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetMathMode(handle_, &math));
  EXPECT_EQ(math, MUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasSetMathMode(handle_, static_cast<mublasMath_t>(64)));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              mublasSetPointerMode(handle_, static_cast<mublasPointerMode_t>(2)));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetAtomicsMode(handle_, MUBLAS_ATOMICS_ALLOWED));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetAtomicsMode(handle_, &atomics));
  EXPECT_EQ(atomics, MUBLAS_ATOMICS_ALLOWED);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetSmCountTarget(handle_, 4));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetSmCountTarget(handle_, &number));
  EXPECT_EQ(number, 4);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle_, musaStreamPerThread));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetStream(handle_, &stream));
  EXPECT_EQ(stream, musaStreamPerThread);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasGetStream(handle_, nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetWorkspace(handle_, nullptr, 0));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasSetWorkspace(handle_, nullptr, 16));
}

TEST_F(MublasTest, VersionsAndTexts) {
  int version = 0, part = 0;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetVersion(handle_, &version));
  EXPECT_EQ(version, MUBLAS_VERSION);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetProperty(MAJOR_VERSION, &part));
  EXPECT_EQ(part, MUBLAS_VER_MAJOR);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasGetProperty(static_cast<libraryPropertyType>(3), &part));
  EXPECT_STREQ(mublasGetStatusName(MUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_STREQ(mublasGetStatusString(MUBLAS_STATUS_SUCCESS), "success");
  EXPECT_GT(mublasGetMusartVersion(), 0u);
}

TEST_F(MublasTest, TheLoggerHearsOfCalls) {
  static std::string heard;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetLoggerCallback([](const char* line) { heard = line; }));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              mublasSetPointerMode(handle_, static_cast<mublasPointerMode_t>(7)));
  EXPECT_NE(heard.find("mublasSetPointerMode("), std::string::npos);
  EXPECT_NE(heard.find("CUBLAS_STATUS_INVALID_VALUE"), std::string::npos);
  mublasLogCallback callback = nullptr;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetLoggerCallback(&callback));
  EXPECT_NE(callback, nullptr);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetLoggerCallback(nullptr));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLoggerConfigure(0, 0, 0, nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasLoggerConfigure(1, 0, 0, "/no/such/folder/log"));
}

TEST_F(MublasTest, CallsAreWorkOfTheirStream) {
  musaStream_t stream = nullptr;
  ASSERT_EQ(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking), musaSuccess);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle_, stream));
  const OnDevice<float> x(std::vector<float>(4, 1));
  std::atomic<bool> go{false};
  ASSERT_EQ(libs::runOnStream(stream, [&] { go.wait(false); }), musaSuccess);
  float two = 2;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSscal(handle_, 4, &two, x.get(), 1));
  two = 0;  // the factor was read by the call
  EXPECT_EQ(musaStreamQuery(stream), musaErrorNotReady);
  go = true;
  go.notify_all();
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(x.fetch(), std::vector<float>(4, 2));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle_, nullptr));
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
}

TEST_F(MublasTest, CallsCanBeCaptured) {
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle_, stream));
  const OnDevice<float> x(std::vector<float>(4, 1));
  const float two = 2;
  ASSERT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSscal(handle_, 4, &two, x.get(), 1));
  ASSERT_EQ(musaStreamEndCapture(stream, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(musaGraphLaunch(exec, stream), musaSuccess);
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(x.fetch(), std::vector<float>(4, 8));
  EXPECT_EQ(musaGraphExecDestroy(exec), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle_, nullptr));
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
}

// More callers than OpenBLAS has room for.
TEST_F(MublasTest, ManyStreamsAtOnce) {
  constexpr int kStreams = 80, n = 64;
  const OnDevice<float> a(std::vector<float>(n * n, 1)), c(std::vector<float>(n * n * kStreams));
  std::vector<std::thread> threads;
  for (int i = 0; i < kStreams; ++i) {
    threads.emplace_back([&, i] {
      mublasHandle_t handle = nullptr;
      musaStream_t stream = nullptr;
      const float one = 1, zero = 0;
      EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCreate(&handle));
      EXPECT_EQ(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking), musaSuccess);
      EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetStream(handle, stream));
      for (int round = 0; round < 5; ++round)
        EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
                    mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a.get(), n, a.get(), n,
                                &zero, c.get() + i * n * n, n));
      EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDestroy(handle));
      EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  EXPECT_EQ(c.fetch(), std::vector<float>(n * n * kStreams, n));
}

TEST_F(MublasTest, VectorsAndMatricesBetweenHostAndDevice) {
  const std::vector<int> from = {1, 2, 3, 4, 5, 6};
  const OnDevice<int> device(std::vector<int>(8));
  std::vector<int> back(6);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetVector(3, sizeof(int), from.data(), 2, device.get(), 1));
  EXPECT_EQ(device.fetch(), (std::vector<int>{1, 3, 5, 0, 0, 0, 0, 0}));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetVector(3, sizeof(int), device.get(), 1, back.data(), 2));
  EXPECT_EQ(back, (std::vector<int>{1, 0, 3, 0, 5, 0}));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetMatrix(2, 2, sizeof(int), from.data(), 3, device.get(), 4));
  EXPECT_EQ(device.fetch(), (std::vector<int>{1, 2, 5, 0, 4, 5, 0, 0}));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasGetMatrixAsync(2, 2, sizeof(int), device.get(), 4, back.data(), 2, nullptr));
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  EXPECT_EQ(back, (std::vector<int>{1, 2, 4, 5, 5, 0}));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              mublasSetMatrix(3, 2, sizeof(int), from.data(), 2, device.get(), 4));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, mublasSetVector(3, 0, from.data(), 1, device.get(), 1));
}

}  // namespace
}  // namespace musashim::test
