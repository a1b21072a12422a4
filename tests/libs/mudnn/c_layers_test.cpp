// Pooling, normalisation and dropout by the C interface.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mudnn/c_support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

class CLayersTest : public CInterfaceTest {};

class CPoolingsTest : public CInterfaceTest {
 protected:
  void SetUp() override {
    CInterfaceTest::SetUp();
    ASSERT_C(mudnnCreatePoolingDescriptor(&pooling));
  }
  void TearDown() override {
    ASSERT_C(mudnnDestroyPoolingDescriptor(pooling));
    CInterfaceTest::TearDown();
  }

  // Windows of 3x2 with a stride of 2x1, of 6x5 places.
  void expectRight(mudnnPoolingMode_t mode, mudnnTensorFormat_t format, float alpha, float beta) {
    const Sizes sizesX{2, 3, 6, 5}, sizesY{2, 3, 3, 4};
    Numbers x = randoms<float>(sizesX, 1);
    for (double& value : x) value = std::round(value * 4);  // some are equal
    ASSERT_C(mudnnSetPooling2dDescriptor(pooling, mode, MUDNN_PROPAGATE_NAN, 3, 2, 1, 0, 2, 1));
    const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizesX, format), dy(MUDNN_DATA_FLOAT, sizesY, format);
    const bool byChannels = format == MUDNN_TENSOR_NHWC;
    const auto at = [&](size_t n, size_t c, size_t place, size_t places) {
      return byChannels ? (n * places + place) * 3 + c : (n * 3 + c) * places + place;
    };
    const auto y = randoms<float>(sizesY, 2), gradient = randoms<float>(sizesY, 3);
    Numbers right(y), rightX(x);
    for (double& value : right) value *= static_cast<double>(beta);
    for (double& value : rightX) value *= static_cast<double>(beta);
    for (size_t i = 0; i < y.size(); ++i) {
      const size_t n = i / 36, c = i / 12 % 3, place = i % 12, out = at(n, c, place, 12);
      const auto p = static_cast<int64_t>(place / 4), q = static_cast<int64_t>(place % 4);
      std::vector<size_t> places;
      for (int64_t h = std::max<int64_t>(p * 2 - 1, 0); h < std::min<int64_t>(p * 2 + 2, 6); ++h)
        for (int64_t w = q; w < q + 2; ++w) places.push_back(at(n, c, static_cast<size_t>(h * 5 + w), 30));
      if (mode == MUDNN_POOLING_MAX || mode == MUDNN_POOLING_MAX_DETERMINISTIC) {
        const size_t best =
            *std::max_element(places.begin(), places.end(), [&](size_t a, size_t b) { return x[a] < x[b]; });
        right[out] += static_cast<double>(alpha) * x[best];
        rightX[best] += static_cast<double>(alpha) * gradient[out];
        continue;
      }
      const double count =
          mode == MUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? 6 : static_cast<double>(places.size());
      for (const size_t from : places) {
        right[out] += static_cast<double>(alpha) * x[from] / count;
        rightX[from] += static_cast<double>(alpha) * gradient[out] / count;
      }
    }
    Device<float> in(sizesX, x), out(sizesY, y), grad(sizesY, gradient), gradIn(sizesX, x);
    ASSERT_C(mudnnPoolingForward(handle, pooling, &alpha, dx, in.memory(), &beta, dy, out.memory()));
    expectNear(right, out.fetch(), tolerance<float>());
    ASSERT_C(mudnnPoolingBackward(handle, pooling, &alpha, dy, out.memory(), dy, grad.memory(), dx,
                                  in.memory(), &beta, dx, gradIn.memory()));
    expectNear(rightX, gradIn.fetch(), tolerance<float>());
  }

  mudnnPoolingDescriptor_t pooling = nullptr;
};

TEST_F(CPoolingsTest, ResultsAndGradients) {
  for (const auto mode : {MUDNN_POOLING_MAX, MUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
                          MUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, MUDNN_POOLING_MAX_DETERMINISTIC})
    for (const auto format : {MUDNN_TENSOR_NCHW, MUDNN_TENSOR_NHWC}) {
      expectRight(mode, format, 1, 0);
      expectRight(mode, format, 2, 0.5F);
    }
}

TEST_F(CPoolingsTest, MaximaOfWhatIsNoNumberAndOfInfinities) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kLowest = -std::numeric_limits<double>::infinity();
  const Sizes sizesX{2, 1, 2, 4}, sizesY{2, 1, 1, 2};
  const Numbers x{1, kNan, 3, 4, 2, 5, 7, 6, kLowest, kLowest, 1, kLowest, kLowest, kLowest, kLowest, 0};
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizesX), dy(MUDNN_DATA_FLOAT, sizesY);
  ASSERT_C(mudnnSetPooling2dDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  Device<float> in(sizesX, x), out(sizesY, Numbers(4)), grad(sizesY, {10, 20, 30, 40}),
      gradIn(sizesX, Numbers(16, 9));
  const float one = 1, zero = 0;
  ASSERT_C(mudnnPoolingForward(handle, pooling, &one, dx, in.memory(), &zero, dy, out.memory()));
  const auto most = out.fetch();
  EXPECT_TRUE(std::isnan(most[0]));
  EXPECT_EQ(7, most[1]);
  EXPECT_EQ(kLowest, most[2]);
  EXPECT_EQ(1, most[3]);
  ASSERT_C(mudnnPoolingBackward(handle, pooling, &one, dy, out.memory(), dy, grad.memory(), dx, in.memory(),
                                &zero, dx, gradIn.memory()));
  const Numbers right{0, 10, 0, 0, 0, 0, 20, 0, 30, 0, 40, 0, 0, 0, 0, 0};
  expectNear(right, gradIn.fetch(), 0);
}

TEST_F(CPoolingsTest, MaximaOfManyChannels) {
  constexpr size_t kChannels = 80, kSize = 96, kHalf = kSize / 2;
  const Sizes sizesX{1, kChannels, kSize, kSize}, sizesY{1, kChannels, kHalf, kHalf};
  const Numbers x = randoms<float>(sizesX, 1), gradient = randoms<float>(sizesY, 2);
  Numbers right(gradient.size()), rightX(x.size());
  for (size_t i = 0; i < right.size(); ++i) {
    const size_t first = i / kHalf * 2 * kSize + i % kHalf * 2;
    size_t best = first;
    for (const size_t at : {first + 1, first + kSize, first + kSize + 1})
      if (x[at] > x[best]) best = at;
    right[i] = x[best];
    rightX[best] = gradient[i];
  }
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizesX), dy(MUDNN_DATA_FLOAT, sizesY);
  ASSERT_C(mudnnSetPooling2dDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  Device<float> in(sizesX, x), out(sizesY, gradient), grad(sizesY, gradient), gradIn(sizesX, x);
  const float one = 1, zero = 0;
  ASSERT_C(mudnnPoolingForward(handle, pooling, &one, dx, in.memory(), &zero, dy, out.memory()));
  EXPECT_EQ(right, out.fetch());
  ASSERT_C(mudnnPoolingBackward(handle, pooling, &one, dy, out.memory(), dy, grad.memory(), dx, in.memory(),
                                &zero, dx, gradIn.memory()));
  EXPECT_EQ(rightX, gradIn.fetch());
}

TEST_F(CPoolingsTest, MaximaOfEveryStep) {
  constexpr int kSize = 19;
  const Sizes sizesX{1, 1, 3, kSize};
  Numbers x = randoms<float>(sizesX, 1);
  x[kSize + 5] = std::numeric_limits<double>::quiet_NaN();
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizesX);
  for (const int window : {1, 2, 3, 5, 20})
    for (const int stride : {1, 2, 3})
      for (int pad = window / 4; pad < window; ++pad) {
        const int count = (kSize + 2 * pad - window) / stride + 1;
        const Sizes sizesY{1, 1, 3, count};
        const TensorDescriptor dy(MUDNN_DATA_FLOAT, sizesY);
        Device<float> in(sizesX, x), out(sizesY, Numbers(static_cast<size_t>(3 * count)));
        ASSERT_C(mudnnSetPooling2dDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 1, window, 0,
                                             pad, 1, stride));
        const float one = 1, zero = 0;
        ASSERT_C(mudnnPoolingForward(handle, pooling, &one, dx, in.memory(), &zero, dy, out.memory()));
        const auto most = out.fetch();
        for (int i = 0; i < 3 * count; ++i) {
          const int row = i / count, first = i % count * stride - pad;
          double right = -std::numeric_limits<double>::infinity();
          for (int at = std::max(first, 0); at < std::min(first + window, kSize); ++at)
            if (const double value = x[static_cast<size_t>(row * kSize + at)];
                value > right || std::isnan(value))
              right = value;
          const double found = most[static_cast<size_t>(i)];
          EXPECT_TRUE(found == right || (std::isnan(found) && std::isnan(right))) << window << ' ' << stride;
        }
      }
}

TEST_F(CPoolingsTest, Descriptors) {
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, {2, 3, 6, 5});
  ASSERT_C(mudnnSetPooling2dDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 3, 2, 1, 0, 2, 1));
  int sizes[4] = {}, all[4] = {};
  ASSERT_C(mudnnGetPooling2dForwardOutputDim(pooling, dx, sizes, sizes + 1, sizes + 2, sizes + 3));
  ASSERT_C(mudnnGetPoolingNdForwardOutputDim(pooling, dx, 4, all));
  EXPECT_EQ((std::vector<int>{2, 3, 3, 4}), std::vector<int>(sizes, sizes + 4));
  EXPECT_EQ((std::vector<int>{2, 3, 3, 4}), std::vector<int>(all, all + 4));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnSetPooling2dDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 3, 2, 1, 0, 0, 1));
  const int ones[] = {1, 1, 1, 1};
  EXPECT_EQ(
      MUDNN_STATUS_NOT_SUPPORTED,
      mudnnSetPoolingNdDescriptor(pooling, MUDNN_POOLING_MAX, MUDNN_PROPAGATE_NAN, 7, ones, ones, ones));
}

TEST_F(CLayersTest, GradientsOfSoftmaxAndActivations) {
  const Sizes sizes{3, 4, 2, 5};
  const TensorDescriptor d(MUDNN_DATA_FLOAT, sizes);
  const Numbers x = randoms<float>(sizes, 4), dy = randoms<float>(sizes, 5);
  Numbers y(x.size()), right(x.size());
  const float one = 1, zero = 0;
  const auto expect = [&](auto&& call) {
    Device<float> in(sizes, x), out(sizes, y), grad(sizes, dy), gradIn(sizes, x);
    ASSERT_C(call(in.memory(), out.memory(), grad.memory(), gradIn.memory()));
    expectNear(right, gradIn.fetch(), tolerance<float>());
  };
  for (const bool ofLogarithms : {false, true})
    for (const auto mode : {MUDNN_SOFTMAX_MODE_INSTANCE, MUDNN_SOFTMAX_MODE_CHANNEL}) {
      const bool isWhole = mode == MUDNN_SOFTMAX_MODE_INSTANCE;
      const size_t length = isWhole ? 40 : 4, step = isWhole ? 1 : 10;
      for (size_t row = 0; row < x.size() / length; ++row) {
        const size_t first = isWhole ? row * 40 : row / 10 * 40 + row % 10;
        double sum = 0, products = 0;
        for (size_t i = 0; i < length; ++i) sum += std::exp(x[first + i * step]);
        for (size_t i = 0; i < length; ++i) {
          const size_t at = first + i * step;
          y[at] = ofLogarithms ? x[at] - std::log(sum) : std::exp(x[at]) / sum;
          products += dy[at] * (ofLogarithms ? 1 : y[at]);
        }
        for (size_t i = 0; i < length; ++i) {
          const size_t at = first + i * step;
          right[at] = ofLogarithms ? dy[at] - std::exp(y[at]) * products : y[at] * (dy[at] - products);
        }
      }
      expect([&](const void*, const void* out, const void* grad, void* gradIn) {
        return mudnnSoftmaxBackward(handle, ofLogarithms ? MUDNN_SOFTMAX_LOG : MUDNN_SOFTMAX_ACCURATE, mode,
                                    &one, d, out, d, grad, &zero, d, gradIn);
      });
    }
  mudnnActivationDescriptor_t how = nullptr;
  ASSERT_C(mudnnCreateActivationDescriptor(&how));
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const auto slope = [&](mudnnActivationMode_t mode, double v) {
    switch (mode) {
      case MUDNN_ACTIVATION_SIGMOID:
        return sigmoid(v) * (1 - sigmoid(v));
      case MUDNN_ACTIVATION_RELU:
        return v > 0 ? 1.0 : 0.0;
      case MUDNN_ACTIVATION_TANH:
        return 1 - std::tanh(v) * std::tanh(v);
      case MUDNN_ACTIVATION_CLIPPED_RELU:
        return v > 0 && v <= 0.5 ? 1.0 : 0.0;
      case MUDNN_ACTIVATION_ELU:
        return v >= 0 ? 1.0 : 0.5 * std::exp(v);
      default:  // swish, of 1
        return sigmoid(v) * (1 + v * (1 - sigmoid(v)));
    }
  };
  for (const auto mode : {MUDNN_ACTIVATION_SIGMOID, MUDNN_ACTIVATION_RELU, MUDNN_ACTIVATION_TANH,
                          MUDNN_ACTIVATION_CLIPPED_RELU, MUDNN_ACTIVATION_ELU, MUDNN_ACTIVATION_SWISH}) {
    ASSERT_C(mudnnSetActivationDescriptor(how, mode, MUDNN_PROPAGATE_NAN, 0.5));
    for (size_t i = 0; i < x.size(); ++i) {
      y[i] = mode == MUDNN_ACTIVATION_SIGMOID ? sigmoid(x[i]) : std::tanh(x[i]);  // others read x
      right[i] = dy[i] * slope(mode, x[i]);
    }
    expect([&](const void* in, const void* out, const void* grad, void* gradIn) {
      return mudnnActivationBackward(handle, how, &one, d, out, d, grad, d, in, &zero, d, gradIn);
    });
  }
  ASSERT_C(mudnnDestroyActivationDescriptor(how));
}

TEST_F(CLayersTest, BatchNormalisation) {
  const Sizes sizes{3, 2, 4, 1};
  const auto x = randoms<float>(sizes, 1), dy = randoms<float>(sizes, 2),
             scale = randoms<float>({2}, 3, 1, 2), bias = randoms<float>({2}, 4),
             mean = randoms<float>({2}, 5), variance = randoms<float>({2}, 6, 1, 2);
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizes), derived(MUDNN_DATA_FLOAT, {1, 1, 1, 1});
  ASSERT_C(mudnnDeriveBNTensorDescriptor(derived, dx, MUDNN_BATCHNORM_SPATIAL));
  mudnnDataType_t type{};
  int rank = 0, dims[4] = {}, strides[4] = {};
  ASSERT_C(mudnnGetTensorNdDescriptor(derived, 4, &type, &rank, dims, strides));
  EXPECT_EQ((std::vector<int>{1, 2, 1, 1}), std::vector<int>(dims, dims + 4));
  const auto channel = [](size_t i) { return i / 4 % 2; };
  Numbers ownMean(2), ownVariance(2), inverse(2);
  for (size_t i = 0; i < x.size(); ++i) ownMean[channel(i)] += x[i] / 12;
  for (size_t i = 0; i < x.size(); ++i)
    ownVariance[channel(i)] += std::pow(x[i] - ownMean[channel(i)], 2) / 12;
  for (size_t c = 0; c < 2; ++c) inverse[c] = 1 / std::sqrt(ownVariance[c] + 1e-3);
  const float one = 1, zero = 0, two = 2;
  Device<float> in(sizes, x), out(sizes), dScale({2}, scale), dBias({2}, bias), running({2}, mean),
      runningVariance({2}, variance), saved({2}), savedInverse({2}), grad(sizes, dy), gradIn(sizes, x),
      gradScale({2}), gradBias({2});
  ASSERT_C(mudnnBatchNormalizationForwardInference(
      handle, MUDNN_BATCHNORM_SPATIAL, &one, &zero, dx, in.memory(), dx, out.memory(), derived,
      dScale.memory(), dBias.memory(), running.memory(), runningVariance.memory(), 1e-3));
  Numbers right(x);
  for (size_t i = 0; i < x.size(); ++i)
    right[i] = (x[i] - mean[channel(i)]) / std::sqrt(variance[channel(i)] + 1e-3) * scale[channel(i)] +
               bias[channel(i)];
  expectNear(right, out.fetch(), 4e-6);
  ASSERT_C(mudnnBatchNormalizationForwardTraining(
      handle, MUDNN_BATCHNORM_SPATIAL, &one, &zero, dx, in.memory(), dx, out.memory(), derived,
      dScale.memory(), dBias.memory(), 0.5, running.memory(), runningVariance.memory(), 1e-3, saved.memory(),
      savedInverse.memory()));
  Numbers renewed(2), renewedVariance(2), normal(x);
  for (size_t i = 0; i < x.size(); ++i) {
    normal[i] = (x[i] - ownMean[channel(i)]) * inverse[channel(i)];
    right[i] = normal[i] * scale[channel(i)] + bias[channel(i)];
  }
  for (size_t c = 0; c < 2; ++c) {
    renewed[c] = (mean[c] + ownMean[c]) / 2;
    renewedVariance[c] = (variance[c] + ownVariance[c] * 12 / 11) / 2;
  }
  expectNear(right, out.fetch(), 4e-6);
  expectNear(renewed, running.fetch(), 4e-6);
  expectNear(renewedVariance, runningVariance.fetch(), 4e-6);
  expectNear(ownMean, saved.fetch(), 4e-6);
  expectNear(inverse, savedInverse.fetch(), 4e-6);
  Numbers sums(2), products(2);
  for (size_t i = 0; i < x.size(); ++i) {
    sums[channel(i)] += dy[i];
    products[channel(i)] += dy[i] * normal[i];
  }
  for (size_t i = 0; i < x.size(); ++i)
    right[i] = 2 * scale[channel(i)] * inverse[channel(i)] *
                   (dy[i] - (sums[channel(i)] + normal[i] * products[channel(i)]) / 12) +
               x[i];
  // With what was saved, and without.
  for (const bool withSaved : {true, false}) {
    Device<float> result(sizes, x);
    ASSERT_C(mudnnBatchNormalizationBackward(
        handle, MUDNN_BATCHNORM_SPATIAL, &two, &one, &one, &zero, dx, in.memory(), dx, grad.memory(), dx,
        result.memory(), derived, dScale.memory(), gradScale.memory(), gradBias.memory(), 1e-3,
        withSaved ? saved.memory() : nullptr, withSaved ? savedInverse.memory() : nullptr));
    expectNear(right, result.fetch(), 4e-6);
    expectNear(products, gradScale.fetch(), 4e-6);
    expectNear(sums, gradBias.fetch(), 4e-6);
  }
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnBatchNormalizationForwardInference(
                handle, MUDNN_BATCHNORM_SPATIAL, &one, &zero, dx, in.memory(), dx, out.memory(), derived,
                nullptr, dBias.memory(), running.memory(), runningVariance.memory(), 1e-3));
}

TEST_F(CLayersTest, LocalResponses) {
  const Sizes sizes{2, 6, 3};
  const auto x = randoms<double>(sizes, 1), dy = randoms<double>(sizes, 2);
  const TensorDescriptor descriptor(MUDNN_DATA_DOUBLE, sizes);
  const int64_t n = 4;
  const double a = 0.8, b = 0.75, k = 1.5;
  const auto respond = [&](const Numbers& values) {
    Numbers y(values);
    for (size_t i = 0; i < y.size(); ++i) {
      const auto channel = static_cast<int64_t>(i / 3 % 6);
      double squares = 0;
      for (int64_t c = std::max<int64_t>(channel - 1, 0); c <= std::min<int64_t>(channel + 2, 5); ++c)
        squares += std::pow(values[i + static_cast<size_t>((c - channel + 6) * 3) - 18], 2);
      y[i] = values[i] / std::pow(k + a / n * squares, b);
    }
    return y;
  };
  mudnnLRNDescriptor_t lrn = nullptr;
  ASSERT_C(mudnnCreateLRNDescriptor(&lrn));
  ASSERT_C(mudnnSetLRNDescriptor(lrn, n, a, b, k));
  const double one = 1, zero = 0;
  Device<double> in(sizes, x), out(sizes), grad(sizes, dy), gradIn(sizes);
  ASSERT_C(mudnnLRNCrossChannelForward(handle, lrn, MUDNN_LRN_CROSS_CHANNEL_DIM1, &one, descriptor,
                                       in.memory(), &zero, descriptor, out.memory()));
  expectNear(respond(x), out.fetch(), 1e-13);
  ASSERT_C(mudnnLRNCrossChannelBackward(handle, lrn, MUDNN_LRN_CROSS_CHANNEL_DIM1, &one, descriptor,
                                        out.memory(), descriptor, grad.memory(), descriptor, in.memory(),
                                        &zero, descriptor, gradIn.memory()));
  Numbers right(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    Numbers above(x), below(x);
    above[i] += 1e-5;
    below[i] -= 1e-5;
    const Numbers high = respond(above), low = respond(below);
    for (size_t j = 0; j < x.size(); ++j) right[i] += dy[j] * (high[j] - low[j]) / 2e-5;
  }
  expectNear(right, gradIn.fetch(), 1e-8);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetLRNDescriptor(lrn, 17, a, b, k));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetLRNDescriptor(lrn, 4, a, 0.001, k));
  ASSERT_C(mudnnDestroyLRNDescriptor(lrn));
}

TEST_F(CLayersTest, Dropouts) {
  const Sizes sizes{1, 1, 8000};
  const TensorDescriptor descriptor(MUDNN_DATA_FLOAT, sizes);
  size_t statesSize = 0, reserveSize = 0;
  ASSERT_C(mudnnDropoutGetStatesSize(handle, &statesSize));
  ASSERT_C(mudnnDropoutGetReserveSpaceSize(descriptor, &reserveSize));
  Device<uint8_t> states({static_cast<int64_t>(statesSize)}), reserve({static_cast<int64_t>(reserveSize)});
  Device<float> in(sizes, Numbers(8000, 1)), out(sizes), gradIn(sizes);
  mudnnDropoutDescriptor_t dropout = nullptr;
  ASSERT_C(mudnnCreateDropoutDescriptor(&dropout));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnDropoutForward(handle, dropout, descriptor, in.memory(), descriptor,
                                                        out.memory(), reserve.memory(), reserveSize));
  std::vector<Numbers> results;
  for (int pass = 0; pass < 2; ++pass) {
    ASSERT_C(mudnnSetDropoutDescriptor(dropout, handle, 0.4F, states.memory(), statesSize, 7));
    for (int call = 0; call < 2; ++call) {
      ASSERT_C(mudnnDropoutForward(handle, dropout, descriptor, in.memory(), descriptor, out.memory(),
                                   reserve.memory(), reserveSize));
      results.push_back(out.fetch());
      ASSERT_C(mudnnDropoutBackward(handle, dropout, descriptor, in.memory(), descriptor, gradIn.memory(),
                                    reserve.memory(), reserveSize));
      EXPECT_EQ(results.back(), gradIn.fetch());
    }
  }
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[3]);
  EXPECT_NE(results[0], results[1]);
  const auto stay = static_cast<double>(
      std::count_if(results[0].begin(), results[0].end(), [](double v) { return v != 0; }));
  EXPECT_NEAR(0.6, stay / 8000, 0.03);  // five deviations
  EXPECT_NEAR(1 / 0.6, *std::max_element(results[0].begin(), results[0].end()), 1e-6);
  float probability = 0;
  void* where = nullptr;
  unsigned long long seed = 0;
  ASSERT_C(mudnnGetDropoutDescriptor(dropout, handle, &probability, &where, &seed));
  EXPECT_EQ(0.4F, probability);
  EXPECT_EQ(states.memory(), where);
  EXPECT_EQ(7U, seed);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnDropoutForward(handle, dropout, descriptor, in.memory(), descriptor,
                                                        out.memory(), reserve.memory(), reserveSize - 1));
  ASSERT_C(mudnnDestroyDropoutDescriptor(dropout));
}

}  // namespace
}  // namespace musashim::test
