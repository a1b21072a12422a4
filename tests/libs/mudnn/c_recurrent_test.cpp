// Recurrent networks by the calls of before cuDNN 8, beside the later ones on the same sequences.
#include <algorithm>

#include "mudnn/c_support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

// Sequences of 3, 2 and 1 steps, packed.
constexpr int kSteps = 3, kBatch = 3, kPlaces = 6, kInputs = 4, kHidden = 5, kLayers = 2;

struct Network {
  mudnnRNNMode_t cell;
  mudnnDirectionMode_t direction;
};

class OlderNetworksTest : public CInterfaceTest, public testing::WithParamInterface<Network> {
 protected:
  void SetUp() override {
    CInterfaceTest::SetUp();
    ASSERT_C(mudnnCreateRNNDescriptor(&older));
    ASSERT_C(mudnnCreateRNNDescriptor(&later));
    directions = GetParam().direction == MUDNN_BIDIRECTIONAL ? 2 : 1;
    ASSERT_C(mudnnSetRNNDescriptor_v6(handle, older, kHidden, kLayers, nullptr, MUDNN_LINEAR_INPUT,
                                      GetParam().direction, GetParam().cell, MUDNN_RNN_ALGO_STANDARD,
                                      MUDNN_DATA_FLOAT));
    ASSERT_C(mudnnSetRNNDescriptor_v8(later, MUDNN_RNN_ALGO_STANDARD, GetParam().cell, MUDNN_RNN_DOUBLE_BIAS,
                                      GetParam().direction, MUDNN_LINEAR_INPUT, MUDNN_DATA_FLOAT,
                                      MUDNN_DATA_FLOAT, MUDNN_DEFAULT_MATH, kInputs, kHidden, kHidden,
                                      kLayers, nullptr, MUDNN_RNN_PADDED_IO_DISABLED));
    const int lengths[] = {3, 2, 1};
    for (const auto& [descriptor, size] : {std::pair{&x, kInputs}, {&y, directions * kHidden}}) {
      ASSERT_C(mudnnCreateRNNDataDescriptor(descriptor));
      ASSERT_C(mudnnSetRNNDataDescriptor(*descriptor, MUDNN_DATA_FLOAT,
                                         MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, kSteps, kBatch, size,
                                         lengths, nullptr));
    }
  }
  void TearDown() override {
    ASSERT_C(mudnnDestroyRNNDataDescriptor(x));
    ASSERT_C(mudnnDestroyRNNDataDescriptor(y));
    ASSERT_C(mudnnDestroyRNNDescriptor(older));
    ASSERT_C(mudnnDestroyRNNDescriptor(later));
    CInterfaceTest::TearDown();
  }

  mudnnRNNDescriptor_t older = nullptr, later = nullptr;
  mudnnRNNDataDescriptor_t x = nullptr, y = nullptr;
  int directions = 1;
};

TEST_P(OlderNetworksTest, RunAsTheLaterOnes) {
  const int64_t states = kLayers * directions, wide = directions * kHidden;
  const TensorDescriptor x3(MUDNN_DATA_FLOAT, {3, kInputs, 1}), x2(MUDNN_DATA_FLOAT, {2, kInputs, 1}),
      x1(MUDNN_DATA_FLOAT, {1, kInputs, 1}), y3(MUDNN_DATA_FLOAT, {3, wide, 1}),
      y2(MUDNN_DATA_FLOAT, {2, wide, 1}), y1(MUDNN_DATA_FLOAT, {1, wide, 1}),
      state(MUDNN_DATA_FLOAT, {states, kBatch, kHidden});
  const mudnnTensorDescriptor_t xs[] = {x3, x2, x1}, ys[] = {y3, y2, y1};
  size_t weightBytes = 0, laterBytes = 0, reserveBytes = 0, laterReserve = 0, workBytes = 1, laterWork = 0;
  ASSERT_C(mudnnGetRNNParamsSize(handle, older, x3, &weightBytes, MUDNN_DATA_FLOAT));
  ASSERT_C(mudnnGetRNNWeightSpaceSize(handle, later, &laterBytes));
  ASSERT_EQ(laterBytes, weightBytes);
  ASSERT_C(mudnnGetRNNWorkspaceSize(handle, older, kSteps, xs, &workBytes));
  ASSERT_C(mudnnGetRNNTrainingReserveSize(handle, older, kSteps, xs, &reserveBytes));
  ASSERT_C(mudnnGetRNNTempSpaceSizes(handle, later, MUDNN_FWD_MODE_TRAINING, x, &laterWork, &laterReserve));
  EXPECT_EQ(laterWork, workBytes);
  EXPECT_EQ(laterReserve, reserveBytes);

  const auto count = static_cast<int64_t>(weightBytes / sizeof(float));
  const FilterDescriptor w(MUDNN_DATA_FLOAT, {count, 1, 1});
  const Sizes sizesX{kPlaces, kInputs}, sizesY{kPlaces, wide}, sizesH{states, kBatch, kHidden}, sizesW{count},
      sizesR{static_cast<int64_t>(reserveBytes / sizeof(float)) + 1};
  const Device<float> dataX(sizesX, randoms<float>(sizesX, 1)), weights(sizesW, randoms<float>(sizesW, 2)),
      hx(sizesH, randoms<float>(sizesH, 3)), cx(sizesH, randoms<float>(sizesH, 4)),
      dy(sizesY, randoms<float>(sizesY, 5)), dhy(sizesH, randoms<float>(sizesH, 6)),
      dcy(sizesH, randoms<float>(sizesH, 7));
  struct Results {
    explicit Results(const Sizes& ofX, const Sizes& ofY, const Sizes& ofH, const Sizes& ofW, const Sizes& ofR)
        : y(ofY, zeros(ofY)),
          hy(ofH, zeros(ofH)),
          cy(ofH, zeros(ofH)),
          dx(ofX, zeros(ofX)),
          dhx(ofH, zeros(ofH)),
          dcx(ofH, zeros(ofH)),
          dw(ofW, randoms<float>(ofW, 8)),
          reserve(ofR, zeros(ofR)) {}
    static Numbers zeros(const Sizes& sizes) { return Numbers(static_cast<size_t>(countOf(sizes))); }
    void expectSame(Results& other, const char* what) {
      for (const auto part : {&Results::y, &Results::hy, &Results::cy, &Results::dx, &Results::dhx,
                              &Results::dcx, &Results::dw}) {
        const Numbers right = (this->*part).fetch();
        EXPECT_EQ(right, (other.*part).fetch()) << what;
        EXPECT_TRUE(std::any_of(right.begin(), right.end(), [](double v) { return v != 0; }) ||
                    part == &Results::cy || part == &Results::dcx)
            << what;
      }
    }
    Device<float> y, hy, cy, dx, dhx, dcx, dw, reserve;
  };
  const auto results = [&] { return Results(sizesX, sizesY, sizesH, sizesW, sizesR); };
  Results right = results(), got = results(), gotEx = results();
  ASSERT_C(mudnnRNNForward(handle, later, MUDNN_FWD_MODE_TRAINING, nullptr, x, dataX.memory(), y,
                           right.y.memory(), state, hx.memory(), right.hy.memory(), state, cx.memory(),
                           right.cy.memory(), weightBytes, weights.memory(), 0, nullptr, reserveBytes,
                           right.reserve.memory()));
  ASSERT_C(mudnnRNNBackwardData_v8(handle, later, nullptr, y, right.y.memory(), dy.memory(), x,
                                   right.dx.memory(), state, hx.memory(), dhy.memory(), right.dhx.memory(),
                                   state, cx.memory(), dcy.memory(), right.dcx.memory(), weightBytes,
                                   weights.memory(), 0, nullptr, reserveBytes, right.reserve.memory()));
  ASSERT_C(mudnnRNNBackwardWeights_v8(handle, later, MUDNN_WGRAD_MODE_ADD, nullptr, x, dataX.memory(), state,
                                      hx.memory(), y, right.y.memory(), weightBytes, right.dw.memory(), 0,
                                      nullptr, reserveBytes, right.reserve.memory()));

  ASSERT_C(mudnnRNNForwardTraining(handle, older, kSteps, xs, dataX.memory(), state, hx.memory(), state,
                                   cx.memory(), w, weights.memory(), ys, got.y.memory(), state,
                                   got.hy.memory(), state, got.cy.memory(), nullptr, 0, got.reserve.memory(),
                                   reserveBytes));
  ASSERT_C(mudnnRNNBackwardData(handle, older, kSteps, ys, got.y.memory(), ys, dy.memory(), state,
                                dhy.memory(), state, dcy.memory(), w, weights.memory(), state, hx.memory(),
                                state, cx.memory(), xs, got.dx.memory(), state, got.dhx.memory(), state,
                                got.dcx.memory(), nullptr, 0, got.reserve.memory(), reserveBytes));
  ASSERT_C(mudnnRNNBackwardWeights(handle, older, kSteps, xs, dataX.memory(), state, hx.memory(), ys,
                                   got.y.memory(), nullptr, 0, w, got.dw.memory(), got.reserve.memory(),
                                   reserveBytes));
  right.expectSame(got, "by steps");

  ASSERT_C(mudnnRNNForwardTrainingEx(
      handle, older, x, dataX.memory(), state, hx.memory(), state, cx.memory(), w, weights.memory(), y,
      gotEx.y.memory(), state, gotEx.hy.memory(), state, gotEx.cy.memory(), nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, gotEx.reserve.memory(), reserveBytes));
  ASSERT_C(mudnnRNNBackwardDataEx(handle, older, y, gotEx.y.memory(), y, dy.memory(), nullptr, nullptr, state,
                                  dhy.memory(), state, dcy.memory(), w, weights.memory(), state, hx.memory(),
                                  state, cx.memory(), x, gotEx.dx.memory(), state, gotEx.dhx.memory(), state,
                                  gotEx.dcx.memory(), nullptr, nullptr, nullptr, 0, gotEx.reserve.memory(),
                                  reserveBytes));
  ASSERT_C(mudnnRNNBackwardWeightsEx(handle, older, x, dataX.memory(), state, hx.memory(), y,
                                     gotEx.y.memory(), nullptr, 0, w, gotEx.dw.memory(),
                                     gotEx.reserve.memory(), reserveBytes));
  right.expectSame(gotEx, "by data");

  Results inferred = results();
  ASSERT_C(mudnnRNNForwardInference(handle, older, kSteps, xs, dataX.memory(), state, hx.memory(), state,
                                    cx.memory(), w, weights.memory(), ys, inferred.y.memory(), state,
                                    inferred.hy.memory(), state, inferred.cy.memory(), nullptr, 0));
  EXPECT_EQ(right.y.fetch(), inferred.y.fetch());
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED,
            mudnnRNNForwardInferenceEx(handle, older, x, dataX.memory(), state, hx.memory(), state,
                                       cx.memory(), w, weights.memory(), y, inferred.y.memory(), state,
                                       inferred.hy.memory(), state, inferred.cy.memory(), x, nullptr, nullptr,
                                       nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0))
      << "there is no attention";
  // Steps with more batches than the one before, and a reserve that is too small.
  const mudnnTensorDescriptor_t grows[] = {x1, x2, x3};
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnGetRNNWorkspaceSize(handle, older, kSteps, grows, &workBytes));
  EXPECT_EQ(
      MUDNN_STATUS_BAD_PARAM,
      mudnnRNNForwardTraining(handle, older, kSteps, xs, dataX.memory(), state, hx.memory(), state,
                              cx.memory(), w, weights.memory(), ys, got.y.memory(), state, got.hy.memory(),
                              state, got.cy.memory(), nullptr, 0, got.reserve.memory(), reserveBytes - 1));
}

TEST_P(OlderNetworksTest, PartsOfTheWeights) {
  size_t bytes = 0;
  const TensorDescriptor x3(MUDNN_DATA_FLOAT, {3, kInputs, 1});
  ASSERT_C(mudnnGetRNNParamsSize(handle, older, x3, &bytes, MUDNN_DATA_FLOAT));
  const auto count = static_cast<int64_t>(bytes / sizeof(float));
  const FilterDescriptor w(MUDNN_DATA_FLOAT, {count, 1, 1}), part(MUDNN_DATA_FLOAT, {1, 1, 1});
  const TensorDescriptor matrix(MUDNN_DATA_FLOAT, {1, 1, 1}), biases(MUDNN_DATA_FLOAT, {1, 1, 1});
  const Device<float> weights({count}, Numbers(static_cast<size_t>(count)));
  const int gates = GetParam().cell == MUDNN_LSTM ? 8 : GetParam().cell == MUDNN_GRU ? 6 : 2;
  int64_t all = 0;
  for (int layer = 0; layer < kLayers * directions; ++layer)
    for (int id = 0; id < gates; ++id) {
      void *at = nullptr, *matrixAt = nullptr, *biasesAt = nullptr;
      ASSERT_C(mudnnGetRNNWeightParams(handle, later, layer, bytes, weights.memory(), id, matrix, &matrixAt,
                                       biases, &biasesAt));
      for (const bool isBias : {false, true}) {
        if (isBias)
          ASSERT_C(
              mudnnGetRNNLinLayerBiasParams(handle, older, layer, x3, w, weights.memory(), id, part, &at));
        else
          ASSERT_C(
              mudnnGetRNNLinLayerMatrixParams(handle, older, layer, x3, w, weights.memory(), id, part, &at));
        EXPECT_EQ(isBias ? biasesAt : matrixAt, at);
        int sizes[3] = {}, dimensions = 0;
        mudnnDataType_t type{};
        mudnnTensorFormat_t format{};
        ASSERT_C(mudnnGetFilterNdDescriptor(part, 3, &type, &format, &dimensions, sizes));
        EXPECT_EQ(3, dimensions);
        const int inputs = layer < directions ? kInputs : kHidden * directions;
        EXPECT_EQ(isBias ? kHidden : kHidden * (id < gates / 2 ? inputs : kHidden),
                  sizes[0] * sizes[1] * sizes[2]);
        all += sizes[0] * sizes[1] * sizes[2];
      }
    }
  EXPECT_EQ(count, all);
}

TEST_P(OlderNetworksTest, Settings) {
  int hidden = 0, layers = 0, projection = 0, outputs = 1;
  mudnnRNNMode_t cell{};
  mudnnDirectionMode_t direction{};
  mudnnDataType_t precision{};
  ASSERT_C(mudnnGetRNNDescriptor_v6(handle, older, &hidden, &layers, nullptr, nullptr, &direction, &cell,
                                    nullptr, &precision));
  EXPECT_EQ(kHidden, hidden);
  EXPECT_EQ(kLayers, layers);
  EXPECT_EQ(GetParam().cell, cell);
  EXPECT_EQ(GetParam().direction, direction);
  EXPECT_EQ(MUDNN_DATA_FLOAT, precision);
  ASSERT_C(mudnnSetRNNMatrixMathType(older, MUDNN_TENSOR_OP_MATH));
  mudnnMathType_t math{};
  ASSERT_C(mudnnGetRNNMatrixMathType(older, &math));
  EXPECT_EQ(MUDNN_TENSOR_OP_MATH, math);
  ASSERT_C(mudnnSetRNNBiasMode(older, MUDNN_RNN_NO_BIAS));
  mudnnRNNBiasMode_t bias{};
  ASSERT_C(mudnnGetRNNBiasMode(older, &bias));
  EXPECT_EQ(MUDNN_RNN_NO_BIAS, bias);
  ASSERT_C(mudnnSetRNNPaddingMode(older, MUDNN_RNN_PADDED_IO_ENABLED));
  unsigned padding = 0;
  ASSERT_C(mudnnGetRNNPaddingMode(older, &padding));
  EXPECT_EQ(unsigned{MUDNN_RNN_PADDED_IO_ENABLED}, padding);
  ASSERT_C(mudnnRNNSetClip(handle, older, MUDNN_RNN_CLIP_MINMAX, MUDNN_PROPAGATE_NAN, -1, 2));
  mudnnRNNClipMode_t clip{};
  double least = 0, most = 0;
  ASSERT_C(mudnnRNNGetClip(handle, older, &clip, nullptr, &least, &most));
  EXPECT_EQ(MUDNN_RNN_CLIP_MINMAX, clip);
  EXPECT_EQ(-1, least);
  EXPECT_EQ(2, most);
  EXPECT_EQ(GetParam().cell == MUDNN_LSTM ? MUDNN_STATUS_SUCCESS : MUDNN_STATUS_NOT_SUPPORTED,
            mudnnSetRNNProjectionLayers(handle, older, kHidden - 1, 0));
  ASSERT_C(mudnnGetRNNProjectionLayers(handle, older, &projection, &outputs));
  EXPECT_EQ(GetParam().cell == MUDNN_LSTM ? kHidden - 1 : kHidden, projection);
  EXPECT_EQ(0, outputs);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetRNNProjectionLayers(handle, older, kHidden + 1, 0));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnSetRNNBiasMode(older, static_cast<mudnnRNNBiasMode_t>(9)));
  EXPECT_EQ(
      MUDNN_STATUS_BAD_PARAM,
      mudnnSetRNNDescriptor(handle, older, 0, kLayers, nullptr, MUDNN_LINEAR_INPUT, MUDNN_UNIDIRECTIONAL,
                            MUDNN_LSTM, MUDNN_RNN_ALGO_STANDARD, MUDNN_DATA_FLOAT));
}

INSTANTIATE_TEST_SUITE_P(Cells, OlderNetworksTest,
                         testing::Values(Network{MUDNN_RNN_TANH, MUDNN_UNIDIRECTIONAL},
                                         Network{MUDNN_GRU, MUDNN_BIDIRECTIONAL},
                                         Network{MUDNN_LSTM, MUDNN_UNIDIRECTIONAL},
                                         Network{MUDNN_LSTM, MUDNN_BIDIRECTIONAL}));

}  // namespace
}  // namespace musashim::test
