// FFTW's advanced and guru interfaces: where the numbers lie.
#include "mufftw/support.h"

namespace musashim::test {
namespace {

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Mufftw, Reals);

// A dimension as the guru interface has it.
struct Step {
  int n, in, out;
};

// Places of all elements of one side, in the order of the dimensions.
std::vector<size_t> placesOf(const std::vector<Step>& steps, bool ofOut, bool isHalved) {
  std::vector<size_t> places = {0};
  for (size_t axis = 0; axis < steps.size(); ++axis) {
    std::vector<size_t> next;
    const int n = isHalved && axis + 1 == steps.size() ? steps[axis].n / 2 + 1 : steps[axis].n;
    for (const size_t place : places)
      for (int i = 0; i < n; ++i)
        next.push_back(place + static_cast<size_t>(i * (ofOut ? steps[axis].out : steps[axis].in)));
    places = next;
  }
  return places;
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<size_t>& places, size_t begin) {
  std::vector<T> values;
  for (const size_t place : places) values.push_back(from[begin + place]);
  return values;
}

constexpr size_t kRoom = 4000;

// `plan(in, out)` is of these dimensions, and of a batch.
template <class In, class Out, class Plan>
void expectRight(const std::vector<Step>& steps, const Step& batch, int sign, const char* what, Plan plan) {
  using Real = decltype(std::real(In()));
  constexpr bool kGivesHalf = !kIsComplex<In>, kTakesHalf = !kIsComplex<Out>;
  std::vector<int> n;
  for (const Step& step : steps) n.push_back(step.n);
  std::vector<In> in = randomNumbers<In>(kRoom, 1);
  std::vector<Out> out(kRoom);
  const auto ins = placesOf(steps, false, kTakesHalf), outs = placesOf(steps, true, kGivesHalf);
  std::vector<std::vector<Wide>> expected;
  for (int b = 0; b < batch.n; ++b) {
    const auto begin = static_cast<size_t>(b * batch.in);
    if constexpr (kTakesHalf) {  // what comes from real numbers
      const auto real = randomNumbers<Real>(volume(n), static_cast<unsigned>(b));
      const auto half = halfOf(reference(widened(real), n, FFTW_FORWARD), n.back());
      for (size_t i = 0; i < ins.size(); ++i)
        in[begin + ins[i]] = In(static_cast<Real>(half[i].real()), static_cast<Real>(half[i].imag()));
      expected.push_back(widened(real));
      for (Wide& value : expected.back()) value *= static_cast<long double>(volume(n));
    } else {
      expected.push_back(reference(widened(taken(in, ins, begin)), n, sign));
      if (kGivesHalf) expected.back() = halfOf(expected.back(), n.back());
    }
  }
  const std::vector<In> before = in;
  runOnce<Real>(plan(in.data(), out.data()));
  for (int b = 0; b < batch.n; ++b)
    expectClose(taken(out, outs, static_cast<size_t>(b * batch.out)), expected[static_cast<size_t>(b)], what,
                8);
  EXPECT_EQ(in, before) << what;
}

TYPED_TEST(Mufftw, Guru) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  struct Case {
    const char* name;
    std::vector<Step> steps;
    Step batch;
  };
  const Case cases[] = {{"line", {{12, 1, 1}}, {1, 0, 0}},
                        {"strides", {{12, 3, 2}}, {4, 50, 40}},
                        {"members side by side", {{12, 5, 7}}, {5, 1, 1}},
                        {"plane", {{4, 6, 8}, {6, 1, 1}}, {1, 0, 0}},
                        {"plane with gaps", {{4, 40, 30}, {6, 4, 3}}, {3, 200, 1}},
                        {"space", {{3, 40, 60}, {4, 10, 12}, {5, 2, 2}}, {2, 150, 300}},
                        {"single", {{1, 77, 5}, {6, 2, 2}, {1, 13, 99}}, {2, 20, 20}},
                        {"one", {{1, 5, 3}}, {3, 2, 4}}};
  // Real ones need their last dimension last, complex ones any order.
  const Case turned[] = {{"columns first", {{4, 1, 1}, {6, 4, 5}}, {1, 0, 0}},
                         {"mixed", {{4, 5, 6}, {5, 1, 1}, {3, 20, 24}}, {2, 100, 100}}};
  const auto dims = [](const std::vector<Step>& steps) {
    std::vector<fftw_iodim> result;
    for (const Step& step : steps) result.push_back({step.n, step.in, step.out});
    return result;
  };
  const auto dims64 = [](const std::vector<Step>& steps) {
    std::vector<fftw_iodim64> result;
    for (const Step& step : steps) result.push_back({step.n, step.in, step.out});
    return result;
  };
  const auto complex = [&](const Case& c) {
    const auto d = dims(c.steps), b = dims({c.batch});
    const auto wideD = dims64(c.steps), wideB = dims64({c.batch});
    const int rank = static_cast<int>(d.size());
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      expectRight<Complex, Complex>(c.steps, c.batch, sign, c.name, [&](Complex* in, Complex* out) {
        return FFTW_CALL(Real, plan_guru_dft)(rank, d.data(), 1, b.data(), pairs(in), pairs(out), sign,
                                              FFTW_ESTIMATE);
      });
      expectRight<Complex, Complex>(c.steps, c.batch, sign, c.name, [&](Complex* in, Complex* out) {
        return FFTW_CALL(Real, plan_guru64_dft)(rank, wideD.data(), 1, wideB.data(), pairs(in), pairs(out),
                                                sign, FFTW_ESTIMATE);
      });
    }
  };
  for (const Case& c : turned) complex(c);
  for (const Case& c : cases) {
    complex(c);
    const auto d = dims(c.steps), b = dims({c.batch});
    const auto wideD = dims64(c.steps), wideB = dims64({c.batch});
    const int rank = static_cast<int>(d.size());
    expectRight<Real, Complex>(c.steps, c.batch, -1, c.name, [&](Real* in, Complex* out) {
      return FFTW_CALL(Real, plan_guru_dft_r2c)(rank, d.data(), 1, b.data(), in, pairs(out), FFTW_ESTIMATE);
    });
    expectRight<Real, Complex>(c.steps, c.batch, -1, c.name, [&](Real* in, Complex* out) {
      return FFTW_CALL(Real, plan_guru64_dft_r2c)(rank, wideD.data(), 1, wideB.data(), in, pairs(out),
                                                  FFTW_ESTIMATE);
    });
    expectRight<Complex, Real>(c.steps, c.batch, 1, c.name, [&](Complex* in, Real* out) {
      return FFTW_CALL(Real, plan_guru_dft_c2r)(rank, d.data(), 1, b.data(), pairs(in), out, FFTW_ESTIMATE);
    });
    expectRight<Complex, Real>(c.steps, c.batch, 1, c.name, [&](Complex* in, Real* out) {
      return FFTW_CALL(Real, plan_guru64_dft_c2r)(rank, wideD.data(), 1, wideB.data(), pairs(in), out,
                                                  FFTW_ESTIMATE);
    });
  }
}

// Strides and distances count without lengths of the whole arrays as well, unlike cuFFT's own interface.
TYPED_TEST(Mufftw, Many) {
  using Real = TypeParam;
  using Complex = typename TestFixture::Complex;
  const int n[] = {4, 6}, inEmbed[] = {5, 8}, outEmbed[] = {4, 7};
  expectRight<Complex, Complex>(
      {{4, 16, 21}, {6, 2, 3}}, {3, 100, 1}, -1, "embedded", [&](Complex* in, Complex* out) {
        return FFTW_CALL(Real, plan_many_dft)(2, n, 3, pairs(in), inEmbed, 2, 100, pairs(out), outEmbed, 3, 1,
                                              FFTW_FORWARD, FFTW_ESTIMATE);
      });
  expectRight<Complex, Complex>(
      {{4, 12, 6}, {6, 2, 1}}, {3, 1, 24}, 1, "by n", [&](Complex* in, Complex* out) {
        return FFTW_CALL(Real, plan_many_dft)(2, n, 3, pairs(in), nullptr, 2, 1, pairs(out), nullptr, 1, 24,
                                              FFTW_BACKWARD, FFTW_ESTIMATE);
      });
  expectRight<Real, Complex>({{4, 8, 7}, {6, 1, 1}}, {3, 40, 28}, -1, "embedded r2c",
                             [&](Real* in, Complex* out) {
                               return FFTW_CALL(Real, plan_many_dft_r2c)(
                                   2, n, 3, in, inEmbed, 1, 40, pairs(out), outEmbed, 1, 28, FFTW_ESTIMATE);
                             });
  expectRight<Real, Complex>({{4, 18, 8}, {6, 3, 2}}, {2, 1, 1}, -1, "r2c by n", [&](Real* in, Complex* out) {
    // The complex side's rows have n / 2 + 1 elements.
    return FFTW_CALL(Real, plan_many_dft_r2c)(2, n, 2, in, nullptr, 3, 1, pairs(out), nullptr, 2, 1,
                                              FFTW_ESTIMATE);
  });
  expectRight<Complex, Real>({{4, 7, 8}, {6, 1, 1}}, {3, 28, 40}, 1, "embedded c2r",
                             [&](Complex* in, Real* out) {
                               return FFTW_CALL(Real, plan_many_dft_c2r)(2, n, 3, pairs(in), outEmbed, 1, 28,
                                                                         out, inEmbed, 1, 40, FFTW_ESTIMATE);
                             });
}

}  // namespace
}  // namespace musashim::test
