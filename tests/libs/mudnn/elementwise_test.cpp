// musa::dnn::Unary, Binary, Ternary and Fill against functions in double.
#include <algorithm>
#include <functional>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using U = dnn::Unary::Mode;
using B = dnn::Binary::Mode;

constexpr double kAlpha = 0.75, kBeta = 1.5;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double floorMod(double a, double b) { return a - std::floor(a / b) * b; }
double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }
double geluTanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

struct UnaryCase {
  U mode;
  double low, high;
  std::function<double(double)> right;
};
const std::vector<UnaryCase>& unaryCases() {
  static const auto& cases = *new std::vector<UnaryCase>{
      {U::IDENTITY, -5, 5, [](double x) { return x; }},
      {U::CAST, -5, 5, [](double x) { return x; }},
      {U::ABS, -5, 5, [](double x) { return std::abs(x); }},
      {U::NEG, -5, 5, [](double x) { return -x; }},
      {U::SIGN, -5, 5, [](double x) { return (x > 0) - (x < 0); }},
      {U::SQUARE, -5, 5, [](double x) { return x * x; }},
      {U::SQRT, 0, 5, [](double x) { return std::sqrt(x); }},
      {U::RSQRT, 0.1, 5, [](double x) { return 1 / std::sqrt(x); }},
      {U::RECIPROCAL, 0.1, 5, [](double x) { return 1 / x; }},
      {U::EXP, -3, 3, [](double x) { return std::exp(x); }},
      {U::EXP2, -3, 3, [](double x) { return std::exp2(x); }},
      {U::EXPM1, -1, 1, [](double x) { return std::expm1(x); }},
      {U::LOG, 0.1, 5, [](double x) { return std::log(x); }},
      {U::LOG2, 0.1, 5, [](double x) { return std::log2(x); }},
      {U::LOG10, 0.1, 5, [](double x) { return std::log10(x); }},
      {U::LOG1P, -0.5, 5, [](double x) { return std::log1p(x); }},
      {U::SIN, -5, 5, [](double x) { return std::sin(x); }},
      {U::COS, -5, 5, [](double x) { return std::cos(x); }},
      {U::TAN, -1, 1, [](double x) { return std::tan(x); }},
      {U::ASIN, -1, 1, [](double x) { return std::asin(x); }},
      {U::ACOS, -1, 1, [](double x) { return std::acos(x); }},
      {U::ATAN, -5, 5, [](double x) { return std::atan(x); }},
      {U::SINH, -3, 3, [](double x) { return std::sinh(x); }},
      {U::COSH, -3, 3, [](double x) { return std::cosh(x); }},
      {U::TANH, -3, 3, [](double x) { return std::tanh(x); }},
      {U::ASINH, -3, 3, [](double x) { return std::asinh(x); }},
      {U::ACOSH, 1, 3, [](double x) { return std::acosh(x); }},
      {U::ATANH, -0.9, 0.9, [](double x) { return std::atanh(x); }},
      {U::ERF, -3, 3, [](double x) { return std::erf(x); }},
      {U::ERFC, -3, 3, [](double x) { return std::erfc(x); }},
      {U::FLOOR, -5, 5, [](double x) { return std::floor(x); }},
      {U::CEIL, -5, 5, [](double x) { return std::ceil(x); }},
      {U::ROUND, -5, 5, [](double x) { return std::nearbyint(x); }},
      {U::TRUNC, -5, 5, [](double x) { return std::trunc(x); }},
      {U::SIGMOID, -5, 5, sigmoid},
      {U::RELU, -5, 5, [](double x) { return std::max(x, 0.0); }},
      {U::RELU6, -5, 9, [](double x) { return std::clamp(x, 0.0, 6.0); }},
      {U::LEAKY_RELU, -5, 5, [](double x) { return x > 0 ? x : kAlpha * x; }},
      {U::ELU, -5, 5, [](double x) { return x > 0 ? x : kAlpha * std::expm1(x); }},
      {U::SELU, -5, 5,
       [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }},
      {U::SILU, -5, 5, [](double x) { return x * sigmoid(x); }},
      {U::GELU, -5, 5, gelu},
      {U::GELU_TANH, -5, 5, geluTanh},
      {U::MISH, -5, 5, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
      {U::HARDSWISH, -5, 5, [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
      {U::HARDSIGMOID, -5, 5, [](double x) { return std::clamp(kAlpha * x + kBeta, 0.0, 1.0); }},
      {U::SOFTPLUS, -5, 5,
       [](double x) { return kAlpha * x > kBeta ? x : std::log1p(std::exp(kAlpha * x)) / kAlpha; }},
      {U::CLIP, -5, 5, [](double x) { return std::clamp(x, kAlpha, kBeta); }},
      {U::ADD, -5, 5, [](double x) { return x + kAlpha; }},
      {U::SUB, -5, 5, [](double x) { return x - kAlpha; }},
      {U::SUB_BY_ALPHA, -5, 5, [](double x) { return kAlpha - x; }},
      {U::MUL, -5, 5, [](double x) { return x * kAlpha; }},
      {U::DIV, -5, 5, [](double x) { return x / kAlpha; }},
      {U::TRUEDIV, -5, 5, [](double x) { return x / kAlpha; }},
      {U::TRUEDIV_BY_ALPHA, 1, 5, [](double x) { return kAlpha / x; }},
      {U::FLOORDIV, -5, 5, [](double x) { return std::floor(x / kAlpha); }},
      {U::FLOORDIV_BY_ALPHA, 0.1, 5, [](double x) { return std::floor(kAlpha / x); }},
      {U::FLOORMOD, -5, 5, [](double x) { return floorMod(x, kAlpha); }},
      {U::FLOORMOD_BY_ALPHA, -5, -1, [](double x) { return floorMod(kAlpha, x); }},
      {U::TRUNCATEDIV, -5, 5, [](double x) { return std::trunc(x / kAlpha); }},
      {U::TRUNCATEDIV_BY_ALPHA, 0.1, 5, [](double x) { return std::trunc(kAlpha / x); }},
      {U::TRUNCATEMOD, -5, 5, [](double x) { return std::fmod(x, kAlpha); }},
      {U::TRUNCATEMOD_BY_ALPHA, 0.1, 5, [](double x) { return std::fmod(kAlpha, x); }},
      {U::POW, 0, 5, [](double x) { return std::pow(x, kAlpha); }},
      {U::POW_BY_ALPHA, -3, 3, [](double x) { return std::pow(kAlpha, x); }},
      {U::MAX, -5, 5, [](double x) { return std::max(x, kAlpha); }},
      {U::MIN, -5, 5, [](double x) { return std::min(x, kAlpha); }},
      {U::EQ, 0, 1, [](double x) { return x == kAlpha; }},
      {U::NE, 0, 1, [](double x) { return x != kAlpha; }},
      {U::GT, -5, 5, [](double x) { return x > kAlpha; }},
      {U::GE, -5, 5, [](double x) { return x >= kAlpha; }},
      {U::LT, -5, 5, [](double x) { return x < kAlpha; }},
      {U::LE, -5, 5, [](double x) { return x <= kAlpha; }},
      {U::LOGICAL_NOT, -1, 1, [](double x) { return x == 0; }},
      {U::IS_NAN, -1, 1, [](double x) { return std::isnan(x); }},
      {U::IS_INF, -1, 1, [](double x) { return std::isinf(x); }},
      {U::IS_FINITE, -1, 1, [](double x) { return std::isfinite(x); }},
  };
  return cases;
}

template <class T>
class ElementwiseTest : public testing::Test {
 protected:
  dnn::Handle handle;
};
using Floats = testing::Types<float, double, __half, __mt_bfloat16>;
TYPED_TEST_SUITE(ElementwiseTest, Floats);

TYPED_TEST(ElementwiseTest, EveryUnaryMode) {
  using T = TypeParam;
  std::vector<bool> seen(static_cast<size_t>(U::IS_FINITE) + 1);
  for (const UnaryCase& one : unaryCases()) {
    seen[static_cast<size_t>(one.mode)] = true;
    auto x = randoms<T>({3, 7}, 1, one.low, one.high);
    if (one.mode >= U::LOGICAL_NOT) {
      x[0] = 0;
      x[1] = NAN;
      x[2] = -INFINITY;
    }
    if (one.mode == U::EQ || one.mode == U::NE || one.mode == U::GE) x[3] = kAlpha;
    std::vector<double> right(x.size());
    std::transform(x.begin(), x.end(), right.begin(), one.right);
    Device<T> in({3, 7}, x), out({3, 7});
    dnn::Unary op;
    ASSERT_DNN(op.SetMode(one.mode));
    ASSERT_DNN(op.SetAlpha(kAlpha));
    ASSERT_DNN(op.SetBeta(kBeta));
    ASSERT_DNN(op.Run(this->handle, out.tensor, in.tensor));
    expectNear(right, out.fetch(), tolerance<T>(), "mode " + std::to_string(static_cast<int>(one.mode)));
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool is) { return is; }));
}

struct BinaryCase {
  B mode;
  double low, high;  // of the right one
  std::function<double(double, double)> right;
};
const std::vector<BinaryCase>& binaryCases() {
  static const auto& cases = *new std::vector<BinaryCase>{
      {B::ADD, -5, 5, std::plus<>()},
      {B::SUB, -5, 5, std::minus<>()},
      {B::ADD_ALPHA, -5, 5, [](double a, double b) { return a + kAlpha * b; }},
      {B::SUB_ALPHA, -5, 5, [](double a, double b) { return a - kAlpha * b; }},
      {B::MUL, -5, 5, std::multiplies<>()},
      {B::DIV, 1, 5, std::divides<>()},
      {B::TRUEDIV, 1, 5, std::divides<>()},
      {B::DIVNONAN, 0, 5, [](double a, double b) { return b == 0 ? 0 : a / b; }},
      {B::FLOORDIV, 1, 5, [](double a, double b) { return std::floor(a / b); }},
      {B::FLOORMOD, -5, -1, floorMod},
      {B::TRUNCATEDIV, 1, 5, [](double a, double b) { return std::trunc(a / b); }},
      {B::TRUNCATEMOD, 1, 5, [](double a, double b) { return std::fmod(a, b); }},
      {B::POW, 2, 2, [](double a, double b) { return std::pow(a, b); }},
      {B::MAX, -5, 5, [](double a, double b) { return std::max(a, b); }},
      {B::MIN, -5, 5, [](double a, double b) { return std::min(a, b); }},
      {B::SQUARED_DIFF, -5, 5, [](double a, double b) { return (a - b) * (a - b); }},
      {B::ATAN2, -5, 5, [](double a, double b) { return std::atan2(a, b); }},
      {B::HYPOT, -5, 5, [](double a, double b) { return std::hypot(a, b); }},
      {B::PRELU, -5, 5, [](double a, double b) { return a > 0 ? a : a * b; }},
      {B::EQ, -5, 5, std::equal_to<>()},
      {B::NE, -5, 5, std::not_equal_to<>()},
      {B::GT, -5, 5, std::greater<>()},
      {B::GE, -5, 5, std::greater_equal<>()},
      {B::LT, -5, 5, std::less<>()},
      {B::LE, -5, 5, std::less_equal<>()},
      {B::LOGICAL_AND, 0, 0.2, [](double a, double b) { return a != 0 && b != 0; }},
      {B::LOGICAL_OR, 0, 0.2, [](double a, double b) { return a != 0 || b != 0; }},
      {B::LOGICAL_XOR, 0, 0.2, [](double a, double b) { return (a != 0) != (b != 0); }},
      {B::RELU_BW, -5, 5, [](double a, double x) { return x > 0 ? a : 0; }},
      {B::SIGMOID_BW, 0, 1, [](double a, double y) { return a * y * (1 - y); }},
      {B::TANH_BW, -1, 1, [](double a, double y) { return a * (1 - y * y); }},
      {B::SILU_BW, -5, 5,
       [](double a, double x) { return a * (sigmoid(x) + x * sigmoid(x) * (1 - sigmoid(x))); }},
      {B::GELU_NONE_BW, -4, 4,
       [](double a, double x) { return a * (gelu(x + 1e-6) - gelu(x - 1e-6)) / 2e-6; }},
      {B::GELU_TANH_BW, -4, 4,
       [](double a, double x) { return a * (geluTanh(x + 1e-6) - geluTanh(x - 1e-6)) / 2e-6; }},
      {B::LEAKY_RELU_BW, -5, 5, [](double a, double x) { return x > 0 ? a : kAlpha * a; }},
      {B::THRESHOLD_BW, -5, 5, [](double a, double x) { return x > kAlpha ? a : 0; }},
      {B::RSQRT_BW, -5, 5, [](double y, double a) { return a * -0.5 * y * y * y; }},
      {B::SQRT_BW, 1, 5, [](double a, double y) { return a / (2 * y); }},
  };
  return cases;
}

TYPED_TEST(ElementwiseTest, EveryBinaryMode) {
  using T = TypeParam;
  std::vector<bool> seen(static_cast<size_t>(B::SQRT_BW) + 1);
  for (const B bits : {B::BIT_AND, B::BIT_OR, B::BIT_XOR})
    seen[static_cast<size_t>(bits)] = true;  // of integers
  for (const BinaryCase& one : binaryCases()) {
    seen[static_cast<size_t>(one.mode)] = true;
    auto l = randoms<T>({4, 6}, 1, -5, 5), r = randoms<T>({4, 6}, 2, one.low, one.high);
    r[0] = one.mode == B::DIVNONAN || one.mode >= B::LOGICAL_AND ? 0 : r[0];
    if (one.mode == B::SQRT_BW) r[0] = 1;
    if (one.mode == B::EQ || one.mode == B::GE || one.mode == B::LE || one.mode == B::NE) l[1] = r[1];
    std::vector<double> right(l.size());
    std::transform(l.begin(), l.end(), r.begin(), right.begin(), one.right);
    Device<T> left({4, 6}, l), other({4, 6}, r), out({4, 6});
    dnn::Binary op;
    ASSERT_DNN(op.SetMode(one.mode));
    ASSERT_DNN(op.SetAlpha(kAlpha));
    ASSERT_DNN(op.Run(this->handle, out.tensor, left.tensor, other.tensor));
    const double differences = one.mode == B::GELU_NONE_BW || one.mode == B::GELU_TANH_BW ? 1e-8 : 0;
    expectNear(right, out.fetch(), tolerance<T>() + differences,
               "mode " + std::to_string(static_cast<int>(one.mode)));
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool is) { return is; }));
}

TYPED_TEST(ElementwiseTest, EveryTernaryMode) {
  using T = TypeParam;
  using Mode = dnn::Ternary::Mode;
  const auto a = randoms<T>({30}, 1, -2, 2), b = randoms<T>({30}, 2, -2, 0), c = randoms<T>({30}, 3, 0.5, 2);
  const std::pair<Mode, std::function<double(double, double, double)>> cases[] = {
      {Mode::CLAMP, [](double x, double y, double z) { return std::clamp(x, y, z); }},
      {Mode::ADDCMUL, [](double x, double y, double z) { return x + y * z; }},
      {Mode::ADDCMUL_ALPHA, [](double x, double y, double z) { return x + kAlpha * y * z; }},
      {Mode::ADDCDIV, [](double x, double y, double z) { return x + y / z; }},
      {Mode::ADDCDIV_ALPHA, [](double x, double y, double z) { return x + kAlpha * y / z; }}};
  Device<T> da({30}, a), db({30}, b), dc({30}, c), out({30});
  for (const auto& [mode, function] : cases) {
    dnn::Ternary op;
    ASSERT_DNN(op.SetMode(mode));
    ASSERT_DNN(op.SetAlpha(kAlpha));
    ASSERT_DNN(op.Run(this->handle, out.tensor, da.tensor, db.tensor, dc.tensor));
    std::vector<double> right(30);
    for (size_t i = 0; i < 30; ++i) right[i] = function(a[i], b[i], c[i]);
    expectNear(right, out.fetch(), tolerance<T>());
  }
  std::vector<double> truth(30), right(30);
  for (size_t i = 0; i < 30; ++i) right[i] = (truth[i] = i % 3 == 0) != 0 ? b[i] : c[i];
  Device<bool> condition({30}, truth);
  dnn::Ternary op;
  ASSERT_DNN(op.SetMode(Mode::SELECT));
  ASSERT_DNN(op.Run(this->handle, out.tensor, condition.tensor, db.tensor, dc.tensor));
  EXPECT_EQ(right, out.fetch());
}

class ElementwiseKindsTest : public testing::Test {
 protected:
  template <class In, class Out>
  std::vector<double> unary(U mode, dnn::Scalar alpha, const std::vector<double>& x) {
    const Sizes sizes{static_cast<int64_t>(x.size())};
    Device<In> in(sizes, x);
    Device<Out> out(sizes);
    dnn::Unary op;
    EXPECT_EQ(Status::SUCCESS, op.SetMode(mode));
    EXPECT_EQ(Status::SUCCESS, op.SetAlpha(alpha));
    EXPECT_EQ(Status::SUCCESS, op.Run(handle, out.tensor, in.tensor));
    return out.fetch();
  }
  template <class T>
  std::vector<double> binary(B mode, const std::vector<double>& l, const std::vector<double>& r) {
    const Sizes sizes{static_cast<int64_t>(l.size())};
    Device<T> left(sizes, l), right(sizes, r), out(sizes);
    dnn::Binary op;
    EXPECT_EQ(Status::SUCCESS, op.SetMode(mode));
    EXPECT_EQ(Status::SUCCESS, op.Run(handle, out.tensor, left.tensor, right.tensor));
    return out.fetch();
  }
  using Numbers = std::vector<double>;
  dnn::Handle handle;
};

TEST_F(ElementwiseKindsTest, Integers) {
  EXPECT_EQ((Numbers{-4, -3, 2, 3}), (unary<int32_t, int32_t>(U::FLOORDIV, 2, {-7, -6, 5, 6})));
  EXPECT_EQ((Numbers{-3, -3, 2, 3}), (unary<int32_t, int32_t>(U::TRUNCATEDIV, 2, {-7, -6, 5, 6})));
  EXPECT_EQ((Numbers{2, 0, 2, 0}), (unary<int64_t, int64_t>(U::FLOORMOD, 3, {-7, -6, 5, 6})));
  EXPECT_EQ((Numbers{-1, 0, 2, 0}), (unary<int64_t, int64_t>(U::TRUNCATEMOD, 3, {-7, -6, 5, 6})));
  EXPECT_EQ((Numbers{-3.5, 2.5}), (unary<int32_t, float>(U::TRUEDIV, 2, {-7, 5})));
  EXPECT_EQ((Numbers{-3.5, 2.5}), (unary<int32_t, float>(U::MUL, 0.5, {-7, 5})));
  EXPECT_EQ((Numbers{9, 16}), (unary<int16_t, int16_t>(U::POW, 2, {-3, 4})));
  EXPECT_EQ((Numbers{1, 0, 1}), (unary<int8_t, bool>(U::GT, 0, {3, 0, 127})));
  EXPECT_EQ((Numbers{3, -2, 0}), (unary<float, int32_t>(U::CAST, 0, {3.9, -2.9, NAN})));
  EXPECT_EQ((Numbers{127, -128}), (unary<float, int8_t>(U::CAST, 0, {1000, -1000})));
  EXPECT_EQ((Numbers{1, 0}), (unary<float, bool>(U::CAST, 0, {0.25, 0})));
  EXPECT_EQ((Numbers{6, 1}), binary<int32_t>(B::BIT_AND, {7, 5}, {14, 3}));
  EXPECT_EQ((Numbers{15, 7}), binary<int32_t>(B::BIT_OR, {7, 5}, {14, 3}));
  EXPECT_EQ((Numbers{9, 6}), binary<int32_t>(B::BIT_XOR, {7, 5}, {14, 3}));
  EXPECT_EQ((Numbers{-3, 1}), binary<int64_t>(B::DIV, {-7, 5}, {2, 3}));
  // Numbers that doubles do not hold, and those that are negative with a sign.
  Device<int64_t> large({2}), one({2}), sum({2});
  const int64_t values[] = {(int64_t{1} << 60) + 1, -(int64_t{1} << 60) - 3};
  ASSERT_EQ(musaSuccess, musaMemcpy(large.memory(), values, sizeof values, musaMemcpyHostToDevice));
  dnn::Unary add;
  ASSERT_DNN(add.SetMode(U::ADD));
  ASSERT_DNN(add.SetAlpha(int64_t{2}));
  ASSERT_DNN(add.Run(handle, sum.tensor, large.tensor));
  int64_t got[2];
  ASSERT_EQ(musaSuccess, musaDeviceSynchronize());
  ASSERT_EQ(musaSuccess, musaMemcpy(got, sum.memory(), sizeof got, musaMemcpyDeviceToHost));
  EXPECT_EQ(values[0] + 2, got[0]);
  EXPECT_EQ(values[1] + 2, got[1]);
  EXPECT_EQ((Numbers{0x1p63}), (binary<uint64_t>(B::MAX, {0x1p63}, {1})));
}

TEST_F(ElementwiseKindsTest, BroadcastAndStrides) {
  const auto x = randoms<float>({2, 3, 5}, 1), row = randoms<float>({5}, 2),
             column = randoms<float>({3, 1}, 3);
  Device<float> dx({2, 3, 5}, x), dRow({5}, row), dColumn({3, 1}, column), out({2, 3, 5});
  dnn::Ternary op;
  ASSERT_DNN(op.SetMode(dnn::Ternary::Mode::ADDCMUL));
  ASSERT_DNN(op.Run(handle, out.tensor, dx.tensor, dRow.tensor, dColumn.tensor));
  std::vector<double> right(x);
  for (size_t i = 0; i < x.size(); ++i) right[i] += row[i % 5] * column[i / 5 % 3];
  expectNear(right, out.fetch(), tolerance<float>());

  // Read turned, written turned with gaps.
  Device<float> gaps({5, 12}, std::vector<double>(60, -9));
  const int64_t sizes[] = {2, 3, 5}, strides[] = {6, 2, 12}, turned[] = {3, 2, 5};
  ASSERT_DNN(gaps.tensor.SetNdInfo(3, sizes, strides));
  dnn::Unary copy;
  ASSERT_DNN(copy.Run(handle, gaps.tensor, dx.tensor));
  std::vector<double> scattered(60, -9);
  for (size_t i = 0; i < x.size(); ++i) scattered[i / 15 * 6 + i / 5 % 3 * 2 + i % 5 * 12] = x[i];
  EXPECT_EQ(scattered, gaps.fetch());

  ASSERT_DNN(out.tensor.SetNdInfo(3, turned));
  EXPECT_EQ(Status::INVALID_PARAMETER, copy.Run(handle, out.tensor, dx.tensor));
}

TEST_F(ElementwiseKindsTest, LargeTensorsAreShared) {
  const int64_t count = 300'001;
  const auto x = randoms<float>({count}, 1);
  Device<float> in({count}, x), out({count});
  dnn::Unary op;
  ASSERT_DNN(op.SetMode(U::SQUARE));
  ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
  std::vector<double> right(x);
  for (double& value : right) value *= value;
  expectNear(right, out.fetch(), tolerance<float>());
}

TEST_F(ElementwiseKindsTest, Quantised) {
  Device<int8_t> in({3}, {-100, 4, 100}), out({3});
  for (Tensor* tensor : {&in.tensor, &out.tensor}) ASSERT_DNN(tensor->SetType(Type::QINT8));
  ASSERT_DNN(in.tensor.SetQuantizationInfo(0.5F));
  ASSERT_DNN(out.tensor.SetQuantizationInfo(0.25F));
  dnn::Unary relu;
  ASSERT_DNN(relu.SetMode(U::RELU));
  ASSERT_DNN(relu.Run(handle, out.tensor, in.tensor));
  EXPECT_EQ((Numbers{0, 8, 127}), out.fetch());
}

TEST_F(ElementwiseKindsTest, Fills) {
  Device<int32_t> whole({7});
  Device<__half> part({2, 3}, {1, 2, 3, 4, 5, 6});
  Device<bool> mask({3}, {1, 0, 1});
  dnn::Fill fill;
  ASSERT_DNN(fill.SetValue(-3));
  ASSERT_DNN(fill.Run(handle, whole.tensor));
  ASSERT_DNN(fill.SetValue(0.5));
  ASSERT_DNN(fill.Run(handle, part.tensor, mask.tensor));
  EXPECT_EQ(Numbers(7, -3), whole.fetch());
  EXPECT_EQ((Numbers{0.5, 2, 0.5, 0.5, 5, 0.5}), part.fetch());
}

TEST_F(ElementwiseKindsTest, WrongModes) {
  dnn::Unary unary;
  dnn::Binary binary;
  dnn::Ternary ternary;
  EXPECT_EQ(Status::INVALID_PARAMETER, unary.SetMode(static_cast<U>(1000)));
  EXPECT_EQ(Status::INVALID_PARAMETER, binary.SetMode(static_cast<B>(-1)));
  EXPECT_EQ(Status::INVALID_PARAMETER, ternary.SetMode(static_cast<dnn::Ternary::Mode>(99)));
  Device<float> x({4});
  ASSERT_DNN(binary.SetMode(B::BIT_AND));
  EXPECT_EQ(Status::INVALID_PARAMETER, binary.Run(handle, x.tensor, x.tensor, x.tensor));
}

}  // namespace
}  // namespace musashim::test
