#include <algorithm>
#include <optional>

#include "libs/mudnn/onednn/layers.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/elementwise/functions.h"

namespace musashim::mudnn {
namespace {

using Mode = musa::dnn::Unary::Mode;

// Functions whose results of integers are not integers.
bool isReal(Mode mode) {
  return (mode >= Mode::SQRT && mode <= Mode::ERFC) || mode == Mode::SIGMOID ||
         (mode >= Mode::LEAKY_RELU && mode <= Mode::SOFTPLUS) || mode == Mode::TRUEDIV ||
         mode == Mode::TRUEDIV_BY_ALPHA;
}
bool usesAlpha(Mode mode) { return mode >= Mode::CLIP && mode <= Mode::LE; }

// What takes long enough to be oneDNN's.
std::optional<onednn::Function> engineFunctionOf(Mode mode) {
  switch (mode) {
    case Mode::EXP:
      return onednn::Function::kExp;
    case Mode::TANH:
      return onednn::Function::kTanh;
    case Mode::SIGMOID:
      return onednn::Function::kSigmoid;
    case Mode::SILU:
      return onednn::Function::kSwish;
    case Mode::GELU:
      return onednn::Function::kGelu;
    default:
      return std::nullopt;
  }
}

template <class V, class Function>
void map(const V* x, V* y, int64_t count, Function&& function) {
  for (int64_t i = 0; i < count; ++i) y[i] = function(x[i]);
}

template <class V>
void realRun(Mode mode, const V* x, V* y, int64_t n, V alpha, V beta) {
  switch (mode) {
    case Mode::SQRT:
      return map(x, y, n, [](V v) { return std::sqrt(v); });
    case Mode::RSQRT:
      return map(x, y, n, [](V v) { return 1 / std::sqrt(v); });
    case Mode::RECIPROCAL:
      return map(x, y, n, [](V v) { return 1 / v; });
    case Mode::EXP:
      return map(x, y, n, [](V v) { return std::exp(v); });
    case Mode::EXP2:
      return map(x, y, n, [](V v) { return std::exp2(v); });
    case Mode::EXPM1:
      return map(x, y, n, [](V v) { return std::expm1(v); });
    case Mode::LOG:
      return map(x, y, n, [](V v) { return std::log(v); });
    case Mode::LOG2:
      return map(x, y, n, [](V v) { return std::log2(v); });
    case Mode::LOG10:
      return map(x, y, n, [](V v) { return std::log10(v); });
    case Mode::LOG1P:
      return map(x, y, n, [](V v) { return std::log1p(v); });
    case Mode::SIN:
      return map(x, y, n, [](V v) { return std::sin(v); });
    case Mode::COS:
      return map(x, y, n, [](V v) { return std::cos(v); });
    case Mode::TAN:
      return map(x, y, n, [](V v) { return std::tan(v); });
    case Mode::ASIN:
      return map(x, y, n, [](V v) { return std::asin(v); });
    case Mode::ACOS:
      return map(x, y, n, [](V v) { return std::acos(v); });
    case Mode::ATAN:
      return map(x, y, n, [](V v) { return std::atan(v); });
    case Mode::SINH:
      return map(x, y, n, [](V v) { return std::sinh(v); });
    case Mode::COSH:
      return map(x, y, n, [](V v) { return std::cosh(v); });
    case Mode::TANH:
      return map(x, y, n, [](V v) { return std::tanh(v); });
    case Mode::ASINH:
      return map(x, y, n, [](V v) { return std::asinh(v); });
    case Mode::ACOSH:
      return map(x, y, n, [](V v) { return std::acosh(v); });
    case Mode::ATANH:
      return map(x, y, n, [](V v) { return std::atanh(v); });
    case Mode::ERF:
      return map(x, y, n, [](V v) { return std::erf(v); });
    case Mode::ERFC:
      return map(x, y, n, [](V v) { return std::erfc(v); });
    case Mode::FLOOR:
      return map(x, y, n, [](V v) { return std::floor(v); });
    case Mode::CEIL:
      return map(x, y, n, [](V v) { return std::ceil(v); });
    case Mode::ROUND:
      return map(x, y, n, [](V v) { return std::nearbyint(v); });
    case Mode::TRUNC:
      return map(x, y, n, [](V v) { return std::trunc(v); });
    case Mode::SIGMOID:
      return map(x, y, n, [](V v) { return sigmoid(v); });
    case Mode::LEAKY_RELU:
      return map(x, y, n, [alpha](V v) { return v > 0 ? v : alpha * v; });
    case Mode::ELU:
      return map(x, y, n, [alpha](V v) { return v > 0 ? v : alpha * std::expm1(v); });
    case Mode::SELU:
      return map(x, y, n, [](V v) {
        constexpr V kScale = V(1.0507009873554804934), kAlpha = V(1.6732632423543772848);
        return kScale * (v > 0 ? v : kAlpha * std::expm1(v));
      });
    case Mode::SILU:
      return map(x, y, n, [](V v) { return v * sigmoid(v); });
    case Mode::GELU:
      return map(x, y, n, [](V v) { return v * normalBelow(v); });
    case Mode::GELU_TANH:
      return map(x, y, n, [](V v) { return v / 2 * (1 + std::tanh(geluInner(v))); });
    case Mode::MISH:
      return map(x, y, n, [](V v) { return v * std::tanh(v > 20 ? v : std::log1p(std::exp(v))); });
    case Mode::HARDSWISH:
      return map(x, y, n, [](V v) { return v * std::clamp(v + 3, V(0), V(6)) / 6; });
    case Mode::HARDSIGMOID:
      return map(x, y, n, [=](V v) { return std::clamp(alpha * v + beta, V(0), V(1)); });
    case Mode::SOFTPLUS:
      return map(x, y, n,
                 [=](V v) { return alpha * v > beta ? v : std::log1p(std::exp(alpha * v)) / alpha; });
    case Mode::TRUEDIV:
      return map(x, y, n, [alpha](V v) { return v / alpha; });
    case Mode::TRUEDIV_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return alpha / v; });
    default:
      return;
  }
}

template <class V>
void run(Mode mode, const V* x, V* y, int64_t n, V alpha, V beta) {
  const auto isNan = [](V v) { return !(v == v); };
  switch (mode) {
    case Mode::IDENTITY:
    case Mode::CAST:
      return map(x, y, n, [](V v) { return v; });
    case Mode::FLOOR:  // of integers
    case Mode::CEIL:
    case Mode::ROUND:
    case Mode::TRUNC:
      if constexpr (kIsReal<V>) return realRun(mode, x, y, n, alpha, beta);
      return map(x, y, n, [](V v) { return v; });
    case Mode::ABS:
      return map(x, y, n, [](V v) { return v < 0 ? static_cast<V>(V(0) - v) : (v == 0 ? V(0) : v); });
    case Mode::NEG:
      if constexpr (kIsReal<V>) return map(x, y, n, [](V v) { return -v; });
      return map(x, y, n, [](V v) { return static_cast<V>(0 - static_cast<uint64_t>(v)); });
    case Mode::SIGN:
      return map(x, y, n, [&](V v) { return isNan(v) ? v : static_cast<V>((v > 0) - (v < 0)); });
    case Mode::SQUARE:
      return map(x, y, n, [](V v) { return static_cast<V>(v * v); });
    case Mode::RELU:
      return map(x, y, n, [](V v) { return v < 0 ? V(0) : v; });
    case Mode::RELU6:
      return map(x, y, n, [](V v) { return v < 0 ? V(0) : (v > 6 ? V(6) : v); });
    case Mode::CLIP:
      return map(x, y, n, [=](V v) { return v < alpha ? alpha : (v > beta ? beta : v); });
    case Mode::ADD:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v + alpha); });
    case Mode::SUB:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v - alpha); });
    case Mode::SUB_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(alpha - v); });
    case Mode::MUL:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v * alpha); });
    case Mode::DIV:
      if constexpr (kIsReal<V>) return map(x, y, n, [alpha](V v) { return v / alpha; });
      return map(x, y, n, [alpha](V v) { return quotientTowardZero(v, alpha); });
    case Mode::FLOORDIV:
      return map(x, y, n, [alpha](V v) { return quotientDown(v, alpha); });
    case Mode::FLOORDIV_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return quotientDown(alpha, v); });
    case Mode::FLOORMOD:
      return map(x, y, n, [alpha](V v) { return remainderDown(v, alpha); });
    case Mode::FLOORMOD_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return remainderDown(alpha, v); });
    case Mode::TRUNCATEDIV:
      return map(x, y, n, [alpha](V v) { return quotientTowardZero(v, alpha); });
    case Mode::TRUNCATEDIV_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return quotientTowardZero(alpha, v); });
    case Mode::TRUNCATEMOD:
      return map(x, y, n, [alpha](V v) { return remainderTowardZero(v, alpha); });
    case Mode::TRUNCATEMOD_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return remainderTowardZero(alpha, v); });
    case Mode::POW:
      return map(x, y, n, [alpha](V v) { return power(v, alpha); });
    case Mode::POW_BY_ALPHA:
      return map(x, y, n, [alpha](V v) { return power(alpha, v); });
    case Mode::MAX:
      return map(x, y, n, [alpha](V v) { return larger(v, alpha); });
    case Mode::MIN:
      return map(x, y, n, [alpha](V v) { return smaller(v, alpha); });
    case Mode::EQ:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v == alpha); });
    case Mode::NE:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v != alpha); });
    case Mode::GT:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v > alpha); });
    case Mode::GE:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v >= alpha); });
    case Mode::LT:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v < alpha); });
    case Mode::LE:
      return map(x, y, n, [alpha](V v) { return static_cast<V>(v <= alpha); });
    case Mode::LOGICAL_NOT:
      return map(x, y, n, [](V v) { return static_cast<V>(v == 0); });
    case Mode::IS_NAN:
      return map(x, y, n, [&](V v) { return static_cast<V>(isNan(v)); });
    case Mode::IS_INF:
      return map(x, y, n, [](V v) {
        return static_cast<V>(
            std::numeric_limits<V>::has_infinity &&
            (v == std::numeric_limits<V>::infinity() || v == -std::numeric_limits<V>::infinity()));
      });
    case Mode::IS_FINITE:
      return map(x, y, n, [&](V v) {
        return static_cast<V>(!isNan(v) && !(std::numeric_limits<V>::has_infinity &&
                                             (v == std::numeric_limits<V>::infinity() ||
                                              v == -std::numeric_limits<V>::infinity())));
      });
    default:
      if constexpr (kIsReal<V>) realRun(mode, x, y, n, alpha, beta);
  }
}

}  // namespace

Work unary(Mode mode, const Scalar& alpha, const Scalar& beta, const Array& out, const Array& in) {
  (void)broadcast(in, out);
  Kind kind = kindOf(in.element);
  const bool realNumber = usesAlpha(mode) && (!alpha.isInteger || (mode == Mode::CLIP && !beta.isInteger));
  if ((kind == Kind::kSigned || kind == Kind::kUnsigned) &&
      (isReal(mode) || realNumber || (kindOf(out.element) == Kind::kFloat && mode == Mode::POW)))
    kind = Kind::kDouble;
  return [=] {
    if (const auto function = engineFunctionOf(mode); function && onednn::mapElements(*function, 1, out, in))
      return;
    withKind(kind, [&]<class V>(V) {
      const V a = numberOf<V>(alpha), b = numberOf<V>(beta);
      forElements<V>(out, {in}, [&](const V* const* from, V* to, int64_t count) {
        run(mode, from[0], to, count, a, b);
      });
    });
  };
}

}  // namespace musashim::mudnn
