// musa::dnn's pooling, normalisation, dropout and gated units against loops in double.
#include <algorithm>
#include <functional>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;
using dnn::Pooling;

// The derivative of sum(weights * function(x)) by x[i], by differences.
Numbers differences(const Numbers& x, const Numbers& weights,
                    const std::function<Numbers(const Numbers&)>& function) {
  constexpr double kStep = 1e-5;
  Numbers gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    Numbers above(x), below(x);
    above[i] += kStep;
    below[i] -= kStep;
    const Numbers high = function(above), low = function(below);
    for (size_t j = 0; j < high.size(); ++j) gradient[i] += weights[j] * (high[j] - low[j]) / (2 * kStep);
  }
  return gradient;
}

struct Window {
  int64_t begin, end, step, padded;
};
Window windowOf(bool adaptive, int64_t at, int64_t in, int64_t out, int64_t k, int64_t pad, int64_t stride,
                int64_t dilation) {
  if (adaptive) return {at * in / out, (at * in + in + out - 1) / out, 1, 0};
  return {at * stride - pad, std::min(at * stride - pad + (k - 1) * dilation + 1, in + pad), dilation, k};
}

template <class T>
void everyPooling(dnn::Handle& handle) {
  using Mode = Pooling::Mode;
  const int64_t h = 9, w = 8;
  const auto x = randoms<T>({2, 3, h, w}, 1);
  Device<T> in({2, 3, h, w}, x), gradIn({2, 3, h, w});
  for (int number = 0; number <= static_cast<int>(Mode::ADAPTIVE_AVGPOOL); ++number) {
    const Mode mode = static_cast<Mode>(number);
    const bool global = mode == Mode::GLOBAL_AVGPOOL || mode == Mode::GLOBAL_MAXPOOL;
    const bool adaptive = mode >= Mode::GLOBAL_MAXPOOL;
    const bool maxima =
        mode == Mode::MAXPOOL || mode == Mode::GLOBAL_MAXPOOL || mode == Mode::ADAPTIVE_MAXPOOL;
    const bool dilated = mode == Mode::MAXPOOL;
    const int64_t dilation = dilated ? 2 : 1;
    const int64_t oh = global ? 1 : (adaptive ? 4 : (h + 2 - (2 * dilation + 1)) / 2 + 1);
    const int64_t ow = global ? 1 : (adaptive ? 3 : (w + 2 - (dilation + 1)) / 1 + 1);
    const Sizes sizes{2, 3, oh, ow};
    const auto dy = randoms<T>(sizes, 2);
    Numbers y(dy.size()), places(dy.size()), dx(x.size());
    for (size_t i = 0; i < y.size(); ++i) {
      const int64_t at = static_cast<int64_t>(i), channel = at / (oh * ow);
      const Window a = windowOf(adaptive, at / ow % oh, h, oh, 3, 1, 2, dilation);
      const Window b = windowOf(adaptive, at % ow, w, ow, 2, 1, 1, dilation);
      std::vector<int64_t> all;
      int64_t padded = 0;
      for (int64_t r = a.begin; r < a.end; r += a.step)
        for (int64_t c = b.begin; c < b.end; c += b.step) {
          ++padded;
          if (r >= 0 && r < h && c >= 0 && c < w) all.push_back(r * w + c);
        }
      const auto value = [&](int64_t place) { return x[static_cast<size_t>(channel * h * w + place)]; };
      if (maxima) {
        const int64_t best = *std::max_element(all.begin(), all.end(),
                                               [&](int64_t p, int64_t q) { return value(p) < value(q); });
        y[i] = value(best);
        places[i] = static_cast<double>(best);
        dx[static_cast<size_t>(channel * h * w + best)] += dy[i];
      } else {
        const double count = static_cast<double>(mode == Mode::AVGPOOL_COUNT_PAD ? padded : all.size());
        for (const int64_t place : all) {
          y[i] += value(place) / count;
          dx[static_cast<size_t>(channel * h * w + place)] += dy[i] / count;
        }
      }
    }
    Pooling op;
    ASSERT_DNN(op.SetMode(mode));
    const int d = static_cast<int>(dilation);
    if (!adaptive) ASSERT_DNN(op.SetNdInfo({3, 2}, {1, 1}, {2, 1}, {d, d}));
    Device<T> out(sizes), gradOut(sizes, dy);
    Device<int64_t> indices(sizes);
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, maxima ? indices.tensor : Tensor()));
    expectNear(y, out.fetch(), tolerance<T>(), std::to_string(number));
    if (maxima) EXPECT_EQ(places, indices.fetch()) << number;
    ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, maxima ? indices.tensor : Tensor()));
    expectNear(dx, gradIn.fetch(), tolerance<T>(), std::to_string(number));
  }
}

class NnTest : public testing::Test {
 protected:
  dnn::Handle handle;
};

TEST_F(NnTest, EveryPooling) {
  everyPooling<float>(handle);
  everyPooling<double>(handle);
  everyPooling<__half>(handle);
  everyPooling<__mt_bfloat16>(handle);
}

TEST_F(NnTest, PoolingErrorsAndDivisor) {
  Device<float> in({1, 1, 4}, {1, 2, 3, 4}), out({1, 1, 2});
  Pooling op;
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, out.tensor, in.tensor, Tensor()));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetNdInfo({0}, {0}, {1}, {1}));
  ASSERT_DNN(op.SetNdInfo({2}, {0}, {2}, {1}));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.RunBwd(handle, in.tensor, out.tensor, Tensor()));
  ASSERT_DNN(op.SetMode(Pooling::Mode::AVGPOOL_COUNT_PAD));
  ASSERT_DNN(op.SetDivisor(5));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, Tensor()));
  expectNear({0.6, 1.4}, out.fetch(), 1e-7);
}

TEST_F(NnTest, BatchNorms) {
  for (const bool perActivation : {false, true}) {
    const Sizes sizes{4, 3, 2, 2};
    const int64_t groups = perActivation ? 12 : 3, places = perActivation ? 1 : 4, length = 4 * places;
    const auto x = randoms<double>(sizes, 1), dy = randoms<double>(sizes, 2),
               scale = randoms<double>({groups}, 3, 1, 2), bias = randoms<double>({groups}, 4),
               mean = randoms<double>({groups}, 5), variance = randoms<double>({groups}, 6, 1, 2);
    const auto groupOf = [&](size_t i) {
      return static_cast<size_t>(static_cast<int64_t>(i) / places % groups);
    };
    const auto normal = [&](const Numbers& values, Numbers* means, Numbers* variances) {
      Numbers m(static_cast<size_t>(groups)), v(m.size()), y(values.size());
      for (size_t i = 0; i < values.size(); ++i) m[groupOf(i)] += values[i] / static_cast<double>(length);
      for (size_t i = 0; i < values.size(); ++i)
        v[groupOf(i)] += std::pow(values[i] - m[groupOf(i)], 2) / static_cast<double>(length);
      for (size_t i = 0; i < values.size(); ++i)
        y[i] = (values[i] - m[groupOf(i)]) / std::sqrt(v[groupOf(i)] + 0.01) * scale[groupOf(i)] +
               bias[groupOf(i)];
      if (means) *means = m;
      if (variances) *variances = v;
      return y;
    };
    Numbers ownMean, ownVariance;
    const Numbers y = normal(x, &ownMean, &ownVariance);
    Device<double> in(sizes, x), out(sizes), dScale({groups}, scale), dBias({groups}, bias),
        running({groups}, mean), runningVariance({groups}, variance), saved({groups}), inverse({groups}),
        gradOut(sizes, dy), gradIn(sizes), gradScale({groups}), gradBias({groups}), gradMean({groups}),
        gradVariance({groups});
    dnn::BatchNorm op;
    ASSERT_DNN(
        op.SetMode(perActivation ? dnn::BatchNorm::Mode::PER_ACTIVATION : dnn::BatchNorm::Mode::PER_CHANNEL));
    ASSERT_DNN(op.SetEpsilon(0.01));
    ASSERT_DNN(op.RunPure(handle, out.tensor, in.tensor, running.tensor, runningVariance.tensor,
                          dScale.tensor, dBias.tensor));
    Numbers pure(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      pure[i] = (x[i] - mean[groupOf(i)]) / std::sqrt(variance[groupOf(i)] + 0.01) * scale[groupOf(i)] +
                bias[groupOf(i)];
    expectNear(pure, out.fetch(), 1e-13);

    ASSERT_DNN(op.RunComposite(handle, out.tensor, in.tensor, running.tensor, runningVariance.tensor,
                               saved.tensor, inverse.tensor, dScale.tensor, dBias.tensor, 0.25));
    expectNear(y, out.fetch(), 1e-13);
    Numbers renewedMean(mean), renewedVariance(variance), inverses(mean);
    for (size_t i = 0; i < mean.size(); ++i) {
      renewedMean[i] = 0.75 * mean[i] + 0.25 * ownMean[i];
      renewedVariance[i] = 0.75 * variance[i] + 0.25 * ownVariance[i] * static_cast<double>(length) /
                                                    static_cast<double>(length - 1);
      inverses[i] = 1 / std::sqrt(ownVariance[i] + 0.01);
    }
    expectNear(renewedMean, running.fetch(), 1e-13);
    expectNear(renewedVariance, runningVariance.fetch(), 1e-13);
    expectNear(ownMean, saved.fetch(), 1e-13);
    expectNear(inverses, inverse.fetch(), 1e-13);

    ASSERT_DNN(op.SetTraining(true));
    ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradMean.tensor, gradVariance.tensor, gradScale.tensor,
                         gradBias.tensor, in.tensor, gradOut.tensor, saved.tensor, inverse.tensor,
                         dScale.tensor));
    expectNear(differences(x, dy, [&](const Numbers& v) { return normal(v, nullptr, nullptr); }),
               gradIn.fetch(), 1e-8);
    Numbers scales(mean.size()), biases(mean.size());
    for (size_t i = 0; i < x.size(); ++i) {
      scales[groupOf(i)] += dy[i] * (x[i] - ownMean[groupOf(i)]) * inverses[groupOf(i)];
      biases[groupOf(i)] += dy[i];
    }
    expectNear(scales, gradScale.fetch(), 1e-12);
    expectNear(biases, gradBias.fetch(), 1e-12);
    EXPECT_EQ(Numbers(mean.size()), gradMean.fetch());

    ASSERT_DNN(op.SetTraining(false));
    ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradMean.tensor, gradVariance.tensor, gradScale.tensor,
                         gradBias.tensor, in.tensor, gradOut.tensor, saved.tensor, inverse.tensor,
                         dScale.tensor));
    Numbers straight(x.size()), means(mean.size());
    for (size_t i = 0; i < x.size(); ++i) {
      straight[i] = dy[i] * inverses[groupOf(i)] * scale[groupOf(i)];
      means[groupOf(i)] -= straight[i];
    }
    expectNear(straight, gradIn.fetch(), 1e-12);
    expectNear(means, gradMean.fetch(), 1e-12);
  }
}

// Channels last, of halves: as of floats.
TEST_F(NnTest, BatchNormOfChannelsLast) {
  const auto x = randoms<__half>({2, 2, 2, 3}, 1);
  Device<__half> in({2, 2, 2, 3}, x), out({2, 2, 2, 3});
  for (Tensor* tensor : {&in.tensor, &out.tensor}) ASSERT_DNN(tensor->SetFormat(Tensor::Format::NHWC));
  Numbers mean(3), variance(3), right(x);
  for (size_t i = 0; i < x.size(); ++i) mean[i % 3] += x[i] / 8;
  for (size_t i = 0; i < x.size(); ++i) variance[i % 3] += std::pow(x[i] - mean[i % 3], 2) / 8;
  for (size_t i = 0; i < x.size(); ++i) right[i] = (x[i] - mean[i % 3]) / std::sqrt(variance[i % 3] + 1e-5);
  Tensor none[4];
  ASSERT_DNN(dnn::BatchNorm().RunComposite(handle, out.tensor, in.tensor, none[0], none[1], none[2], none[3],
                                           Tensor(), Tensor(), 0.1));
  expectNear(right, out.fetch(), tolerance<__half>());
}

TEST_F(NnTest, LayerAndRmsNorms) {
  for (const bool centers : {true, false}) {
    const Sizes sizes{3, 2, 5};
    const auto x = randoms<double>(sizes, 1), dy = randoms<double>(sizes, 2),
               gamma = randoms<double>({2, 5}, 3), beta = randoms<double>({2, 5}, 4);
    const auto normal = [&](const Numbers& values, const Numbers& factors, const Numbers& shifts,
                            Numbers* inverses) {
      Numbers y(values.size());
      for (size_t row = 0; row < 3; ++row) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < 10 && centers; ++i) mean += values[row * 10 + i] / 10;
        for (size_t i = 0; i < 10; ++i) squares += std::pow(values[row * 10 + i] - mean, 2) / 10;
        const double inverse = 1 / std::sqrt(squares + 0.01);
        if (inverses) inverses->push_back(inverse);
        for (size_t i = 0; i < 10; ++i)
          y[row * 10 + i] = (values[row * 10 + i] - mean) * inverse * factors[i] + (centers ? shifts[i] : 0);
      }
      return y;
    };
    Numbers inverses;
    const Numbers y = normal(x, gamma, beta, &inverses);
    Device<double> in(sizes, x), out(sizes), dGamma({2, 5}, gamma), dBeta({2, 5}, beta), mean({3}),
        inverse({3}), gradOut(sizes, dy), gradIn(sizes), gradGamma({2, 5}), gradBeta({2, 5});
    const int axes[] = {1, -1};
    if (centers) {
      dnn::LayerNorm op;
      ASSERT_DNN(op.SetAxis(2, axes));
      ASSERT_DNN(op.SetEpsilon(0.01));
      ASSERT_DNN(op.SetVarMode(dnn::LayerNorm::VarMode::WELFORD));
      ASSERT_DNN(
          op.Run(handle, out.tensor, mean.tensor, inverse.tensor, in.tensor, dGamma.tensor, dBeta.tensor));
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradGamma.tensor, gradBeta.tensor, gradOut.tensor,
                           in.tensor, mean.tensor, inverse.tensor, dGamma.tensor));
    } else {
      dnn::RMSNorm op;
      ASSERT_DNN(op.SetAxis(2, axes));
      ASSERT_DNN(op.SetEpsilon(0.01));
      ASSERT_DNN(op.Run(handle, out.tensor, inverse.tensor, in.tensor, dGamma.tensor));
      ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradGamma.tensor, gradOut.tensor, in.tensor, inverse.tensor,
                           dGamma.tensor));
    }
    expectNear(y, out.fetch(), 1e-13);
    expectNear(inverses, inverse.fetch(), 1e-13);
    expectNear(differences(x, dy, [&](const Numbers& v) { return normal(v, gamma, beta, nullptr); }),
               gradIn.fetch(), 1e-8);
    expectNear(differences(gamma, dy, [&](const Numbers& v) { return normal(x, v, beta, nullptr); }),
               gradGamma.fetch(), 1e-8);
    if (centers)
      expectNear(differences(beta, dy, [&](const Numbers& v) { return normal(x, gamma, v, nullptr); }),
                 gradBeta.fetch(), 1e-8);
  }
}

TEST_F(NnTest, GroupNorms) {
  const Sizes sizes{2, 6, 3};
  const auto x = randoms<float>(sizes, 1), gamma = randoms<float>({6}, 2), beta = randoms<float>({6}, 3);
  Numbers right(x), means, inverses;
  for (size_t row = 0; row < 4; ++row) {  // two channels' groups of three
    double mean = 0, squares = 0;
    for (size_t i = 0; i < 9; ++i) mean += x[row * 9 + i] / 9;
    for (size_t i = 0; i < 9; ++i) squares += std::pow(x[row * 9 + i] - mean, 2) / 9;
    means.push_back(mean);
    inverses.push_back(1 / std::sqrt(squares + 1e-5));
    for (size_t i = 0; i < 9; ++i) {
      const size_t channel = row % 2 * 3 + i / 3;
      right[row * 9 + i] = (x[row * 9 + i] - mean) * inverses.back() * gamma[channel] + beta[channel];
    }
  }
  Device<float> in(sizes, x), out(sizes), dGamma({6}, gamma), dBeta({6}, beta), mean({2, 2}), inverse({2, 2});
  dnn::GroupNorm op;
  ASSERT_DNN(op.SetAxis(1));
  ASSERT_DNN(op.SetGroup(2));
  ASSERT_DNN(op.SetEpsilon(1e-5));
  ASSERT_DNN(op.Run(handle, out.tensor, mean.tensor, inverse.tensor, in.tensor, dGamma.tensor, dBeta.tensor));
  expectNear(right, out.fetch(), 4e-6);
  expectNear(means, mean.fetch(), 4e-6);
  expectNear(inverses, inverse.fetch(), 4e-6);
  ASSERT_DNN(op.SetGroup(4));
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.Run(handle, out.tensor, mean.tensor, inverse.tensor, in.tensor, dGamma.tensor, dBeta.tensor));
}

TEST_F(NnTest, Dropouts) {
  const int64_t count = 20'000;
  Device<float> in({count}, Numbers(static_cast<size_t>(count), 3)), out({count}), gradIn({count});
  Device<bool> mask({count}), again({count});
  Device<uint64_t> state({2}, {42, 8});
  dnn::Dropout op;
  ASSERT_DNN(op.SetP(0.25));
  ASSERT_DNN(op.SetSeed(uint64_t{42}));
  ASSERT_DNN(op.SetOffset(uint64_t{12}));
  ASSERT_DNN(op.RunDropout(handle, out.tensor, in.tensor, mask.tensor));
  const Numbers stays = mask.fetch(), y = out.fetch();
  double kept = 0;
  for (size_t i = 0; i < stays.size(); ++i) {
    kept += stays[i];
    ASSERT_FLOAT_EQ(static_cast<float>(stays[i] * 4), static_cast<float>(y[i]));
  }
  EXPECT_NEAR(0.75, kept / static_cast<double>(count), 0.015);  // five deviations
  // Seed and offset from device memory, the latter with 4 more.
  const auto* const memory = static_cast<const uint64_t*>(state.memory());
  ASSERT_DNN(op.SetSeed(memory));
  ASSERT_DNN(op.SetOffset(memory + 1, 4));
  ASSERT_DNN(op.RunDropout(handle, out.tensor, in.tensor, again.tensor));
  EXPECT_EQ(stays, again.fetch());
  ASSERT_DNN(op.SetSeed(uint64_t{43}));
  ASSERT_DNN(op.RunDropout(handle, out.tensor, in.tensor, again.tensor));
  EXPECT_NE(stays, again.fetch());
  ASSERT_DNN(op.SetScale(0.5));
  ASSERT_DNN(op.RunDropoutBwd(handle, gradIn.tensor, in.tensor, mask.tensor));
  Numbers right(stays);
  for (double& value : right) value *= 1.5;
  EXPECT_EQ(right, gradIn.fetch());
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetP(1.5));
}

TEST_F(NnTest, GatedUnits) {
  const auto x = randoms<float>({3, 8}, 1, -2, 2), dy = randoms<float>({3, 4}, 2);
  Device<float> in({3, 8}, x), out({3, 4}), gradOut({3, 4}, dy), gradIn({3, 8});
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const auto swi = [&](const Numbers& values) {
    Numbers y(12);
    for (size_t i = 0; i < 12; ++i) {
      const double a = values[i / 4 * 8 + i % 4], b = values[i / 4 * 8 + i % 4 + 4];
      y[i] = a * sigmoid(a) * b;
    }
    return y;
  };
  dnn::Glu glu;
  ASSERT_DNN(glu.SetAxis(1));
  ASSERT_DNN(glu.Run(handle, out.tensor, in.tensor));
  Numbers right(12);
  for (size_t i = 0; i < 12; ++i) right[i] = x[i / 4 * 8 + i % 4] * sigmoid(x[i / 4 * 8 + i % 4 + 4]);
  expectNear(right, out.fetch(), tolerance<float>());
  ASSERT_DNN(dnn::SwiGlu().Run(handle, out.tensor, in.tensor));
  expectNear(swi(x), out.fetch(), tolerance<float>());
  ASSERT_DNN(dnn::SwiGlu().RunBwd(handle, gradIn.tensor, in.tensor, gradOut.tensor));
  expectNear(differences(x, dy, swi), gradIn.fetch(), 4e-6);
}

}  // namespace
}  // namespace musashim::test
