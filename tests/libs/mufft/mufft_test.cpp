#include <gtest/gtest.h>
#include <mufft.h>
#include <mufftXt.h>
#include <musa_runtime_api.h>

#include <array>
#include <atomic>
#include <numbers>
#include <random>
#include <vector>

#include "libs/core/stream_work.h"
#include "mufft/reference.h"

namespace musashim::test {
namespace {

template <class Real>
class Mufft : public ::testing::Test {
 protected:
  // A plan for one array (or a batch of arrays of one dimension).
  static mufftHandle plan(const std::vector<int>& n, mufftType type, int batch = 1) {
    mufftHandle handle = MUFFT_PLAN_NULL;
    if (n.size() == 1) EXPECT_EQ(mufftPlan1d(&handle, n[0], type, batch), MUFFT_SUCCESS);
    if (n.size() == 2) EXPECT_EQ(mufftPlan2d(&handle, n[0], n[1], type), MUFFT_SUCCESS);
    if (n.size() == 3) EXPECT_EQ(mufftPlan3d(&handle, n[0], n[1], n[2], type), MUFFT_SUCCESS);
    return handle;
  }
  template <class T>
  static std::vector<Wide> widened(const std::vector<T>& values) {
    std::vector<Wide> result;
    for (const T& value : values) result.push_back(wide(value));
    return result;
  }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Mufft, Reals);

TYPED_TEST(Mufft, ComplexOfEachShape) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (const std::vector<int>& n : kShapes) {
    const auto x = randomNumbers<Complex>(volume(n), 1);
    const mufftHandle handle = this->plan(n, K::kComplex);
    for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
      const auto expected = reference(this->widened(x), n, direction);
      const OnDevice<Complex> in(x), out(std::vector<Complex>(x.size()));
      ASSERT_EQ(K::complex(handle, in.get(), out.get(), direction), MUFFT_SUCCESS);
      expectClose(out.fetch(), expected, "out of place, " + std::to_string(n[0]));
      EXPECT_EQ(in.fetch(), x);
      ASSERT_EQ(K::complex(handle, in.get(), in.get(), direction), MUFFT_SUCCESS);
      expectClose(in.fetch(), expected, "in place, " + std::to_string(n[0]));
    }
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  }
}

TYPED_TEST(Mufft, RealOfEachShape) {
  using Real = TypeParam;
  using K = Kinds<Real>;
  using Complex = typename K::Complex;
  for (const std::vector<int>& n : kShapes) {
    const auto x = randomNumbers<Real>(volume(n), 1);
    const int last = n.back();
    const size_t row = static_cast<size_t>(last / 2 + 1), rows = x.size() / static_cast<size_t>(last);
    const auto half = halfOf(reference(this->widened(x), n, MUFFT_FORWARD), last);
    std::vector<Wide> back = this->widened(x);
    for (Wide& value : back) value *= static_cast<long double>(x.size());
    const mufftHandle forward = this->plan(n, K::kForward), backward = this->plan(n, K::kBackward);
    const OnDevice<Real> in(x);
    const OnDevice<Complex> out(std::vector<Complex>(half.size()));
    ASSERT_EQ(K::forward(forward, in.get(), out.get()), MUFFT_SUCCESS);
    expectClose(out.fetch(), half, "R2C, " + std::to_string(n[0]));
    ASSERT_EQ(K::backward(backward, out.get(), in.get()), MUFFT_SUCCESS);
    expectClose(in.fetch(), back, "C2R, " + std::to_string(n[0]));
    // In place, rows of the real side are padded.
    std::vector<Real> padded(2 * row * rows);
    for (size_t i = 0; i < x.size(); ++i)
      padded[i / static_cast<size_t>(last) * 2 * row + i % static_cast<size_t>(last)] = x[i];
    const OnDevice<Real> both(padded);
    ASSERT_EQ(K::forward(forward, both.get(), reinterpret_cast<Complex*>(both.get())), MUFFT_SUCCESS);
    std::vector<Complex> inPlace(half.size());
    ASSERT_EQ(
        musaMemcpy(inPlace.data(), both.get(), inPlace.size() * sizeof(Complex), musaMemcpyDeviceToHost),
        musaSuccess);
    expectClose(inPlace, half, "R2C in place, " + std::to_string(n[0]));
    ASSERT_EQ(K::backward(backward, reinterpret_cast<Complex*>(both.get()), both.get()), MUFFT_SUCCESS);
    std::vector<Real> again;
    const auto fetched = both.fetch();
    for (size_t i = 0; i < x.size(); ++i)
      again.push_back(fetched[i / static_cast<size_t>(last) * 2 * row + i % static_cast<size_t>(last)]);
    expectClose(again, back, "C2R in place, " + std::to_string(n[0]));
    EXPECT_EQ(mufftDestroy(forward), MUFFT_SUCCESS);
    EXPECT_EQ(mufftDestroy(backward), MUFFT_SUCCESS);
  }
}

TYPED_TEST(Mufft, Batches) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (const auto& [n, batch] : {std::pair{12, 5}, {256, 300}}) {
    const auto length = static_cast<size_t>(n), count = static_cast<size_t>(batch);
    const auto x = randomNumbers<Complex>(length * count, 1);
    std::vector<Wide> expected;
    for (size_t i = 0; i < count; ++i) {
      const auto one =
          reference(this->widened(std::vector<Complex>(x.begin() + static_cast<ptrdiff_t>(i * length),
                                                       x.begin() + static_cast<ptrdiff_t>((i + 1) * length))),
                    {n}, -1);
      expected.insert(expected.end(), one.begin(), one.end());
    }
    const OnDevice<Complex> data(x);
    const mufftHandle handle = this->plan({n}, K::kComplex, batch);
    ASSERT_EQ(K::complex(handle, data.get(), data.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
    expectClose(data.fetch(), expected, "batch");
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  }
}

// By the transform of a sum of waves, of which the definition would take too long.
TYPED_TEST(Mufft, LongOnes) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (const int n : {1 << 16, 3 * 5 * 7 * 11 * 64, 65537, 1 << 18}) {
    const auto length = static_cast<size_t>(n);
    const std::array<size_t, 3> waves = {0, 12345, length - 2};
    std::vector<Complex> x(length);
    std::vector<Wide> expected(length);
    for (size_t i = 0; i < length; ++i) {
      Wide sum = 0;
      for (const size_t wave : waves)
        sum +=
            std::polar(1.0L + static_cast<long double>(wave % 7),
                       2 * std::numbers::pi_v<long double> * static_cast<long double>(i * wave % length) / n);
      x[i] = Complex(static_cast<TypeParam>(sum.real()), static_cast<TypeParam>(sum.imag()));
    }
    for (const size_t wave : waves) expected[wave] = (1.0L + static_cast<long double>(wave % 7)) * n;
    const OnDevice<Complex> in(x), out(std::vector<Complex>(2 * length));
    const mufftHandle handle = this->plan({n}, K::kComplex);
    ASSERT_EQ(K::complex(handle, in.get(), out.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
    auto got = out.fetch();
    got.resize(length);
    expectClose(got, expected, "long, " + std::to_string(n), 10);
    ASSERT_EQ(K::complex(handle, in.get(), in.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
    EXPECT_EQ(in.fetch(), got);
    ASSERT_EQ(K::complex(handle, in.get(), in.get(), MUFFT_INVERSE), MUFFT_SUCCESS);
    std::vector<Wide> back;
    for (const Complex& value : x) back.push_back(wide(value) * static_cast<long double>(n));
    expectClose(in.fetch(), back, "and back, " + std::to_string(n), 20);
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
    // With a stride.
    int size[] = {n}, tight[] = {n};
    mufftHandle strided = MUFFT_PLAN_NULL;
    const OnDevice<Complex> again(x);
    ASSERT_EQ(mufftPlanMany(&strided, 1, size, tight, 1, n, tight, 2, 2 * n, K::kComplex, 1), MUFFT_SUCCESS);
    ASSERT_EQ(K::complex(strided, again.get(), out.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
    const auto apart = out.fetch();
    for (size_t i = 0; i < length; ++i) ASSERT_EQ(apart[2 * i], got[i]);
    EXPECT_EQ(mufftDestroy(strided), MUFFT_SUCCESS);
  }
}

TYPED_TEST(Mufft, StridesAndEmbeddings) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  int n[] = {3, 5}, inembed[] = {99, 7}, onembed[] = {99, 6};
  const int istride = 2, idist = 60, ostride = 3, odist = 1, batch = 2;
  const auto x = randomNumbers<Complex>(200, 1);
  mufftHandle handle = MUFFT_PLAN_NULL;
  ASSERT_EQ(
      mufftPlanMany(&handle, 2, n, inembed, istride, idist, onembed, ostride, odist, K::kComplex, batch),
      MUFFT_SUCCESS);
  const OnDevice<Complex> in(x), out(std::vector<Complex>(100));
  ASSERT_EQ(K::complex(handle, in.get(), out.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
  const auto got = out.fetch();
  for (int b = 0; b < batch; ++b) {
    std::vector<Wide> dense;
    std::vector<Complex> found;
    for (int i = 0; i < n[0]; ++i)
      for (int j = 0; j < n[1]; ++j) {
        dense.push_back(wide(x[static_cast<size_t>(b * idist + (i * inembed[1] + j) * istride)]));
        found.push_back(got[static_cast<size_t>(b * odist + (i * onembed[1] + j) * ostride)]);
      }
    expectClose(found, reference(dense, {n[0], n[1]}, -1), "embedded");
  }
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
}

TEST(MufftCalls, BadArguments) {
  mufftHandle handle = MUFFT_PLAN_NULL;
  EXPECT_EQ(mufftPlan1d(nullptr, 8, MUFFT_C2C, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftPlan1d(&handle, 0, MUFFT_C2C, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&handle, 8, MUFFT_C2C, 0), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&handle, 8, static_cast<mufftType>(7), 1), MUFFT_INVALID_TYPE);
  int n[] = {2, 2, 2, 2};
  EXPECT_EQ(mufftPlanMany(&handle, 4, n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftDestroy(reinterpret_cast<mufftHandle>(intptr_t{12345})), MUFFT_INVALID_PLAN);
  EXPECT_EQ(mufftSetStream(reinterpret_cast<mufftHandle>(intptr_t{12345}), nullptr), MUFFT_INVALID_PLAN);
  ASSERT_EQ(mufftPlan1d(&handle, 8, MUFFT_C2C, 1), MUFFT_SUCCESS);
  const OnDevice<ComplexFloat> data(std::vector<ComplexFloat>(8));
  EXPECT_EQ(mufftExecC2C(handle, data.api(), nullptr, MUFFT_FORWARD), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftExecC2C(handle, data.api(), data.api(), 0), MUFFT_INVALID_VALUE);
  // Whichever entry is called, the plan's transform runs.
  const OnDevice<ComplexFloat> ones(std::vector<ComplexFloat>(8, 1));
  EXPECT_EQ(mufftExecR2C(handle, reinterpret_cast<float*>(ones.get()), data.api()), MUFFT_SUCCESS);
  EXPECT_EQ(data.fetch()[0], ComplexFloat(8));
  EXPECT_EQ(mufftXtSetCallback(handle, nullptr, MUFFT_CB_LD_COMPLEX, nullptr), MUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(mufftXtClearCallback(handle, MUFFT_CB_LD_COMPLEX), MUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(mufftXtSetCallbackSharedSize(handle, MUFFT_CB_LD_COMPLEX, 64), MUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_INVALID_PLAN);
}

TEST(MufftCalls, PlansInSteps) {
  mufftHandle handle = MUFFT_PLAN_NULL;
  size_t size = 77;
  ASSERT_EQ(mufftCreate(&handle), MUFFT_SUCCESS);
  const OnDevice<ComplexFloat> data(std::vector<ComplexFloat>(8, 1));
  EXPECT_EQ(mufftExecC2C(handle, data.api(), data.api(), MUFFT_FORWARD), MUFFT_INVALID_PLAN);
  EXPECT_EQ(mufftGetSize(handle, &size), MUFFT_INVALID_PLAN);
  EXPECT_EQ(mufftSetAutoAllocation(handle, 0), MUFFT_SUCCESS);
  EXPECT_EQ(mufftGetSize1d(handle, 8, MUFFT_C2C, 1, &size), MUFFT_SUCCESS);
  long long n[] = {8};
  EXPECT_EQ(mufftXtMakePlanMany(handle, 1, n, nullptr, 1, 1, MUSA_C_8I, nullptr, 1, 1, MUSA_C_8I, 1, &size,
                                MUSA_C_8I),
            MUFFT_INVALID_TYPE);
  EXPECT_EQ(mufftXtGetSizeMany(handle, 1, n, nullptr, 1, 1, MUSA_C_32F, nullptr, 1, 1, MUSA_C_32F, 1, &size,
                               MUSA_C_32F),
            MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtMakePlanMany(handle, 1, n, nullptr, 1, 1, MUSA_C_32F, nullptr, 1, 1, MUSA_C_32F, 1, &size,
                                MUSA_C_32F),
            MUFFT_SUCCESS);
  EXPECT_EQ(mufftMakePlanMany64(handle, 1, n, nullptr, 1, 1, nullptr, 1, 1, MUFFT_C2C, 1, &size),
            MUFFT_INVALID_PLAN);
  EXPECT_EQ(mufftGetSize(handle, &size), MUFFT_SUCCESS);
  EXPECT_EQ(mufftSetWorkArea(handle, nullptr), MUFFT_SUCCESS);
  EXPECT_EQ(mufftXtExec(handle, data.get(), data.get(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(data.fetch()[0], ComplexFloat(8));
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(mufftEstimate1d(8, MUFFT_C2C, 1, &size), MUFFT_SUCCESS);
  EXPECT_EQ(mufftEstimate2d(0, 8, MUFFT_C2C, &size), MUFFT_INVALID_SIZE);
  int version = 0;
  EXPECT_EQ(mufftGetVersion(&version), MUFFT_SUCCESS);
  EXPECT_EQ(version, MUFFT_VERSION);
  EXPECT_EQ(mufftGetProperty(MAJOR_VERSION, &version), MUFFT_SUCCESS);
  EXPECT_EQ(version, MUFFT_VER_MAJOR);
}

TEST(MufftCalls, EachFormOfPlan) {
  const OnDevice<ComplexFloat> data(std::vector<ComplexFloat>(24, 1));
  size_t size = 77;
  int n[] = {2, 3, 4};
  long long long_n[] = {2, 3, 4};
  const auto expectWorks = [&](auto make, auto ask, auto estimate) {
    mufftHandle handle = MUFFT_PLAN_NULL;
    ASSERT_EQ(mufftCreate(&handle), MUFFT_SUCCESS);
    EXPECT_EQ(ask(handle), MUFFT_SUCCESS);
    EXPECT_EQ(estimate(), MUFFT_SUCCESS);
    ASSERT_EQ(make(handle), MUFFT_SUCCESS);
    ASSERT_EQ(mufftExecC2C(handle, data.api(), data.api(), MUFFT_FORWARD), MUFFT_SUCCESS);
    EXPECT_EQ(data.fetch()[0], ComplexFloat(24));
    ASSERT_EQ(mufftExecC2C(handle, data.api(), data.api(), MUFFT_INVERSE), MUFFT_SUCCESS);
    EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
    const std::vector<ComplexFloat> ones(24, 1);
    ASSERT_EQ(musaMemcpy(data.get(), ones.data(), sizeof ones[0] * 24, musaMemcpyHostToDevice), musaSuccess);
  };
  expectWorks([&](mufftHandle plan) { return mufftMakePlan1d(plan, 24, MUFFT_C2C, 1, &size); },
              [&](mufftHandle plan) { return mufftGetSize1d(plan, 24, MUFFT_C2C, 1, &size); },
              [&] { return mufftEstimate1d(24, MUFFT_C2C, 1, &size); });
  expectWorks([&](mufftHandle plan) { return mufftMakePlan2d(plan, 4, 6, MUFFT_C2C, &size); },
              [&](mufftHandle plan) { return mufftGetSize2d(plan, 4, 6, MUFFT_C2C, &size); },
              [&] { return mufftEstimate2d(4, 6, MUFFT_C2C, &size); });
  expectWorks([&](mufftHandle plan) { return mufftMakePlan3d(plan, 2, 3, 4, MUFFT_C2C, &size); },
              [&](mufftHandle plan) { return mufftGetSize3d(plan, 2, 3, 4, MUFFT_C2C, &size); },
              [&] { return mufftEstimate3d(2, 3, 4, MUFFT_C2C, &size); });
  expectWorks(
      [&](mufftHandle plan) {
        return mufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1, &size);
      },
      [&](mufftHandle plan) {
        return mufftGetSizeMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1, &size);
      },
      [&] { return mufftEstimateMany(3, n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1, &size); });
  expectWorks(
      [&](mufftHandle plan) {
        return mufftMakePlanMany64(plan, 3, long_n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1, &size);
      },
      [&](mufftHandle plan) {
        return mufftGetSizeMany64(plan, 3, long_n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_C2C, 1, &size);
      },
      [&] { return mufftEstimate1d(24, MUFFT_C2C, 1, &size); });
}

TEST(MufftCalls, TransformsAreWorkOfTheirStreamAlsoWhenThePlanIsGone) {
  musaStream_t stream = nullptr;
  mufftHandle handle = MUFFT_PLAN_NULL;
  ASSERT_EQ(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking), musaSuccess);
  ASSERT_EQ(mufftPlan1d(&handle, 8, MUFFT_C2C, 1), MUFFT_SUCCESS);
  ASSERT_EQ(mufftSetStream(handle, stream), MUFFT_SUCCESS);
  const OnDevice<ComplexFloat> data(std::vector<ComplexFloat>(8, 1));
  std::atomic<bool> go{false};
  ASSERT_EQ(libs::runOnStream(stream, [&] { go.wait(false); }), musaSuccess);
  ASSERT_EQ(mufftExecC2C(handle, data.api(), data.api(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(musaStreamQuery(stream), musaErrorNotReady);
  go = true;
  go.notify_all();
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(data.fetch(), (std::vector<ComplexFloat>{8, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
}

}  // namespace
}  // namespace musashim::test

// The vendor's handles are pointers; cuFFT's, by its names, are ints, with whatever beside them in a register.
extern "C" mufftResult cufftPlan1d(int* plan, int nx, mufftType type, int batch);
extern "C" mufftResult cufftCreate(int* plan);

TEST(MufftHandles, ArePointersAndByCudasNamesNumbers) {
  mufftHandle pointer = nullptr;
  ASSERT_EQ(mufftPlan1d(&pointer, 8, MUFFT_C2C, 1), MUFFT_SUCCESS);
  EXPECT_NE(pointer, nullptr);
  int numbers[] = {-1, -1, -1, -1};
  ASSERT_EQ(cufftPlan1d(&numbers[0], 8, MUFFT_C2C, 1), MUFFT_SUCCESS);
  ASSERT_EQ(cufftCreate(&numbers[2]), MUFFT_SUCCESS);
  EXPECT_GT(numbers[0], 0);
  EXPECT_GT(numbers[2], 0);
  EXPECT_EQ(numbers[1], -1);
  EXPECT_EQ(numbers[3], -1);
  EXPECT_EQ(cufftPlan1d(nullptr, 8, MUFFT_C2C, 1), MUFFT_INVALID_VALUE);
  const auto inRegister = [](int number) {
    return reinterpret_cast<mufftHandle>((uintptr_t{0x7fff} << 32) | static_cast<unsigned>(number));
  };
  size_t size = 1;
  EXPECT_EQ(mufftMakePlan1d(inRegister(numbers[2]), 8, MUFFT_C2C, 1, &size), MUFFT_SUCCESS);
  for (const mufftHandle plan : {pointer, inRegister(numbers[0]), inRegister(numbers[2])})
    EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
}
