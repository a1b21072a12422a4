// Pointwise operations, reductions and what only moves elements.
#include <limits>

#include "mudnn_graph/support.h"

namespace musashim::test {
namespace {

class GraphElements : public GraphTest {
 protected:
  Numbers applied(mudnnPointwiseMode_t mode, const Numbers& x, const Numbers* b = nullptr) {
    clear();
    const Sizes sizes{static_cast<int64_t>(x.size())};
    TensorNode &in = tensor(sizes, x), &out = tensor(sizes);
    TensorNode* const second = b ? &tensor(sizes, *b) : nullptr;
    pointwise(mode, in, second, out);
    run();
    return out.fetch();
  }
};

TEST_F(GraphElements, FunctionsOfOne) {
  struct Case {
    mudnnPointwiseMode_t mode;
    double (*right)(double);
  };
  const Case cases[] = {
      {MUDNN_POINTWISE_SQRT, [](double x) { return std::sqrt(x); }},
      {MUDNN_POINTWISE_ABS, [](double x) { return std::fabs(x); }},
      {MUDNN_POINTWISE_CEIL, [](double x) { return std::ceil(x); }},
      {MUDNN_POINTWISE_COS, [](double x) { return std::cos(x); }},
      {MUDNN_POINTWISE_EXP, [](double x) { return std::exp(x); }},
      {MUDNN_POINTWISE_FLOOR, [](double x) { return std::floor(x); }},
      {MUDNN_POINTWISE_LOG, [](double x) { return std::log(x); }},
      {MUDNN_POINTWISE_NEG, [](double x) { return -x; }},
      {MUDNN_POINTWISE_RSQRT, [](double x) { return 1 / std::sqrt(x); }},
      {MUDNN_POINTWISE_SIN, [](double x) { return std::sin(x); }},
      {MUDNN_POINTWISE_TAN, [](double x) { return std::tan(x); }},
      {MUDNN_POINTWISE_ERF, [](double x) { return std::erf(x); }},
      {MUDNN_POINTWISE_IDENTITY, [](double x) { return x; }},
      {MUDNN_POINTWISE_RECIPROCAL, [](double x) { return 1 / x; }},
      {MUDNN_POINTWISE_LOGICAL_NOT, [](double x) { return x == 0 ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_RELU_FWD, [](double x) { return x > 0 ? x : 0; }},
      {MUDNN_POINTWISE_TANH_FWD, [](double x) { return std::tanh(x); }},
      {MUDNN_POINTWISE_SIGMOID_FWD, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {MUDNN_POINTWISE_ELU_FWD, [](double x) { return x > 0 ? x : std::expm1(x); }},
      {MUDNN_POINTWISE_GELU_FWD, [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {MUDNN_POINTWISE_SOFTPLUS_FWD, [](double x) { return std::log(1 + std::exp(x)); }},
      {MUDNN_POINTWISE_SWISH_FWD, [](double x) { return x / (1 + std::exp(-x)); }},
      {MUDNN_POINTWISE_GELU_APPROX_TANH_FWD, [](double x) {
         return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
       }}};
  for (const Case& one : cases) {
    const bool isPositive = one.mode == MUDNN_POINTWISE_SQRT || one.mode == MUDNN_POINTWISE_LOG ||
                            one.mode == MUDNN_POINTWISE_RSQRT;
    Numbers x = randoms(50, 3, isPositive ? 0.1 : -3, 3), right;
    x[7] = isPositive ? 1 : 0;
    if (one.mode == MUDNN_POINTWISE_RECIPROCAL) x[7] = 2;
    for (const double value : x) right.push_back(one.right(value));
    SCOPED_TRACE(one.mode);
    expectNear(right, applied(one.mode, x), 1e-14);
  }
}

TEST_F(GraphElements, FunctionsOfTwo) {
  struct Case {
    mudnnPointwiseMode_t mode;
    double (*right)(double, double);
  };
  const Case cases[] = {
      {MUDNN_POINTWISE_ADD, [](double x, double b) { return x + b; }},
      {MUDNN_POINTWISE_ADD_SQUARE, [](double x, double b) { return x + b * b; }},
      {MUDNN_POINTWISE_DIV, [](double x, double b) { return x / b; }},
      {MUDNN_POINTWISE_MAX, [](double x, double b) { return std::fmax(x, b); }},
      {MUDNN_POINTWISE_MIN, [](double x, double b) { return std::fmin(x, b); }},
      {MUDNN_POINTWISE_MOD, [](double x, double b) { return std::fmod(x, b); }},
      {MUDNN_POINTWISE_FLOOR_MOD, [](double x, double b) { return x - std::floor(x / b) * b; }},
      {MUDNN_POINTWISE_MUL, [](double x, double b) { return x * b; }},
      {MUDNN_POINTWISE_POW, [](double x, double b) { return std::pow(x, b); }},
      {MUDNN_POINTWISE_SUB, [](double x, double b) { return x - b; }},
      {MUDNN_POINTWISE_ATAN2, [](double x, double b) { return std::atan2(x, b); }},
      {MUDNN_POINTWISE_CMP_EQ, [](double x, double b) { return x == b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_CMP_NEQ, [](double x, double b) { return x != b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_CMP_GT, [](double x, double b) { return x > b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_CMP_GE, [](double x, double b) { return x >= b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_CMP_LT, [](double x, double b) { return x < b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_CMP_LE, [](double x, double b) { return x <= b ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_LOGICAL_AND, [](double x, double b) { return x != 0 && b != 0 ? 1.0 : 0.0; }},
      {MUDNN_POINTWISE_LOGICAL_OR, [](double x, double b) { return x != 0 || b != 0 ? 1.0 : 0.0; }}};
  for (const Case& one : cases) {
    Numbers x = randoms(40, 5, one.mode == MUDNN_POINTWISE_POW ? 0.1 : -2, 2), b = randoms(40, 6, -2, 2),
            right;
    if (one.mode == MUDNN_POINTWISE_POW) b[3] = std::fabs(b[3]) + 0.1;
    x[3] = b[3];
    if (one.mode == MUDNN_POINTWISE_LOGICAL_AND || one.mode == MUDNN_POINTWISE_LOGICAL_OR)
      x[4] = b[5] = x[6] = b[6] = 0;
    for (size_t i = 0; i < x.size(); ++i) right.push_back(one.right(x[i], b[i]));
    SCOPED_TRACE(one.mode);
    expectNear(right, applied(one.mode, x, &b), 1e-14);
  }
}

// The gradient is what differences of the function say.
TEST_F(GraphElements, GradientsAreThoseOfTheFunctions) {
  for (int i = 0; i < 8; ++i) {
    const auto forward = static_cast<mudnnPointwiseMode_t>(MUDNN_POINTWISE_RELU_FWD + i);
    const auto backward = static_cast<mudnnPointwiseMode_t>(MUDNN_POINTWISE_RELU_BWD + i);
    const Numbers x = randoms(40, 9, -3, 3), dy = randoms(40, 10);
    constexpr double kStep = 1e-5;
    Numbers more = x, less = x, right;
    for (double& value : more) value += kStep;
    for (double& value : less) value -= kStep;
    const Numbers high = applied(forward, more), low = applied(forward, less);
    for (size_t j = 0; j < x.size(); ++j) right.push_back(dy[j] * (high[j] - low[j]) / (2 * kStep));
    SCOPED_TRACE(i);
    expectNear(right, applied(backward, x, &dy), 1e-8);
  }
}

TEST_F(GraphElements, ReluHasClipsAndASlope) {
  TensorNode &x = tensor({5}, {-3, 0.5, 1, 2, 9}), &y = tensor({5});
  Node how(MUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(MUDNN_ATTR_POINTWISE_MODE, MUDNN_TYPE_POINTWISE_MODE, MUDNN_POINTWISE_RELU_FWD);
  how.set(MUDNN_ATTR_POINTWISE_MATH_PREC, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_FLOAT);
  how.set(MUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, MUDNN_TYPE_DOUBLE, 1.0);
  how.set(MUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, MUDNN_TYPE_DOUBLE, 6.0);
  how.set(MUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, MUDNN_TYPE_FLOAT, 0.5f);
  ASSERT_C(how.finish());
  Node& made = operation(MUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  made.set(MUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how).set(MUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  made.set(MUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, MUDNN_TYPE_FLOAT, 2.0f);
  ASSERT_C(made.set(MUDNN_ATTR_OPERATION_POINTWISE_YDESC, y).finish());
  run();
  EXPECT_EQ((Numbers{-2.5, 1, 2, 4, 6}), y.fetch());
}

// A mask of places, as attention makes it: booleans have one bit in memory.
TEST_F(GraphElements, MasksAndPlaces) {
  Options places;
  places.type = MUDNN_DATA_INT32;
  places.isVirtual = true;
  Options bits;
  bits.type = MUDNN_DATA_BOOLEAN;
  TensorNode &x = tensor({3, 5}, randoms(15, 1)), &none = tensor({1, 1}, {-7}),
             &limit = tensor({3, 1}, {1, 5, 3}), &index = tensor({3, 5}, {}, places),
             &mask = tensor({3, 5}, {}, bits), &y = tensor({3, 5});
  pointwise(MUDNN_POINTWISE_BINARY_SELECT, x, &none, y, &mask);
  pointwise(MUDNN_POINTWISE_CMP_LT, index, &limit, mask);
  pointwise(MUDNN_POINTWISE_GEN_INDEX, x, nullptr, index);
  run();
  const Numbers in = x.fetch(), out = y.fetch(), packed = mask.fetch(2);
  EXPECT_EQ((Numbers{0x1 | 0x3e0 % 256, 0x3e0 / 256 | 7 << 2}), packed);
  for (size_t i = 0; i < 15; ++i)
    EXPECT_EQ(static_cast<int64_t>(i % 5) < Sizes({1, 5, 3})[i / 5] ? in[i] : -7, out[i]) << i;
}

TEST_F(GraphElements, Reductions) {
  const Numbers values{3, -4, 0.5, 0, 2, 5, -1, 7, 0, 2, -3, 1};  // 2 x 3 x 2, over the last two
  struct Case {
    mudnnReduceTensorOp_t op;
    Numbers right;
  };
  const Case cases[] = {{MUDNN_REDUCE_TENSOR_ADD, {6.5, 6}},
                        {MUDNN_REDUCE_TENSOR_MUL, {0, 0}},
                        {MUDNN_REDUCE_TENSOR_MIN, {-4, -3}},
                        {MUDNN_REDUCE_TENSOR_MAX, {5, 7}},
                        {MUDNN_REDUCE_TENSOR_AMAX, {5, 7}}};
  for (const Case& one : cases) {
    clear();
    TensorNode &x = tensor({2, 3, 2}, values), &y = tensor({2, 1, 1});
    reduction(one.op, x, y);
    run();
    SCOPED_TRACE(one.op);
    expectNear(one.right, y.fetch(), 1e-14);
  }
  for (const auto op : {MUDNN_REDUCE_TENSOR_AVG, MUDNN_REDUCE_TENSOR_NORM1, MUDNN_REDUCE_TENSOR_NORM2,
                        MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS}) {
    Node how(MUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(MUDNN_ATTR_REDUCTION_OPERATOR, MUDNN_TYPE_REDUCTION_OPERATOR_TYPE, op);
    how.set(MUDNN_ATTR_REDUCTION_COMP_TYPE, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_FLOAT);
    EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, how.finish());
  }
  // Each two heads of four to one.
  clear();
  TensorNode &x = tensor({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), &y = tensor({1, 2, 2});
  reduction(MUDNN_REDUCE_TENSOR_ADD, x, y);
  run();
  EXPECT_EQ((Numbers{4, 6, 12, 14}), y.fetch());
}

// As attention masks: the second row has nothing left.
TEST_F(GraphElements, SoftmaxOfNothingIsZero) {
  const double none = -std::numeric_limits<double>::infinity();
  for (const mudnnDataType_t type : {MUDNN_DATA_DOUBLE, MUDNN_DATA_FLOAT}) {
    clear();
    Options own;
    own.type = type;
    TensorNode &x = tensor({3, 2}, {1, 2, none, none, none, 5}, own), &y = tensor({3, 2}, {}, own),
               &statistics = tensor({3, 1}, {}, own);
    TensorNode &largest = between({3, 1}, type), &shifted = between({3, 2}, type),
               &exponentials = between({3, 2}, type), &sum = between({3, 1}, type),
               &logarithm = between({3, 1}, type);
    reduction(MUDNN_REDUCE_TENSOR_MAX, x, largest);
    pointwise(MUDNN_POINTWISE_SUB, x, &largest, shifted);
    pointwise(MUDNN_POINTWISE_EXP, shifted, nullptr, exponentials);
    reduction(MUDNN_REDUCE_TENSOR_ADD, exponentials, sum);
    pointwise(MUDNN_POINTWISE_LOG, sum, nullptr, logarithm);
    pointwise(MUDNN_POINTWISE_ADD, largest, &logarithm, statistics);
    pointwise(MUDNN_POINTWISE_DIV, exponentials, &sum, y);
    run();
    const double small = 1 / (1 + std::exp(1));
    expectNear({small, 1 - small, 0, 0, 0, 1}, y.fetch(), 1e-6);
    const Numbers told = statistics.fetch();
    EXPECT_NEAR(told[0], 2 + std::log1p(std::exp(-1)), 1e-6);
    EXPECT_EQ(told[1], none);
    EXPECT_EQ(told[2], 5);
  }
  // A difference to something else than the largest stays what it is.
  clear();
  TensorNode &x = tensor({1, 2}, {none, none}), &other = tensor({1, 1}, {none}), &y = tensor({1, 2});
  pointwise(MUDNN_POINTWISE_SUB, x, &other, y);
  run();
  EXPECT_TRUE(std::isnan(y.fetch()[0]));
}

TEST_F(GraphElements, ShapesAndParts) {
  const Numbers values{0, 1, 2, 3, 4, 5};
  {
    // Rows become columns: the memory is the same.
    TensorNode &x = tensor({2, 3}, values), &z = tensor({3, 2});
    Node& made = operation(MUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
    Options viewed;
    viewed.isVirtual = true;
    viewed.strides = {1, 3};
    TensorNode& view = tensor({3, 2}, {}, viewed);
    ASSERT_C(made.set(MUDNN_ATTR_OPERATION_RESHAPE_XDESC, x)
                 .set(MUDNN_ATTR_OPERATION_RESHAPE_YDESC, view)
                 .finish());
    pointwise(MUDNN_POINTWISE_IDENTITY, view, nullptr, z);
    run();
    EXPECT_EQ((Numbers{0, 3, 1, 4, 2, 5}), z.fetch());
  }
  clear();
  {
    TensorNode &x = tensor({2, 3}, values), &y = tensor({3, 2});
    Node& made = operation(MUDNN_BACKEND_OPERATION_TRANSPOSE_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_TRANSPOSE_PERMUTATION, Sizes{1, 0});
    ASSERT_C(made.set(MUDNN_ATTR_OPERATION_TRANSPOSE_XDESC, x)
                 .set(MUDNN_ATTR_OPERATION_TRANSPOSE_YDESC, y)
                 .finish());
    run();
    EXPECT_EQ((Numbers{0, 3, 1, 4, 2, 5}), y.fetch());
  }
  clear();
  {
    TensorNode &x = tensor({2, 3}, values), &y = tensor({2, 2});
    Node& made = operation(MUDNN_BACKEND_OPERATION_SLICE_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_SLICE_START_INDICES, Sizes{0, 0})
        .set(MUDNN_ATTR_OPERATION_SLICE_LIMIT_INDICES, Sizes{2, 3});
    made.set(MUDNN_ATTR_OPERATION_SLICE_STRIDES, Sizes{1, 2});
    ASSERT_C(made.set(MUDNN_ATTR_OPERATION_SLICE_XDESC, x).set(MUDNN_ATTR_OPERATION_SLICE_YDESC, y).finish());
    run();
    EXPECT_EQ((Numbers{0, 2, 3, 5}), y.fetch());
  }
  clear();
  TensorNode &a = tensor({2, 1}, {1, 2}), &b = tensor({2, 2}, {3, 4, 5, 6}), &y = tensor({2, 3});
  Node& made = operation(MUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR);
  const mudnnBackendDescriptor_t inputs[] = {a.descriptor, b.descriptor};
  ASSERT_C(made.put(MUDNN_ATTR_OPERATION_CONCAT_INPUT_DESCS, MUDNN_TYPE_BACKEND_DESCRIPTOR, 2, inputs));
  made.set(MUDNN_ATTR_OPERATION_CONCAT_AXIS, MUDNN_TYPE_INT64, int64_t{1});
  ASSERT_C(made.set(MUDNN_ATTR_OPERATION_CONCAT_OUTPUT_DESC, y).finish());
  run();
  EXPECT_EQ((Numbers{1, 3, 4, 2, 5, 6}), y.fetch());
}

TEST_F(GraphElements, PagesAreReadByTheirTable) {
  Options integers;
  integers.type = MUDNN_DATA_INT32;
  // Three pages of one head, two rows of two; the second sequence has three rows on pages 2 and 0.
  Numbers container(12);
  std::iota(container.begin(), container.end(), 0);
  TensorNode &pages = tensor({3, 1, 2, 2}, container), &table = tensor({2, 1, 2, 1}, {1, 0, 2, 0}, integers),
             &lengths = tensor({2, 1, 1, 1}, {2, 3}, integers), &y = tensor({2, 1, 4, 2});
  Node& made = operation(MUDNN_BACKEND_OPERATION_PAGED_CACHE_LOAD_DESCRIPTOR);
  made.set(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_CONTAINER_DESC, pages);
  made.set(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_PAGE_TABLE_DESC, table);
  made.set(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_SEQUENCE_DESC, lengths);
  ASSERT_C(made.set(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_YDESC, y).finish());
  run();
  EXPECT_EQ((Numbers{4, 5, 6, 7, 0, 0, 0, 0, 8, 9, 10, 11, 0, 1, 0, 0}), y.fetch());
}

TEST_F(GraphElements, RandomNumbersHaveTheDistribution) {
  const auto made = [&](int64_t seed, mudnnRngDistribution_t kind) {
    clear();
    TensorNode& y = tensor({100, 100});
    Node& how = node(MUDNN_BACKEND_RNG_DESCRIPTOR);
    how.set(MUDNN_ATTR_RNG_DISTRIBUTION, MUDNN_TYPE_RNG_DISTRIBUTION, kind);
    how.set(MUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, MUDNN_TYPE_DOUBLE, 0.3);
    how.set(MUDNN_ATTR_RNG_NORMAL_DIST_MEAN, MUDNN_TYPE_DOUBLE, 2.0);
    how.set(MUDNN_ATTR_RNG_NORMAL_DIST_STANDARD_DEVIATION, MUDNN_TYPE_DOUBLE, 0.5);
    how.set(MUDNN_ATTR_RNG_UNIFORM_DIST_MINIMUM, MUDNN_TYPE_DOUBLE, -1.0);
    how.set(MUDNN_ATTR_RNG_UNIFORM_DIST_MAXIMUM, MUDNN_TYPE_DOUBLE, 3.0);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, how.finish());
    Node& draw = operation(MUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR);
    draw.set(MUDNN_ATTR_OPERATION_RNG_DESC, how).set(MUDNN_ATTR_OPERATION_RNG_YDESC, y);
    draw.set(MUDNN_ATTR_OPERATION_RNG_SEED, MUDNN_TYPE_INT64, seed);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, draw.finish());
    run();
    return y.fetch();
  };
  struct Case {
    mudnnRngDistribution_t kind;
    double mean, variance;
  };
  for (const Case& one :
       {Case{MUDNN_RNG_DISTRIBUTION_BERNOULLI, 0.3, 0.21}, Case{MUDNN_RNG_DISTRIBUTION_UNIFORM, 1, 16.0 / 12},
        Case{MUDNN_RNG_DISTRIBUTION_NORMAL, 2, 0.25}}) {
    const Numbers values = made(42, one.kind);
    double mean = 0, variance = 0;
    for (const double value : values) mean += value / 10000;
    for (const double value : values) variance += (value - mean) * (value - mean) / 10000;
    EXPECT_NEAR(one.mean, mean, 5 * std::sqrt(one.variance / 10000));
    EXPECT_NEAR(one.variance, variance, 0.06 * one.variance + 0.01);
    EXPECT_EQ(values, made(42, one.kind));
    EXPECT_NE(values, made(43, one.kind));
  }
}

}  // namespace
}  // namespace musashim::test
