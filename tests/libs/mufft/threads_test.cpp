// Many threads transform at once, of more lengths than the library below keeps plans for.
#include <gtest/gtest.h>
#include <mufft.h>
#include <musa_runtime_api.h>

#include <atomic>
#include <complex>
#include <numbers>
#include <random>
#include <thread>
#include <vector>

#include "mufft/reference.h"

namespace musashim::test {
namespace {

// What one thread has: a stream, and room on the device.
template <class Real>
class Worker {
 public:
  using K = Kinds<Real>;
  using Complex = typename K::Complex;

  explicit Worker(unsigned seed) : random_(seed), data_(std::vector<Complex>(kRoom)) {
    EXPECT_EQ(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking), musaSuccess);
  }

  // How many of the results are wrong.
  int run(int transforms) {
    int wrong = 0;
    for (int i = 0; i < transforms; ++i) wrong += below(3) == 0 ? backwardIsWrong() : forwardIsWrong();
    return wrong;
  }

 private:
  static constexpr int kMost = 400, kBatch = 8, kRoom = kMost * kBatch;

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  mufftHandle plan(int n, mufftType type) {
    mufftHandle handle = MUFFT_PLAN_NULL;
    EXPECT_EQ(mufftPlan1d(&handle, n, type, kBatch), MUFFT_SUCCESS);
    EXPECT_EQ(mufftSetStream(handle, stream_), MUFFT_SUCCESS);
    return handle;
  }

  // Of a one among zeros: a wave.
  bool forwardIsWrong() {
    const int n = 2 + below(kMost - 1), at = below(n);
    const auto length = static_cast<size_t>(n);
    std::vector<Complex> values(length * kBatch);
    for (size_t b = 0; b < kBatch; ++b) values[b * length + static_cast<size_t>(at)] = Complex(1);
    const mufftHandle handle = plan(n, K::kComplex);
    transfer(values,
             [&] { EXPECT_EQ(K::complex(handle, data_.get(), data_.get(), MUFFT_FORWARD), MUFFT_SUCCESS); });
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
    for (size_t i = 0; i < values.size(); ++i) {
      const auto turn = static_cast<double>(i % length * static_cast<size_t>(at) % length) / n;
      if (std::abs(std::complex<double>(values[i]) - std::polar(1.0, -2 * std::numbers::pi * turn)) > kNear)
        return true;
    }
    return false;
  }

  // Of one pair among zeros: a wave of numbers.
  bool backwardIsWrong() {
    const int n = 4 + below(kMost - 8), at = 1 + below(n / 2 - 1);
    const auto length = static_cast<size_t>(n), half = length / 2 + 1;
    std::vector<Complex> values(half * kBatch);
    for (size_t b = 0; b < kBatch; ++b) values[b * half + static_cast<size_t>(at)] = Complex(Real(0.5));
    const mufftHandle handle = plan(n, K::kBackward);
    auto* const real = reinterpret_cast<Real*>(data_.get());
    transfer(values, [&] { EXPECT_EQ(K::backward(handle, data_.get(), real), MUFFT_SUCCESS); });
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
    const auto* const numbers = reinterpret_cast<const Real*>(values.data());
    for (size_t b = 0; b < kBatch; ++b)
      for (size_t i = 0; i < length; ++i) {
        const auto turn = static_cast<double>(i * static_cast<size_t>(at) % length) / n;
        if (std::abs(static_cast<double>(numbers[b * 2 * half + i]) - std::cos(2 * std::numbers::pi * turn)) >
            kNear)
          return true;
      }
    return false;
  }

  template <class Execute>
  void transfer(std::vector<Complex>& values, Execute execute) {
    const size_t bytes = values.size() * sizeof(Complex);
    EXPECT_EQ(musaMemcpyAsync(data_.get(), values.data(), bytes, musaMemcpyHostToDevice, stream_),
              musaSuccess);
    execute();
    EXPECT_EQ(musaMemcpyAsync(values.data(), data_.get(), bytes, musaMemcpyDeviceToHost, stream_),
              musaSuccess);
    EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess);
  }

  static constexpr double kNear = sizeof(Real) == 4 ? 1e-4 : 1e-12;

  std::mt19937 random_;
  OnDevice<Complex> data_;
  musaStream_t stream_ = nullptr;
};

template <class Real>
class MufftThreads : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MufftThreads, Reals);

TYPED_TEST(MufftThreads, EachGetsItsOwnResults) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 16; ++i)
    threads.emplace_back([&wrong, i] { wrong += Worker<TypeParam>(i + 1).run(300); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace musashim::test
