// musa::dnn::Convolution against sums written out in double.
#include "mudnn/support.h"

namespace musashim::test {
namespace {

using dnn::Convolution;
using Format = Tensor::Format;

struct Shape {
  int64_t n, c, o;
  Sizes in, window;
  std::vector<int> pads, strides, dilations;
  int groups;

  Sizes out() const {
    Sizes places;
    for (size_t i = 0; i < in.size(); ++i)
      places.push_back((in[i] + 2 * pads[i] - (window[i] - 1) * dilations[i] - 1) / strides[i] + 1);
    return places;
  }
  static Sizes with(int64_t a, int64_t b, const Sizes& places) {
    Sizes sizes{a, b};
    sizes.insert(sizes.end(), places.begin(), places.end());
    return sizes;
  }
  Sizes x() const { return with(n, c, in); }
  Sizes w() const { return with(o, c / groups, window); }
  Sizes y() const { return with(n, o, out()); }
};

// meet(x's index, w's index, y's index) for every product of the convolution.
template <class Meet>
void forProducts(const Shape& s, Meet&& meet) {
  const Sizes out = s.out();
  const auto at = [](const Sizes& sizes, size_t i) { return i < sizes.size() ? sizes[i] : 1; };
  const auto option = [](const std::vector<int>& values, size_t i, int missing) {
    return i < values.size() ? values[i] : missing;
  };
  const int64_t inOfGroup = s.c / s.groups, outOfGroup = s.o / s.groups;
  for (int64_t n = 0; n < s.n; ++n)
    for (int64_t o = 0; o < s.o; ++o)
      for (int64_t c = 0; c < inOfGroup; ++c)
        for (int64_t place = 0; place < countOf(out); ++place)
          for (int64_t k = 0; k < countOf(s.window); ++k) {
            int64_t restPlace = place, restK = k, index = 0, unit = 1;
            bool inside = true;
            for (size_t d = s.in.size(); d-- > 0;) {
              const int64_t p = restPlace % at(out, d), q = restK % at(s.window, d);
              restPlace /= at(out, d);
              restK /= at(s.window, d);
              const int64_t i =
                  p * option(s.strides, d, 1) + q * option(s.dilations, d, 1) - option(s.pads, d, 0);
              inside = inside && i >= 0 && i < s.in[d];
              index += i * unit;
              unit *= s.in[d];
            }
            if (!inside) continue;
            const int64_t channel = o / outOfGroup * inOfGroup + c;
            meet((n * s.c + channel) * countOf(s.in) + index, (o * inOfGroup + c) * countOf(s.window) + k,
                 (n * s.o + o) * countOf(out) + place);
          }
}

const Shape kShapes[] = {
    {2, 4, 6, {9, 11}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {1, 8, 4, {12, 10}, {3, 5}, {0, 2}, {2, 3}, {2, 1}, 2},
    {2, 6, 6, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 6},  // each channel by itself
    {1, 3, 5, {6, 7, 8}, {2, 3, 3}, {1, 0, 1}, {1, 2, 1}, {1, 1, 2}, 1},
    {3, 4, 2, {17}, {4}, {2}, {3}, {2}, 1},
    {1, 2, 3, {5, 5}, {1, 1}, {0, 0}, {1, 1}, {1, 1}, 1},
};

Convolution convolutionOf(const Shape& s) {
  Convolution convolution;
  EXPECT_EQ(Status::SUCCESS, convolution.SetNdInfo(static_cast<int>(s.in.size()), s.pads.data(),
                                                   s.strides.data(), s.dilations.data()));
  EXPECT_EQ(Status::SUCCESS, convolution.SetGroups(s.groups));
  return convolution;
}

template <class T>
class ConvolutionTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __mt_bfloat16>;
TYPED_TEST_SUITE(ConvolutionTest, Floats);

TYPED_TEST(ConvolutionTest, ForwardAndBackward) {
  using T = TypeParam;
  dnn::Handle handle;
  for (const Shape& s : kShapes) {
    const auto x = randoms<T>(s.x(), 1), w = randoms<T>(s.w(), 2), dy = randoms<T>(s.y(), 3);
    std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
    forProducts(s, [&](auto i, auto k, auto o) {
      y[static_cast<size_t>(o)] += x[static_cast<size_t>(i)] * w[static_cast<size_t>(k)];
      dx[static_cast<size_t>(i)] += dy[static_cast<size_t>(o)] * w[static_cast<size_t>(k)];
      dw[static_cast<size_t>(k)] += dy[static_cast<size_t>(o)] * x[static_cast<size_t>(i)];
    });
    Device<T> tx(s.x(), x), tw(s.w(), w), ty(s.y()), tdx(s.x()), tdw(s.w()), tdy(s.y(), dy);
    const Convolution convolution = convolutionOf(s);
    Convolution::Algorithm algorithm{};
    ASSERT_DNN(convolution.GetRecommendForwardAlgorithm(handle, algorithm, ty.tensor, tx.tensor, tw.tensor));
    ASSERT_DNN(convolution.Run(handle, ty.tensor, tx.tensor, tw.tensor, algorithm));
    Convolution::AlgorithmBwdData dataAlgorithm{};
    ASSERT_DNN(convolution.GetRecommendBackwardDataAlgorithm(handle, dataAlgorithm, tdx.tensor, tdy.tensor,
                                                             tw.tensor));
    ASSERT_DNN(convolution.RunBwdData(handle, tdx.tensor, tdy.tensor, tw.tensor, dataAlgorithm));
    Convolution::AlgorithmBwdFilter filterAlgorithm{};
    ASSERT_DNN(convolution.GetRecommendBackwardFilterAlgorithm(handle, filterAlgorithm, tdw.tensor, tx.tensor,
                                                               tdy.tensor));
    ASSERT_DNN(convolution.RunBwdFilter(handle, tdw.tensor, tx.tensor, tdy.tensor, filterAlgorithm));
    expectNear(y, ty.fetch(), tolerance<T>(), "y");
    expectNear(dx, tdx.fetch(), tolerance<T>(), "dx");
    expectNear(dw, tdw.fetch(), tolerance<T>(), "dw");
  }
}

// The same tensors with channels last, in the order of sizes that the format names.
TEST(ConvolutionFormatTest, ChannelsLast) {
  const Shape s{2, 3, 4, {6, 5}, {3, 3}, {1, 1}, {1, 2}, {1, 1}, 1};
  const auto x = randoms<float>(s.x(), 1), w = randoms<float>(s.w(), 2);
  std::vector<double> y(static_cast<size_t>(countOf(s.y())));
  forProducts(s, [&](auto i, auto k, auto o) {
    y[static_cast<size_t>(o)] += x[static_cast<size_t>(i)] * w[static_cast<size_t>(k)];
  });
  const auto turned = [](const std::vector<double>& values, const Sizes& sizes) {
    std::vector<double> result(values.size());
    const int64_t places = sizes[2] * sizes[3];
    for (int64_t n = 0; n < sizes[0]; ++n)
      for (int64_t c = 0; c < sizes[1]; ++c)
        for (int64_t p = 0; p < places; ++p)
          result[static_cast<size_t>((n * places + p) * sizes[1] + c)] =
              values[static_cast<size_t>((n * sizes[1] + c) * places + p)];
    return result;
  };
  const auto last = [](const Sizes& sizes) { return Sizes{sizes[0], sizes[2], sizes[3], sizes[1]}; };
  Device<float> tx(last(s.x()), turned(x, s.x())), tw(last(s.w()), turned(w, s.w())), ty(last(s.y()));
  for (Tensor* tensor : {&tx.tensor, &tw.tensor, &ty.tensor}) ASSERT_DNN(tensor->SetFormat(Format::NHWC));
  dnn::Handle handle;
  ASSERT_DNN(
      convolutionOf(s).Run(handle, ty.tensor, tx.tensor, tw.tensor, Convolution::Algorithm::IMPLICIT_GEMM));
  expectNear(turned(y, s.y()), ty.fetch(), tolerance<float>());
}

TEST(ConvolutionFusionTest, BiasAddAndActivations) {
  using Fused = Convolution::FusedActivationDesc;
  const Shape& s = kShapes[0];
  const auto x = randoms<float>(s.x(), 1), w = randoms<float>(s.w(), 2), bias = randoms<float>({s.o}, 3),
             add = randoms<float>(s.y(), 4);
  std::vector<double> sums(add.size());
  forProducts(s, [&](auto i, auto k, auto o) {
    sums[static_cast<size_t>(o)] += x[static_cast<size_t>(i)] * w[static_cast<size_t>(k)];
  });
  Device<float> tx(s.x(), x), tw(s.w(), w), ty(s.y()), tBias({s.o}, bias), tAdd(s.y(), add);
  dnn::Handle handle;
  const Convolution convolution = convolutionOf(s);
  const auto activated = [](Fused::Mode mode, double v) {
    switch (mode) {
      case Fused::Mode::RELU:
        return std::max(v, 0.0);
      case Fused::Mode::SILU:
        return v / (1 + std::exp(-v));
      case Fused::Mode::SIGMOID:
        return 1 / (1 + std::exp(-v));
      case Fused::Mode::TANH:
        return std::tanh(v);
      case Fused::Mode::LEAKY_RELU:
        return v > 0 ? v : 0.25 * v;
      case Fused::Mode::GELU:
        return v / 2 * (1 + std::erf(v / std::sqrt(2.0)));
      default:
        return v;
    }
  };
  const int64_t places = countOf(s.out());
  for (const auto mode : {Fused::Mode::IDENTITY, Fused::Mode::RELU, Fused::Mode::SILU, Fused::Mode::SIGMOID,
                          Fused::Mode::TANH, Fused::Mode::LEAKY_RELU, Fused::Mode::GELU})
    for (int with = 0; with < 4; ++with) {
      Fused activation;
      ASSERT_DNN(activation.SetMode(mode));
      ASSERT_DNN(activation.SetAlpha(0.25));
      std::vector<double> right(sums);
      for (size_t i = 0; i < right.size(); ++i) {
        if (with & 1) right[i] += bias[i / static_cast<size_t>(places) % static_cast<size_t>(s.o)];
        if (with & 2) right[i] += add[i];
        right[i] = activated(mode, right[i]);
      }
      ASSERT_DNN(convolution.RunFusion(handle, ty.tensor, tx.tensor, tw.tensor,
                                       with & 1 ? tBias.tensor : Tensor(), with & 2 ? tAdd.tensor : Tensor(),
                                       activation, Convolution::Algorithm::IMPLICIT_GEMM));
      expectNear(right, ty.fetch(), tolerance<float>(), std::to_string(static_cast<int>(mode)));
    }
}

// Quantised tensors: y = round(sum * scaleX * scaleW / scaleY), saturated; 8-bit integers with exact sums.
TEST(ConvolutionQuantisedTest, ScalesAndExactSums) {
  const Shape s{1,      80,     3,      {6, 6}, {5, 5},
                {2, 2}, {1, 1}, {1, 1}, 1};  // 2000 products: more than floats add exactly
  const auto x = randoms<int8_t>(s.x(), 1, -128, 127), w = randoms<int8_t>(s.w(), 2, 100, 127);
  std::vector<double> sums(static_cast<size_t>(countOf(s.y())));
  forProducts(s, [&](auto i, auto k, auto o) {
    sums[static_cast<size_t>(o)] += x[static_cast<size_t>(i)] * w[static_cast<size_t>(k)];
  });
  Device<int8_t> tx(s.x(), x), tw(s.w(), w), ty(s.y());
  Device<int32_t> exact(s.y());
  dnn::Handle handle;
  const Convolution convolution = convolutionOf(s);
  ASSERT_DNN(
      convolution.Run(handle, exact.tensor, tx.tensor, tw.tensor, Convolution::Algorithm::IMPLICIT_GEMM));
  EXPECT_EQ(sums, exact.fetch());

  for (Tensor* tensor : {&tx.tensor, &tw.tensor, &ty.tensor}) ASSERT_DNN(tensor->SetType(Type::QINT8));
  ASSERT_DNN(tx.tensor.SetQuantizationInfo(0.5F));
  ASSERT_DNN(tw.tensor.SetQuantizationInfo(0.25F));
  ASSERT_DNN(ty.tensor.SetQuantizationInfo(64));
  ASSERT_DNN(convolution.Run(handle, ty.tensor, tx.tensor, tw.tensor, Convolution::Algorithm::IMPLICIT_GEMM));
  std::vector<double> right(sums);
  for (double& value : right) value = std::clamp(std::nearbyint(value * 0.125 / 64), -128.0, 127.0);
  EXPECT_EQ(right, ty.fetch());
}

TEST(ConvolutionErrorsTest, WrongArgumentsHaveStatuses) {
  const Shape& s = kShapes[0];
  Device<float> x(s.x()), w(s.w()), y(s.y());
  dnn::Handle handle;
  const auto run = [&](const Convolution& convolution) {
    return convolution.Run(handle, y.tensor, x.tensor, w.tensor, Convolution::Algorithm::IMPLICIT_GEMM);
  };
  EXPECT_EQ(Status::INVALID_PARAMETER, run(Convolution()));
  Convolution convolution = convolutionOf(s);
  EXPECT_EQ(Status::INVALID_PARAMETER, convolution.SetGroups(0));
  EXPECT_EQ(Status::INVALID_PARAMETER, convolution.SetNdInfo({1, 1}, {0, 1}, {1, 1}));
  EXPECT_EQ(Status::INVALID_PARAMETER, convolution.SetNdInfo({1, 1}, {1}, {1, 1}));
  ASSERT_DNN(convolution.SetGroups(3));
  EXPECT_EQ(Status::INVALID_PARAMETER, run(convolution));
  ASSERT_DNN(convolution.SetGroups(1));
  ASSERT_DNN(convolution.SetNdInfo({1, 1}, {2, 1}, {1, 1}));
  EXPECT_EQ(Status::INVALID_PARAMETER, run(convolution));
  ASSERT_DNN(convolution.SetNdInfo({1, 1}, {1, 1}, {1, 1}));
  ASSERT_DNN(run(convolution));
  ASSERT_DNN(y.tensor.SetAddr(nullptr));
  EXPECT_EQ(Status::INVALID_PARAMETER, run(convolution));
}

// The work is its stream's: it is recorded while the stream captures, and each launch runs it anew.
TEST(ConvolutionStreamTest, CapturedAndLaunchedTwice) {
  const Shape& s = kShapes[5];
  const auto x = randoms<float>(s.x(), 1), w = randoms<float>(s.w(), 2), other = randoms<float>(s.x(), 3);
  Device<float> tx(s.x(), x), tw(s.w(), w), ty(s.y());
  musaStream_t stream = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamCreate(&stream));
  dnn::Handle handle;
  ASSERT_DNN(handle.SetStream(stream));
  musaGraph_t graph = nullptr;
  musaGraphExec_t executable = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
  ASSERT_DNN(
      convolutionOf(s).Run(handle, ty.tensor, tx.tensor, tw.tensor, Convolution::Algorithm::IMPLICIT_GEMM));
  ASSERT_EQ(musaSuccess, musaStreamEndCapture(stream, &graph));
  ASSERT_EQ(musaSuccess, musaGraphInstantiate(&executable, graph, 0));
  for (const auto& input : {x, other}) {
    const std::vector<float> floats(input.begin(), input.end());
    ASSERT_EQ(musaSuccess,
              musaMemcpy(tx.memory(), floats.data(), floats.size() * sizeof(float), musaMemcpyHostToDevice));
    ASSERT_EQ(musaSuccess, musaGraphLaunch(executable, stream));
    std::vector<double> right(static_cast<size_t>(countOf(s.y())));
    forProducts(s, [&](auto i, auto k, auto o) {
      right[static_cast<size_t>(o)] += input[static_cast<size_t>(i)] * w[static_cast<size_t>(k)];
    });
    expectNear(right, ty.fetch(), tolerance<float>());
  }
  ASSERT_EQ(musaSuccess, musaGraphExecDestroy(executable));
  ASSERT_EQ(musaSuccess, musaGraphDestroy(graph));
  ASSERT_EQ(musaSuccess, musaStreamDestroy(stream));
}

}  // namespace
}  // namespace musashim::test
