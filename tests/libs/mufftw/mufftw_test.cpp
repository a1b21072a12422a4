// FFTW's interface: transforms of each shape beside their definition, in each kind of memory, and what there
// is no plan for.
#include <cstring>
#include <functional>
#include <thread>

#include "mufftw/support.h"

extern "C" double fftwInC(void);

namespace musashim::test {
namespace {

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Mufftw, Reals);

template <class Real>
void* planComplex(const std::vector<int>& n, std::complex<Real>* in, std::complex<Real>* out, int sign) {
  if (n.size() == 1) return FFTW_CALL(Real, plan_dft_1d)(n[0], pairs(in), pairs(out), sign, FFTW_ESTIMATE);
  if (n.size() == 2)
    return FFTW_CALL(Real, plan_dft_2d)(n[0], n[1], pairs(in), pairs(out), sign, FFTW_PATIENT);
  return FFTW_CALL(Real, plan_dft_3d)(n[0], n[1], n[2], pairs(in), pairs(out), sign, FFTW_MEASURE);
}
template <class Real>
void* planForward(const std::vector<int>& n, Real* in, std::complex<Real>* out) {
  if (n.size() == 1) return FFTW_CALL(Real, plan_dft_r2c_1d)(n[0], in, pairs(out), FFTW_ESTIMATE);
  if (n.size() == 2) return FFTW_CALL(Real, plan_dft_r2c_2d)(n[0], n[1], in, pairs(out), FFTW_UNALIGNED);
  return FFTW_CALL(Real, plan_dft_r2c_3d)(n[0], n[1], n[2], in, pairs(out), FFTW_ESTIMATE);
}
template <class Real>
void* planBackward(const std::vector<int>& n, std::complex<Real>* in, Real* out) {
  if (n.size() == 1) return FFTW_CALL(Real, plan_dft_c2r_1d)(n[0], pairs(in), out, FFTW_ESTIMATE);
  if (n.size() == 2) return FFTW_CALL(Real, plan_dft_c2r_2d)(n[0], n[1], pairs(in), out, FFTW_DESTROY_INPUT);
  return FFTW_CALL(Real, plan_dft_c2r_3d)(n[0], n[1], n[2], pairs(in), out, FFTW_ESTIMATE);
}

TYPED_TEST(Mufftw, ComplexOfEachShape) {
  using Complex = typename TestFixture::Complex;
  for (const std::vector<int>& n : kShapes) {
    const auto x = randomNumbers<Complex>(volume(n), 1);
    const std::string what = std::to_string(n[0]);
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      const auto expected = reference(widened(x), n, sign);
      std::vector<Complex> in = x, out(x.size());
      runOnce<TypeParam>(planComplex(n, in.data(), out.data(), sign));
      expectClose(out, expected, what);
      EXPECT_EQ(in, x);
      runOnce<TypeParam>(FFTW_CALL(TypeParam, plan_dft)(
          static_cast<int>(n.size()), n.data(), pairs(in.data()), pairs(in.data()), sign, FFTW_EXHAUSTIVE));
      expectClose(in, expected, "in place, " + what);
    }
  }
}

TYPED_TEST(Mufftw, RealOfEachShape) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  for (const std::vector<int>& n : kShapes) {
    const auto x = randomNumbers<Real>(volume(n), 1);
    const std::string what = std::to_string(n[0]);
    const int rank = static_cast<int>(n.size());
    const auto last = static_cast<size_t>(n.back()), row = last / 2 + 1, rows = x.size() / last;
    const auto half = halfOf(reference(widened(x), n, FFTW_FORWARD), n.back());
    std::vector<Wide> back = widened(x);
    for (Wide& value : back) value *= static_cast<long double>(x.size());
    std::vector<Real> in = x;
    std::vector<Complex> out(half.size());
    runOnce<Real>(planForward(n, in.data(), out.data()));
    expectClose(out, half, "r2c, " + what);
    EXPECT_EQ(in, x);
    const std::vector<Complex> before = out;
    runOnce<Real>(planBackward(n, out.data(), in.data()));
    expectClose(in, back, "c2r, " + what);
    EXPECT_EQ(out, before);
    // In place, rows of the real side are padded.
    std::vector<Real> both(2 * row * rows);
    for (size_t i = 0; i < x.size(); ++i) both[i / last * 2 * row + i % last] = x[i];
    auto* const same = reinterpret_cast<Complex*>(both.data());
    runOnce<Real>(FFTW_CALL(Real, plan_dft_r2c)(rank, n.data(), both.data(), pairs(same), FFTW_ESTIMATE));
    expectClose(std::vector<Complex>(same, same + half.size()), half, "r2c in place, " + what);
    runOnce<Real>(FFTW_CALL(Real, plan_dft_c2r)(rank, n.data(), pairs(same), both.data(), FFTW_ESTIMATE));
    std::vector<Real> again;
    for (size_t i = 0; i < x.size(); ++i) again.push_back(both[i / last * 2 * row + i % last]);
    expectClose(again, back, "c2r in place, " + what);
  }
}

// Data in the host's memory and in the device's, of all kinds, and both in one call.
TYPED_TEST(Mufftw, AnyMemory) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  constexpr int kSize = 12;
  struct Kind {
    std::function<void*(size_t)> take;
    std::function<void(void*)> give;
  };
  const auto taken = [](auto call) {
    return [call](size_t bytes) {
      void* memory = nullptr;
      EXPECT_EQ(call(&memory, bytes), musaSuccess);
      return memory;
    };
  };
  const Kind kinds[] = {
      {[](size_t bytes) { return std::malloc(bytes); }, [](void* memory) { std::free(memory); }},
      {[](size_t bytes) { return FFTW_CALL(Real, malloc)(bytes); },
       [](void* memory) { FFTW_CALL(Real, free)(memory); }},
      {taken([](void** memory, size_t bytes) { return musaMallocHost(memory, bytes); }),
       [](void* memory) { EXPECT_EQ(musaFreeHost(memory), musaSuccess); }},
      {taken(
           [](void** memory, size_t bytes) { return musaMallocManaged(memory, bytes, musaMemAttachGlobal); }),
       [](void* memory) { EXPECT_EQ(musaFree(memory), musaSuccess); }},
      {taken([](void** memory, size_t bytes) { return musaMalloc(memory, bytes); }),
       [](void* memory) { EXPECT_EQ(musaFree(memory), musaSuccess); }}};
  const auto x = randomNumbers<Complex>(kSize, 1);
  const auto expected = reference(widened(x), {kSize}, FFTW_FORWARD);
  const size_t bytes = kSize * sizeof(Complex);
  for (const Kind& from : kinds)
    for (const Kind& to : kinds) {
      auto *const in = static_cast<Complex*>(from.take(bytes)), *const out =
                                                                    static_cast<Complex*>(to.take(bytes));
      ASSERT_EQ(musaMemcpy(in, x.data(), bytes, musaMemcpyDefault), musaSuccess);
      runOnce<Real>(FFTW_CALL(Real, plan_dft_1d)(kSize, pairs(in), pairs(out), FFTW_FORWARD, FFTW_ESTIMATE));
      std::vector<Complex> got(kSize);
      ASSERT_EQ(musaMemcpy(got.data(), out, bytes, musaMemcpyDefault), musaSuccess);
      expectClose(got, expected, "memory");
      from.give(in);
      to.give(out);
    }
}

TYPED_TEST(Mufftw, OtherArraysThanThePlans) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  constexpr int kSize = 30;
  std::vector<Complex> x(kSize), y(kSize);
  const auto u = randomNumbers<Complex>(kSize, 1);
  std::vector<Complex> in = u, out(kSize);
  void* plan =
      FFTW_CALL(Real, plan_dft_1d)(kSize, pairs(x.data()), pairs(y.data()), FFTW_BACKWARD, FFTW_ESTIMATE);
  ASSERT_NE(plan, nullptr);
  FFTW_CALL(Real, execute_dft)(plan, pairs(in.data()), pairs(out.data()));
  expectClose(out, reference(widened(u), {kSize}, FFTW_BACKWARD), "complex");
  EXPECT_EQ(y, std::vector<Complex>(kSize));
  // A plan of another kind does nothing.
  std::vector<Real> real(kSize, 7);
  FFTW_CALL(Real, execute_dft_c2r)(plan, pairs(out.data()), real.data());
  EXPECT_EQ(real, std::vector<Real>(kSize, 7));
  FFTW_CALL(Real, destroy_plan)(plan);

  const auto numbers = randomNumbers<Real>(kSize, 2);
  std::vector<Real> r = numbers;
  plan = FFTW_CALL(Real, plan_dft_r2c_1d)(kSize, real.data(), pairs(y.data()), FFTW_ESTIMATE);
  FFTW_CALL(Real, execute_dft_r2c)(plan, r.data(), pairs(out.data()));
  FFTW_CALL(Real, destroy_plan)(plan);
  std::vector<Complex> half(out.begin(), out.begin() + kSize / 2 + 1);
  expectClose(half, halfOf(reference(widened(numbers), {kSize}, FFTW_FORWARD), kSize), "r2c");
  plan = FFTW_CALL(Real, plan_dft_c2r_1d)(kSize, pairs(y.data()), real.data(), FFTW_ESTIMATE);
  FFTW_CALL(Real, execute_dft_c2r)(plan, pairs(out.data()), r.data());
  FFTW_CALL(Real, destroy_plan)(plan);
  std::vector<Wide> back = widened(numbers);
  for (Wide& value : back) value *= kSize;
  expectClose(r, back, "c2r");
}

// One plan in many threads, as FFTW allows for other arrays than the plan's.
TYPED_TEST(Mufftw, OnePlanInManyThreads) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  constexpr int kSize = 60, kThreads = 8, kRounds = 50;
  std::vector<Complex> x(kSize), y(kSize);
  void* const plan =
      FFTW_CALL(Real, plan_dft_1d)(kSize, pairs(x.data()), pairs(y.data()), FFTW_FORWARD, FFTW_ESTIMATE);
  ASSERT_NE(plan, nullptr);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([plan, i] {
      const auto in = randomNumbers<Complex>(kSize, i);
      const auto expected = reference(widened(in), {kSize}, FFTW_FORWARD);
      for (int round = 0; round < kRounds; ++round) {
        std::vector<Complex> mine = in;
        FFTW_CALL(Real, execute_dft)(plan, pairs(mine.data()), pairs(mine.data()));
        expectClose(mine, expected, "thread");
      }
    });
  for (std::thread& thread : threads) thread.join();
  FFTW_CALL(Real, destroy_plan)(plan);
}

TYPED_TEST(Mufftw, WhatThereIsNoPlanFor) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  std::vector<Complex> x(16), y(16);
  const auto in = pairs(x.data()), out = pairs(y.data());
  const int n[] = {2, 2, 2, 2};
  EXPECT_EQ(FFTW_CALL(Real, plan_dft)(4, n, in, out, FFTW_FORWARD, FFTW_ESTIMATE), nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_dft)(0, n, in, out, FFTW_FORWARD, FFTW_ESTIMATE), nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_dft)(1, nullptr, in, out, FFTW_FORWARD, FFTW_ESTIMATE), nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_dft_1d)(0, in, out, FFTW_FORWARD, FFTW_ESTIMATE), nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_dft_2d)(4, -1, in, out, FFTW_FORWARD, FFTW_ESTIMATE), nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_many_dft)(1, n, 0, in, n, 1, 2, out, n, 1, 2, FFTW_FORWARD, FFTW_ESTIMATE),
            nullptr);
  EXPECT_EQ(FFTW_CALL(Real, plan_many_dft)(4, n, 1, in, n, 1, 16, out, n, 1, 16, FFTW_FORWARD, FFTW_ESTIMATE),
            nullptr);
  const fftw_iodim dims[] = {{2, 7, 7}, {2, 3, 3}}, batch[] = {{2, 4, 4}, {2, 8, 8}}, back[] = {{2, -1, -1}};
  const auto guru = [&](int rank, const fftw_iodim* of, int batchRank, const fftw_iodim* members) {
    return FFTW_CALL(Real, plan_guru_dft)(rank, of, batchRank, members, in + 1, out + 1, FFTW_FORWARD,
                                          FFTW_ESTIMATE);
  };
  // Other than one dimension of batches, distances that no array has, and such as go backwards.
  EXPECT_EQ(guru(1, dims, 0, batch), nullptr);
  EXPECT_EQ(guru(1, dims, 2, batch), nullptr);
  EXPECT_EQ(guru(1, dims, 1, nullptr), nullptr);
  EXPECT_EQ(guru(2, dims, 1, batch), nullptr);
  EXPECT_EQ(guru(1, back, 1, batch), nullptr);
  EXPECT_EQ(guru(0, dims, 1, batch), nullptr);
  // A sign that there is not is none when the plan runs.
  x[1] = y[1] = Complex(1);
  runOnce<Real>(FFTW_CALL(Real, plan_dft_1d)(4, in, out, 2, FFTW_ESTIMATE));
  EXPECT_EQ(y[1], Complex(1));
  // No plan: nothing happens, also to what is none of this precision.
  FFTW_CALL(Real, execute)(nullptr);
  FFTW_CALL(Real, execute_dft)(&x, in, out);
  FFTW_CALL(Real, destroy_plan)(nullptr);
}

TYPED_TEST(Mufftw, WithoutUse) {
  using Real = TypeParam;
  std::complex<Real> x[4];
  void* const plan = FFTW_CALL(Real, plan_dft_1d)(4, pairs(x), pairs(x), FFTW_FORWARD, FFTW_WISDOM_ONLY);
  ASSERT_NE(plan, nullptr);
  double add = 7, multiply = 7, fused = 7;
  FFTW_CALL(Real, flops)(plan, &add, &multiply, &fused);
  EXPECT_EQ(add + multiply + fused, 3);
  EXPECT_EQ(FFTW_CALL(Real, cost)(plan), 1);
  FFTW_CALL(Real, set_timelimit)(1);
  FFTW_CALL(Real, print_plan)(plan);
  FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  FFTW_CALL(Real, export_wisdom_to_file)(file);
  EXPECT_GT(std::ftell(file), 0);
  std::rewind(file);
  EXPECT_EQ(FFTW_CALL(Real, import_wisdom_from_file)(file), 1);
  EXPECT_EQ(FFTW_CALL(Real, import_wisdom_from_file)(nullptr), 0);
  std::fclose(file);
  FFTW_CALL(Real, cleanup)();
  // Plans outlive it here.
  x[0] = x[1] = x[2] = x[3] = 1;
  FFTW_CALL(Real, execute)(plan);
  EXPECT_EQ(x[0], std::complex<Real>(4));
  FFTW_CALL(Real, destroy_plan)(plan);
}

TEST(MufftwInC, WithItsComplexNumbers) { EXPECT_LT(fftwInC(), 1e-12); }

}  // namespace
}  // namespace musashim::test
