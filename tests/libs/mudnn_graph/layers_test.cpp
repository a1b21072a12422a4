// Convolutions, products, norms and resampling as graphs, against references and differences.
#include "mudnn_graph/support.h"

namespace musashim::test {
namespace {

class GraphLayers : public GraphTest {
 protected:
  void convolution(mudnnBackendDescriptorType_t kind, const Node& x, const Node& w, const Node& y,
                   const Sizes& before, const Sizes& after, const Sizes& strides, const Sizes& dilations) {
    Node& how = node(MUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    how.set(MUDNN_ATTR_CONVOLUTION_COMP_TYPE, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_FLOAT);
    how.set(MUDNN_ATTR_CONVOLUTION_CONV_MODE, MUDNN_TYPE_CONVOLUTION_MODE, MUDNN_CROSS_CORRELATION);
    how.set(MUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, MUDNN_TYPE_INT64, int64_t{2});
    how.set(MUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before).set(MUDNN_ATTR_CONVOLUTION_POST_PADDINGS, after);
    how.set(MUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, strides).set(MUDNN_ATTR_CONVOLUTION_DILATIONS, dilations);
    ASSERT_C(how.finish());
    Node& made = operation(kind);
    const int first = kind == MUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR
                          ? MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA
                      : kind == MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
                          ? MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA
                          : MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA;
    const auto name = [&](int i) { return static_cast<mudnnBackendAttributeName_t>(first + i); };
    made.set(name(0), MUDNN_TYPE_FLOAT, 1.0f).set(name(1), MUDNN_TYPE_FLOAT, 0.0f).set(name(2), how);
    made.set(name(3), w).set(name(4), x).set(name(5), y);  // the numbers of filter, image and result
    ASSERT_C(made.finish());
  }
};

constexpr int64_t kN = 2, kC = 4, kK = 6, kH = 7, kW = 5, kR = 3, kS = 2, kGroups = 2;
const Sizes kBefore{1, 0}, kAfter{2, 1}, kStrides{2, 1}, kDilations{1, 2};
constexpr int64_t kP = (kH + 3 - kR) / 2 + 1, kQ = kW + 1 - 2;

template <class Meet>
void forProducts(Meet&& meet) {
  for (int64_t n = 0; n < kN; ++n)
    for (int64_t k = 0; k < kK; ++k)
      for (int64_t c = 0; c < kC / kGroups; ++c)
        for (int64_t p = 0; p < kP; ++p)
          for (int64_t q = 0; q < kQ; ++q)
            for (int64_t r = 0; r < kR; ++r)
              for (int64_t s = 0; s < kS; ++s) {
                const int64_t h = p * 2 - 1 + r, w = q + s * 2;
                if (h < 0 || h >= kH || w < 0 || w >= kW) continue;
                const int64_t channel = k / (kK / kGroups) * (kC / kGroups) + c;
                meet(static_cast<size_t>(((n * kC + channel) * kH + h) * kW + w),
                     static_cast<size_t>(((k * (kC / kGroups) + c) * kR + r) * kS + s),
                     static_cast<size_t>(((n * kK + k) * kP + p) * kQ + q));
              }
}

// With other pads in front than behind, in groups; the exact engine as well.
TEST_F(GraphLayers, ConvolutionsAndTheirGradients) {
  const Sizes sizesX{kN, kC, kH, kW}, sizesW{kK, kC / kGroups, kR, kS}, sizesY{kN, kK, kP, kQ};
  for (const auto type : {MUDNN_DATA_FLOAT, MUDNN_DATA_DOUBLE})
    for (int kind = 0; kind < 3; ++kind)
      for (const int64_t engine : {0, 1}) {
        clear();
        Options options;
        options.type = type;
        TensorNode &x = tensor(sizesX, randoms(static_cast<size_t>(countOf(sizesX)), 1), options),
                   &w = tensor(sizesW, randoms(static_cast<size_t>(countOf(sizesW)), 2), options),
                   &y = tensor(sizesY, randoms(static_cast<size_t>(countOf(sizesY)), 3), options);
        const Numbers inX = x.fetch(), inW = w.fetch(), inY = y.fetch();
        Numbers rightX(inX.size()), rightW(inW.size()), rightY(inY.size());
        forProducts([&](size_t a, size_t b, size_t c) {
          rightY[c] += inX[a] * inW[b];
          rightX[a] += inY[c] * inW[b];
          rightW[b] += inY[c] * inX[a];
        });
        const mudnnBackendDescriptorType_t kinds[] = {
            MUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
            MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR};
        convolution(kinds[kind], x, w, y, kBefore, kAfter, kStrides, kDilations);
        run(engine);
        SCOPED_TRACE(kind);
        const double tolerance = type == MUDNN_DATA_FLOAT ? 1e-5 : 1e-13;
        expectNear(kind == 0   ? rightY
                   : kind == 1 ? rightX
                               : rightW,
                   (kind == 0   ? y
                    : kind == 1 ? x
                                : w)
                       .fetch(),
                   tolerance);
      }
}

// What follows a convolution is read from tensors that are nowhere in memory; channels lie together.
TEST_F(GraphLayers, ConvolutionWithBiasAndRelu) {
  const Sizes sizes{1, 8, 4, 4}, last{1, 8, 1, 1}, byChannel{128, 1, 32, 8};
  Options halves;
  halves.type = MUDNN_DATA_HALF;
  halves.strides = byChannel;
  Options filters;
  filters.type = MUDNN_DATA_HALF;
  filters.strides = {8, 1, 8, 8};
  Options bias;
  bias.type = MUDNN_DATA_HALF;
  TensorNode &x = tensor(sizes, randoms(128, 1), halves), &w = tensor({8, 8, 1, 1}, randoms(64, 2), filters),
             &b = tensor(last, randoms(8, 3), bias), &sum = between(sizes, MUDNN_DATA_FLOAT),
             &biased = between(sizes, MUDNN_DATA_FLOAT), &y = tensor(sizes, {}, halves);
  pointwise(MUDNN_POINTWISE_RELU_FWD, biased, nullptr, y);
  pointwise(MUDNN_POINTWISE_ADD, sum, &b, biased);
  convolution(MUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, x, w, sum, {0, 0}, {0, 0}, {1, 1},
              {1, 1});
  run();
  const Numbers in = x.fetch(), filter = w.fetch(), offset = b.fetch();
  Numbers right(128);
  for (size_t place = 0; place < 16; ++place)
    for (size_t k = 0; k < 8; ++k) {
      double value = offset[k];
      for (size_t c = 0; c < 8; ++c) value += in[place * 8 + c] * filter[k * 8 + c];
      right[place * 8 + k] = std::max(value, 0.0);
    }
  expectNear(right, y.fetch(), 1e-3);
}

// Also where the sums' descriptors tell another number of channels.
TEST_F(GraphLayers, SumsAreOfTheTensorsChannels) {
  for (const int64_t described : {3, 2}) {
    clear();
    TensorNode &x = tensor({2, 3, 4, 5}, randoms(120, 1)), &sums = tensor({1, described, 1, 1}),
               &squares = tensor({1, described, 1, 1});
    Node& made = operation(MUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_GENSTATS_MODE, MUDNN_TYPE_GENSTATS_MODE, MUDNN_GENSTATS_SUM_SQSUM);
    made.set(MUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_DOUBLE);
    made.set(MUDNN_ATTR_OPERATION_GENSTATS_XDESC, x).set(MUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sums);
    made.set(MUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squares);
    ASSERT_C(made.finish());
    run();
    const Numbers in = x.fetch(), first = sums.fetch(3), second = squares.fetch(3);
    for (size_t c = 0; c < 3; ++c) {
      double sum = 0, square = 0;
      for (size_t i = 0; i < 40; ++i) {
        const double value = in[i / 20 * 60 + c * 20 + i % 20];
        sum += value;
        square += value * value;
      }
      EXPECT_NEAR(sum, first[c], 1e-12);
      EXPECT_NEAR(square, second[c], 1e-12);
    }
  }
}

// Four heads of queries share two of keys; rows beyond a batch's length are padding.
TEST_F(GraphLayers, ProductsShareMatricesAndStopEarly) {
  Options turned, integers;
  turned.strides = {24, 12, 1, 3};  // keys as they are stored, read as columns
  integers.type = MUDNN_DATA_INT32;
  TensorNode &a = tensor({2, 4, 2, 3}, randoms(48, 1)), &b = tensor({2, 2, 3, 4}, randoms(48, 2), turned),
             &rows = tensor({2, 1, 1, 1}, {1, 2}, integers), &c = tensor({2, 4, 2, 4});
  ASSERT_C(product(a, b, c).set(MUDNN_ATTR_OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC, rows).finish());
  run();
  const Numbers left = a.fetch(), right = b.fetch(), out = c.fetch();
  for (size_t n = 0; n < 2; ++n)
    for (size_t h = 0; h < 4; ++h)
      for (size_t i = 0; i < 2; ++i)
        for (size_t j = 0; j < 4; ++j) {
          double value = 0;
          for (size_t k = 0; k < 3; ++k)
            value += left[((n * 4 + h) * 2 + i) * 3 + k] * right[n * 24 + h / 2 * 12 + j * 3 + k];
          if (i >= (n == 0 ? 1u : 2u)) value = 0;
          ASSERT_NEAR(value, out[((n * 4 + h) * 2 + i) * 4 + j], 1e-13);
        }
}

TEST_F(GraphLayers, ProductsInFloat) {
  Options floats;
  floats.type = MUDNN_DATA_FLOAT;
  TensorNode &a = tensor({3, 5, 7}, randoms(105, 1), floats), &b = tensor({1, 7, 4}, randoms(28, 2), floats),
             &c = tensor({3, 5, 4}, {}, floats);
  ASSERT_C(product(a, b, c).finish());
  run();
  const Numbers left = a.fetch(), right = b.fetch();
  Numbers sums(60);
  for (size_t i = 0; i < 15; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 7; ++k) sums[i * 4 + j] += left[i * 7 + k] * right[k * 4 + j];
  expectNear(sums, c.fetch(), 1e-6);
}

struct NormCase {
  mudnnBackendNormMode_t mode;
  Sizes sizes, weights, statistics;
};

class GraphNorms : public GraphTest, public testing::WithParamInterface<NormCase> {
 protected:
  Numbers forward(const Numbers& x, const Numbers& scale, const Numbers& bias, Numbers* mean,
                  Numbers* deviation) {
    clear();
    const NormCase& p = GetParam();
    Options small;
    small.type = MUDNN_DATA_FLOAT;
    small.isValue = true;
    TensorNode &in = tensor(p.sizes, x), &out = tensor(p.sizes), &s = tensor(p.weights, scale),
               &b = tensor(p.weights, bias), &m = tensor(p.statistics), &d = tensor(p.statistics),
               &e = tensor(Sizes(p.sizes.size(), 1), {0.125}, small);
    Node& made = operation(MUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_MODE, MUDNN_TYPE_NORM_MODE, p.mode);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_PHASE, MUDNN_TYPE_NORM_FWD_PHASE, MUDNN_NORM_FWD_TRAINING);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_XDESC, in).set(MUDNN_ATTR_OPERATION_NORM_FWD_YDESC, out);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, s).set(MUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, b);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, e)
        .set(MUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, d);
    made.set(MUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, m);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, made.finish());
    run();
    if (mean) *mean = m.fetch();
    if (deviation) *deviation = d.fetch();
    return out.fetch();
  }
};

// The gradients are what differences of the forward operation say.
TEST_P(GraphNorms, GradientsAreThoseOfTheForwardOperation) {
  const NormCase& p = GetParam();
  const auto count = static_cast<size_t>(countOf(p.sizes)), weights = static_cast<size_t>(countOf(p.weights));
  const Numbers x = randoms(count, 1), scale = randoms(weights, 2, 0.5, 2), bias = randoms(weights, 3),
                dy = randoms(count, 4);
  Numbers mean, deviation;
  (void)forward(x, scale, bias, &mean, &deviation);
  clear();
  TensorNode &in = tensor(p.sizes, x), &gradient = tensor(p.sizes, dy), &s = tensor(p.weights, scale),
             &m = tensor(p.statistics, mean), &d = tensor(p.statistics, deviation), &dx = tensor(p.sizes),
             &ds = tensor(p.weights), &db = tensor(p.weights);
  Node& made = operation(MUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR);
  made.set(MUDNN_ATTR_OPERATION_NORM_BWD_MODE, MUDNN_TYPE_NORM_MODE, p.mode);
  made.set(MUDNN_ATTR_OPERATION_NORM_BWD_XDESC, in).set(MUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, gradient);
  made.set(MUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, s).set(MUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, m);
  made.set(MUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, d).set(MUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, dx);
  made.set(MUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, ds).set(MUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, db);
  ASSERT_C(made.finish());
  run();
  const Numbers foundX = dx.fetch(), foundScale = ds.fetch(), foundBias = db.fetch();
  constexpr double kStep = 1e-5;
  struct Inputs {
    Numbers x, scale, bias;
  } inputs{x, scale, bias};
  const auto difference = [&](Numbers& which, size_t i) {
    const double before = which[i];
    which[i] = before + kStep;
    const Numbers high = forward(inputs.x, inputs.scale, inputs.bias, nullptr, nullptr);
    which[i] = before - kStep;
    const Numbers low = forward(inputs.x, inputs.scale, inputs.bias, nullptr, nullptr);
    which[i] = before;
    double sum = 0;
    for (size_t j = 0; j < count; ++j) sum += dy[j] * (high[j] - low[j]) / (2 * kStep);
    return sum;
  };
  for (size_t i = 0; i < count; i += 5) ASSERT_NEAR(difference(inputs.x, i), foundX[i], 1e-7) << "x " << i;
  for (size_t i = 0; i < weights; ++i) {
    ASSERT_NEAR(difference(inputs.scale, i), foundScale[i], 1e-7) << "scale " << i;
    ASSERT_NEAR(difference(inputs.bias, i), foundBias[i], 1e-7) << "bias " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, GraphNorms,
    testing::Values(NormCase{MUDNN_LAYER_NORM, {3, 8, 1, 1}, {1, 8, 1, 1}, {3, 1, 1, 1}},
                    NormCase{MUDNN_RMS_NORM, {2, 3, 8}, {1, 1, 8}, {2, 3, 1}},
                    NormCase{MUDNN_INSTANCE_NORM, {2, 3, 2, 3}, {1, 3, 1, 1}, {2, 3, 1, 1}},
                    NormCase{MUDNN_BATCH_NORM, {3, 2, 2, 2}, {1, 2, 1, 1}, {1, 2, 1, 1}}));

}  // namespace
}  // namespace musashim::test
