// musa::dnn as its callers use it: memory maintainers of any kind, handles of many threads, work that fails.
#include <atomic>
#include <thread>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

void giveBack(void* memory) { (void)musaFree(memory); }

dnn::MemoryHandler allocate(size_t size) {
  void* memory = nullptr;
  EXPECT_EQ(musaSuccess, musaMalloc(&memory, size));
  return dnn::MemoryHandler(memory, giveBack);
}

TEST(CallersTest, MaintainersOfAnyKind) {
  Device<float> in({2, 2}, {1, 2, 3, 4}), out({2});
  dnn::Handle handle;
  dnn::Reduce op;
  ASSERT_DNN(op.SetDim({1}));
  const dnn::MemoryMaintainer none = [](size_t) -> dnn::MemoryHandler { return nullptr; };
  const dnn::MemoryMaintainer borrowed = [](size_t) { return dnn::MemoryHandler(nullptr, [](void*) {}); };
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, allocate));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, none));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, borrowed));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, [](size_t) { return dnn::MemoryHandler(); }));
  EXPECT_EQ((Numbers{3, 7}), out.fetch());
}

TEST(CallersTest, NumbersOfAnyType) {
  Device<int32_t> in({1}, {5}), out({1});
  dnn::Handle handle;
  dnn::Unary op;
  ASSERT_DNN(op.SetMode(dnn::Unary::Mode::ADD));
  const auto sum = [&](const dnn::Scalar& number) {
    EXPECT_EQ(Status::SUCCESS, op.SetAlpha(number));
    EXPECT_EQ(Status::SUCCESS, op.Run(handle, out.tensor, in.tensor));
    return out.fetch()[0];
  };
  EXPECT_EQ(7, sum(2));
  EXPECT_EQ(7, sum(2.75));
  EXPECT_EQ(7, sum(2.75F));
  EXPECT_EQ(7, sum(int64_t{2}));
  EXPECT_EQ(7, sum(static_cast<unsigned char>(2)));
  EXPECT_EQ(6, sum(true));
}

TEST(CallersTest, HandlesOfManyThreads) {
  constexpr int kThreads = 16;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back([&wrong, number] {
      musaStream_t stream = nullptr;
      dnn::Handle handle;
      if (musaStreamCreate(&stream) != musaSuccess || handle.SetStream(stream) != Status::SUCCESS) ++wrong;
      const auto seed = static_cast<unsigned>(number);
      const auto x = randoms<float>({1, 2, 6, 6}, seed), w = randoms<float>({3, 2, 1, 1}, seed + 100);
      Device<float> in({1, 2, 6, 6}, x), filter({3, 2, 1, 1}, w), out({1, 3, 6, 6});
      dnn::Convolution convolution;
      if (convolution.SetNdInfo({0, 0}, {1, 1}, {1, 1}) != Status::SUCCESS) ++wrong;
      for (int round = 0; round < 5; ++round) {
        if (convolution.Run(handle, out.tensor, in.tensor, filter.tensor,
                            dnn::Convolution::Algorithm::IMPLICIT_GEMM) != Status::SUCCESS ||
            musaStreamSynchronize(stream) != musaSuccess)
          ++wrong;
        const Numbers got = out.fetch();
        for (size_t i = 0; i < got.size(); ++i) {
          const size_t o = i / 36, place = i % 36;
          const double right = w[o * 2] * x[place] + w[o * 2 + 1] * x[36 + place];
          if (!(std::abs(right - got[i]) < 1e-5)) ++wrong;
        }
      }
      if (musaStreamDestroy(stream) != musaSuccess) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

// An index out of range is found when the work runs: a fault of the device, as a kernel's.
TEST(CallersTest, WorkThatFailsIsAFault) {
  Device<float> out({3}, {1, 2, 3}), source({1}, {9});
  Device<int64_t> index({1}, {3});
  dnn::Handle handle;
  ASSERT_DNN(dnn::Scatter().Run(handle, out.tensor, index.tensor, source.tensor, 0));
  EXPECT_EQ(musaErrorLaunchFailure, musaDeviceSynchronize());
  EXPECT_EQ(musaSuccess, musaDeviceReset());
}

}  // namespace
}  // namespace musashim::test
