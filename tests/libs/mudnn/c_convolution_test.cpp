// Convolutions by the C interface.
#include "mudnn/c_support.h"

extern "C" int pointwiseConvolutionInC(const float* x, const float* w, float* y);

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

// Two groups of 2 x 3 channels, 7 x 6 places, a window of 3 x 2.
constexpr int64_t kN = 2, kC = 4, kK = 6, kH = 7, kW = 6, kR = 3, kS = 2;
constexpr int kPadH = 1, kPadW = 0, kStrideH = 2, kStrideW = 1, kDilationH = 1, kDilationW = 2, kGroups = 2;
constexpr int64_t kP = (kH + 2 * kPadH - kR) / kStrideH + 1, kQ = kW - (kS - 1) * kDilationW;

template <class Meet>
void forProducts(bool flips, Meet&& meet) {
  for (int64_t n = 0; n < kN; ++n)
    for (int64_t k = 0; k < kK; ++k)
      for (int64_t c = 0; c < kC / kGroups; ++c)
        for (int64_t p = 0; p < kP; ++p)
          for (int64_t q = 0; q < kQ; ++q)
            for (int64_t r = 0; r < kR; ++r)
              for (int64_t s = 0; s < kS; ++s) {
                const int64_t h = p * kStrideH - kPadH + r * kDilationH,
                              w = q * kStrideW - kPadW + s * kDilationW;
                if (h < 0 || h >= kH || w < 0 || w >= kW) continue;
                const int64_t channel = k / (kK / kGroups) * (kC / kGroups) + c;
                const int64_t a = flips ? kR - 1 - r : r, b = flips ? kS - 1 - s : s;
                meet(static_cast<size_t>(((n * kC + channel) * kH + h) * kW + w),
                     static_cast<size_t>(((k * (kC / kGroups) + c) * kR + a) * kS + b),
                     static_cast<size_t>(((n * kK + k) * kP + p) * kQ + q));
              }
}

class CConvolutionTest : public CInterfaceTest {
 protected:
  void SetUp() override {
    CInterfaceTest::SetUp();
    ASSERT_C(mudnnCreateConvolutionDescriptor(&convolution));
    set(MUDNN_CROSS_CORRELATION);
    ASSERT_C(mudnnSetConvolutionGroupCount(convolution, kGroups));
  }
  void TearDown() override {
    ASSERT_C(mudnnDestroyConvolutionDescriptor(convolution));
    CInterfaceTest::TearDown();
  }
  void set(mudnnConvolutionMode_t mode, mudnnDataType_t computes = MUDNN_DATA_FLOAT) {
    ASSERT_C(mudnnSetConvolution2dDescriptor(convolution, kPadH, kPadW, kStrideH, kStrideW, kDilationH,
                                             kDilationW, mode, computes));
  }

  template <class T>
  void everyDirection() {
    const Sizes sizesX{kN, kC, kH, kW}, sizesW{kK, kC / kGroups, kR, kS}, sizesY{kN, kK, kP, kQ};
    const TensorDescriptor dx(dataTypeOf<T>(), sizesX), dy(dataTypeOf<T>(), sizesY);
    const FilterDescriptor dw(dataTypeOf<T>(), sizesW);
    const auto x = randoms<T>(sizesX, 1), w = randoms<T>(sizesW, 2), y = randoms<T>(sizesY, 3);
    for (const bool flips : {false, true})
      for (const double beta : {0.0, 0.5}) {
        set(flips ? MUDNN_CONVOLUTION : MUDNN_CROSS_CORRELATION,
            std::is_same_v<T, double> ? MUDNN_DATA_DOUBLE : MUDNN_DATA_FLOAT);
        const double alpha = beta == 0 ? 1 : 2;
        const auto first = static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(alpha);
        const auto second = static_cast<decltype(first)>(beta);
        Numbers rightY(y), rightX(x), rightW(w);
        for (Numbers* right : {&rightY, &rightX, &rightW})
          for (double& value : *right) value *= beta;
        forProducts(flips, [&](size_t i, size_t k, size_t o) {
          rightY[o] += alpha * x[i] * w[k];
          rightX[i] += alpha * y[o] * w[k];
          rightW[k] += alpha * y[o] * x[i];
        });
        Device<T> inX(sizesX, x), inW(sizesW, w), inY(sizesY, y), outX(sizesX, x), outW(sizesW, w),
            outY(sizesY, y);
        size_t size = 1;
        ASSERT_C(mudnnGetConvolutionForwardWorkspaceSize(handle, dx, dw, convolution, dy,
                                                         MUDNN_CONVOLUTION_FWD_ALGO_GEMM, &size));
        EXPECT_EQ(0U, size);
        ASSERT_C(mudnnConvolutionForward(handle, &first, dx, inX.memory(), dw, inW.memory(), convolution,
                                         MUDNN_CONVOLUTION_FWD_ALGO_GEMM, nullptr, 0, &second, dy,
                                         outY.memory()));
        ASSERT_C(mudnnConvolutionBackwardData(handle, &first, dw, inW.memory(), dy, inY.memory(), convolution,
                                              MUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &second, dx,
                                              outX.memory()));
        ASSERT_C(mudnnConvolutionBackwardFilter(handle, &first, dx, inX.memory(), dy, inY.memory(),
                                                convolution, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, nullptr, 0,
                                                &second, dw, outW.memory()));
        expectNear(rightY, outY.fetch(), tolerance<T>(), "y");
        expectNear(rightX, outX.fetch(), tolerance<T>(), "x");
        expectNear(rightW, outW.fetch(), tolerance<T>(), "w");
      }
  }
  mudnnConvolutionDescriptor_t convolution = nullptr;
};

TEST_F(CConvolutionTest, OfFloats) { everyDirection<float>(); }
TEST_F(CConvolutionTest, OfDoubles) { everyDirection<double>(); }
TEST_F(CConvolutionTest, OfHalves) { everyDirection<__half>(); }
TEST_F(CConvolutionTest, OfBfloat16) { everyDirection<__mt_bfloat16>(); }

TEST_F(CConvolutionTest, OutputSizesAndAlgorithms) {
  const TensorDescriptor x(MUDNN_DATA_FLOAT, {kN, kC, kH, kW}), y(MUDNN_DATA_FLOAT, {kN, kK, kP, kQ});
  const FilterDescriptor w(MUDNN_DATA_FLOAT, {kK, kC / kGroups, kR, kS});
  int sizes[4] = {}, all[4] = {}, count = 0;
  ASSERT_C(mudnnGetConvolution2dForwardOutputDim(convolution, x, w, sizes, sizes + 1, sizes + 2, sizes + 3));
  ASSERT_C(mudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 4, all));
  const int right[] = {kN, kK, kP, kQ};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(right[i], sizes[i]);
    EXPECT_EQ(right[i], all[i]);
  }
  ASSERT_C(mudnnGetConvolutionForwardAlgorithmMaxCount(handle, &count));
  EXPECT_EQ(10, count);
  mudnnConvolutionFwdAlgoPerf_t forward;
  mudnnConvolutionBwdDataAlgoPerf_t data;
  mudnnConvolutionBwdFilterAlgoPerf_t filter;
  ASSERT_C(mudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, 1, &count, &forward));
  EXPECT_EQ(1, count);
  EXPECT_EQ(MUDNN_STATUS_SUCCESS, forward.status);
  ASSERT_C(mudnnGetConvolutionBackwardDataAlgorithm_v7(handle, w, y, convolution, x, 1, &count, &data));
  ASSERT_C(mudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, y, convolution, w, 1, &count, &filter));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, -1, &count, &forward));
  // Of before cuDNN 8.
  mudnnConvolutionFwdAlgo_t chosen{};
  mudnnConvolutionBwdDataAlgo_t chosenData{};
  mudnnConvolutionBwdFilterAlgo_t chosenFilter{};
  ASSERT_C(mudnnGetConvolutionForwardAlgorithm(handle, x, w, convolution, y,
                                               MUDNN_CONVOLUTION_FWD_PREFER_FASTEST, 0, &chosen));
  EXPECT_EQ(forward.algo, chosen);
  ASSERT_C(mudnnGetConvolutionBackwardDataAlgorithm(handle, w, y, convolution, x,
                                                    MUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE, 0, &chosenData));
  EXPECT_EQ(data.algo, chosenData);
  ASSERT_C(mudnnGetConvolutionBackwardFilterAlgorithm(handle, x, y, convolution, w,
                                                      MUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT,
                                                      size_t{1} << 20, &chosenFilter));
  EXPECT_EQ(filter.algo, chosenFilter);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnGetConvolutionForwardAlgorithm(handle, x, w, convolution, y,
                                                static_cast<mudnnConvolutionFwdPreference_t>(3), 0, &chosen));
}

TEST_F(CConvolutionTest, BiasActivationAndBiasGradient) {
  const Sizes sizesX{kN, kC, kH, kW}, sizesW{kK, kC / kGroups, kR, kS}, sizesY{kN, kK, kP, kQ};
  const TensorDescriptor dx(MUDNN_DATA_FLOAT, sizesX), dy(MUDNN_DATA_FLOAT, sizesY),
      db(MUDNN_DATA_FLOAT, {1, kK, 1, 1});
  const FilterDescriptor dw(MUDNN_DATA_FLOAT, sizesW);
  const auto x = randoms<float>(sizesX, 1), w = randoms<float>(sizesW, 2), z = randoms<float>(sizesY, 3),
             b = randoms<float>({kK}, 4);
  Numbers right(z), gradient(b);
  for (double& value : right) value *= 0.5;
  forProducts(false, [&](size_t i, size_t k, size_t o) { right[o] += 2 * x[i] * w[k]; });
  for (size_t i = 0; i < right.size(); ++i) right[i] = std::max(right[i] + b[i / (kP * kQ) % kK], 0.0);
  Device<float> inX(sizesX, x), inW(sizesW, w), inZ(sizesY, z), inB({kK}, b), out(sizesY), outB({kK}, b);
  mudnnActivationDescriptor_t activation = nullptr;
  ASSERT_C(mudnnCreateActivationDescriptor(&activation));
  ASSERT_C(mudnnSetActivationDescriptor(activation, MUDNN_ACTIVATION_RELU, MUDNN_NOT_PROPAGATE_NAN, 0));
  const float two = 2, half = 0.5F, one = 1;
  const auto run = [&] {
    return mudnnConvolutionBiasActivationForward(
        handle, &two, dx, inX.memory(), dw, inW.memory(), convolution,
        MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &half, dy, inZ.memory(), db,
        inB.memory(), activation, dy, out.memory());
  };
  ASSERT_C(run());
  expectNear(right, out.fetch(), tolerance<float>());
  ASSERT_C(mudnnSetActivationDescriptor(activation, MUDNN_ACTIVATION_TANH, MUDNN_NOT_PROPAGATE_NAN, 0));
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, run());
  ASSERT_C(mudnnDestroyActivationDescriptor(activation));

  for (double& value : gradient) value *= 0.5;
  for (size_t i = 0; i < z.size(); ++i) gradient[i / (kP * kQ) % kK] += z[i];
  ASSERT_C(mudnnConvolutionBackwardBias(handle, &one, dy, inZ.memory(), &half, db, outB.memory()));
  expectNear(gradient, outB.fetch(), tolerance<float>());
}

TEST_F(CConvolutionTest, WrongArgumentsHaveStatuses) {
  const Sizes sizesX{kN, kC, kH, kW}, sizesW{kK, kC / kGroups, kR, kS}, sizesY{kN, kK, kP, kQ};
  const TensorDescriptor x(MUDNN_DATA_FLOAT, sizesX), y(MUDNN_DATA_FLOAT, sizesY),
      other(MUDNN_DATA_FLOAT, {kN, kK, kP, kQ + 1});
  const FilterDescriptor w(MUDNN_DATA_FLOAT, sizesW);
  Device<float> inX(sizesX), inW(sizesW), out(sizesY);
  const float one = 1, zero = 0;
  const auto run = [&](mudnnTensorDescriptor_t to, const void* from, mudnnConvolutionFwdAlgo_t algorithm) {
    return mudnnConvolutionForward(handle, &one, x, from, w, inW.memory(), convolution, algorithm, nullptr, 0,
                                   &zero, to, out.memory());
  };
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, run(other, inX.memory(), MUDNN_CONVOLUTION_FWD_ALGO_GEMM));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, run(y, nullptr, MUDNN_CONVOLUTION_FWD_ALGO_GEMM));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, run(nullptr, inX.memory(), MUDNN_CONVOLUTION_FWD_ALGO_GEMM));
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, run(y, inX.memory(), MUDNN_CONVOLUTION_FWD_ALGO_COUNT));
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, run(y, inX.memory(), MUDNN_CONVOLUTION_FWD_ALGO_DIRECT));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetConvolutionGroupCount(convolution, 0));
  ASSERT_C(mudnnSetConvolutionGroupCount(convolution, 3));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, run(y, inX.memory(), MUDNN_CONVOLUTION_FWD_ALGO_GEMM));
  const int pads[] = {0, -1}, ones[] = {1, 1, 1, 1};
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnSetConvolutionNdDescriptor(convolution, 2, pads, ones, ones, MUDNN_CROSS_CORRELATION,
                                            MUDNN_DATA_FLOAT));
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED,
            mudnnSetConvolutionNdDescriptor(convolution, 7, ones, ones, ones, MUDNN_CROSS_CORRELATION,
                                            MUDNN_DATA_FLOAT));
  ASSERT_C(mudnnSetConvolutionNdDescriptor(convolution, 3, ones, ones, ones, MUDNN_CONVOLUTION,
                                           MUDNN_DATA_DOUBLE));
  int count = 0, pad[3] = {}, stride[3] = {}, dilation[3] = {};
  mudnnConvolutionMode_t mode{};
  mudnnDataType_t type{};
  ASSERT_C(mudnnGetConvolutionNdDescriptor(convolution, 3, &count, pad, stride, dilation, &mode, &type));
  EXPECT_EQ(3, count);
  EXPECT_EQ(1, pad[2] * stride[1] * dilation[0]);
  EXPECT_EQ(MUDNN_CONVOLUTION, mode);
  EXPECT_EQ(MUDNN_DATA_DOUBLE, type);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnGetConvolution2dDescriptor(convolution, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                            nullptr, nullptr));
}

TEST(CLanguageTest, OneConvolution) {
  Device<float> x({1, 1, 2, 2}, {1, 2, 3, 4}), w({1}, {3}), y({1, 1, 2, 2});
  EXPECT_EQ(
      0, pointwiseConvolutionInC(static_cast<const float*>(x.memory()), static_cast<const float*>(w.memory()),
                                 static_cast<float*>(y.memory())));
  EXPECT_EQ((Numbers{3, 6, 9, 12}), y.fetch());
}

}  // namespace
}  // namespace musashim::test
