#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/elementwise/functions.h"

namespace musashim::mudnn {
namespace {

using Mode = musa::dnn::Binary::Mode;
using TernaryMode = musa::dnn::Ternary::Mode;

bool isReal(Mode mode) {
  return mode == Mode::TRUEDIV || mode == Mode::DIVNONAN || mode == Mode::ATAN2 || mode == Mode::HYPOT ||
         mode == Mode::PRELU || mode >= Mode::SIGMOID_BW;
}

template <class V, class Function>
void map(const V* l, const V* r, V* y, int64_t count, Function&& function) {
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<V>(function(l[i], r[i]));
}

template <class V>
void realRun(Mode mode, const V* l, const V* r, V* y, int64_t n, V alpha) {
  switch (mode) {
    case Mode::TRUEDIV:
      return map(l, r, y, n, [](V a, V b) { return a / b; });
    case Mode::DIVNONAN:
      return map(l, r, y, n, [](V a, V b) { return b == 0 ? V(0) : a / b; });
    case Mode::ATAN2:
      return map(l, r, y, n, [](V a, V b) { return std::atan2(a, b); });
    case Mode::HYPOT:
      return map(l, r, y, n, [](V a, V b) { return std::hypot(a, b); });
    case Mode::PRELU:
      return map(l, r, y, n, [](V a, V b) { return a > 0 ? a : a * b; });
    case Mode::SIGMOID_BW:
      return map(l, r, y, n, [](V dy, V out) { return dy * out * (1 - out); });
    case Mode::TANH_BW:
      return map(l, r, y, n, [](V dy, V out) { return dy * (1 - out * out); });
    case Mode::SILU_BW:
      return map(l, r, y, n, [](V dy, V x) {
        const V s = sigmoid(x);
        return dy * s * (1 + x * (1 - s));
      });
    case Mode::GELU_NONE_BW:
      return map(l, r, y, n, [](V dy, V x) {
        return dy * (normalBelow(x) + x * V(0.39894228040143267794) * std::exp(-x * x / 2));
      });
    case Mode::GELU_TANH_BW:
      return map(l, r, y, n, [](V dy, V x) {
        const V t = std::tanh(geluInner(x));
        const V slope = V(0.79788456080286535588) * (1 + V(3 * 0.044715) * x * x);
        return dy * ((1 + t) / 2 + x / 2 * (1 - t * t) * slope);
      });
    case Mode::LEAKY_RELU_BW:
      return map(l, r, y, n, [alpha](V dy, V x) { return x > 0 ? dy : alpha * dy; });
    case Mode::THRESHOLD_BW:
      return map(l, r, y, n, [alpha](V dy, V x) { return x <= alpha ? V(0) : dy; });
    case Mode::RSQRT_BW:
      return map(l, r, y, n, [](V out, V dy) { return dy * V(-0.5) * out * out * out; });
    case Mode::SQRT_BW:
      return map(l, r, y, n, [](V dy, V out) { return dy / (2 * out); });
    default:
      return;
  }
}

template <class V>
void run(Mode mode, const V* l, const V* r, V* y, int64_t n, V alpha) {
  switch (mode) {
    case Mode::ADD:
      return map(l, r, y, n, [](V a, V b) { return a + b; });
    case Mode::SUB:
      return map(l, r, y, n, [](V a, V b) { return a - b; });
    case Mode::ADD_ALPHA:
      return map(l, r, y, n, [alpha](V a, V b) { return a + alpha * b; });
    case Mode::SUB_ALPHA:
      return map(l, r, y, n, [alpha](V a, V b) { return a - alpha * b; });
    case Mode::MUL:
      return map(l, r, y, n, [](V a, V b) { return a * b; });
    case Mode::DIV:
      if constexpr (kIsReal<V>) return map(l, r, y, n, [](V a, V b) { return a / b; });
      return map(l, r, y, n, [](V a, V b) { return quotientTowardZero(a, b); });
    case Mode::FLOORDIV:
      return map(l, r, y, n, [](V a, V b) { return quotientDown(a, b); });
    case Mode::FLOORMOD:
      return map(l, r, y, n, [](V a, V b) { return remainderDown(a, b); });
    case Mode::TRUNCATEDIV:
      return map(l, r, y, n, [](V a, V b) { return quotientTowardZero(a, b); });
    case Mode::TRUNCATEMOD:
      return map(l, r, y, n, [](V a, V b) { return remainderTowardZero(a, b); });
    case Mode::POW:
      return map(l, r, y, n, [](V a, V b) { return power(a, b); });
    case Mode::MAX:
      return map(l, r, y, n, [](V a, V b) { return larger(a, b); });
    case Mode::MIN:
      return map(l, r, y, n, [](V a, V b) { return smaller(a, b); });
    case Mode::SQUARED_DIFF:
      return map(l, r, y, n, [](V a, V b) { return (a - b) * (a - b); });
    case Mode::EQ:
      return map(l, r, y, n, [](V a, V b) { return a == b; });
    case Mode::NE:
      return map(l, r, y, n, [](V a, V b) { return a != b; });
    case Mode::GT:
      return map(l, r, y, n, [](V a, V b) { return a > b; });
    case Mode::GE:
      return map(l, r, y, n, [](V a, V b) { return a >= b; });
    case Mode::LT:
      return map(l, r, y, n, [](V a, V b) { return a < b; });
    case Mode::LE:
      return map(l, r, y, n, [](V a, V b) { return a <= b; });
    case Mode::LOGICAL_AND:
      return map(l, r, y, n, [](V a, V b) { return a != 0 && b != 0; });
    case Mode::LOGICAL_OR:
      return map(l, r, y, n, [](V a, V b) { return a != 0 || b != 0; });
    case Mode::LOGICAL_XOR:
      return map(l, r, y, n, [](V a, V b) { return (a != 0) != (b != 0); });
    case Mode::RELU_BW:
      return map(l, r, y, n, [](V dy, V x) { return x > 0 ? dy : V(0); });
    default:
      if constexpr (kIsReal<V>) {
        realRun(mode, l, r, y, n, alpha);
      } else {
        if (mode == Mode::BIT_AND) map(l, r, y, n, [](V a, V b) { return a & b; });
        if (mode == Mode::BIT_OR) map(l, r, y, n, [](V a, V b) { return a | b; });
        if (mode == Mode::BIT_XOR) map(l, r, y, n, [](V a, V b) { return a ^ b; });
      }
  }
}

bool isInteger(Kind kind) { return kind == Kind::kSigned || kind == Kind::kUnsigned; }

}  // namespace

Work binary(Mode mode, const Scalar& alpha, const Array& out, const Array& l, const Array& r) {
  (void)broadcast(l, out);
  (void)broadcast(r, out);
  Kind kind = commonKind({l, r});
  const bool isBits = mode >= Mode::BIT_AND && mode <= Mode::BIT_XOR;
  require(!isBits || isInteger(kind), "operations on bits are for integers");
  const bool usesAlpha = mode == Mode::ADD_ALPHA || mode == Mode::SUB_ALPHA;
  if (isInteger(kind) && (isReal(mode) || (usesAlpha && !alpha.isInteger))) kind = Kind::kDouble;
  return [=] {
    withKind(kind, [&]<class V>(V) {
      forElements<V>(out, {l, r}, [&](const V* const* in, V* to, int64_t count) {
        run(mode, in[0], in[1], to, count, numberOf<V>(alpha));
      });
    });
  };
}

Work ternary(TernaryMode mode, const Scalar& alpha, const Array& out, const Array& a, const Array& b,
             const Array& c) {
  for (const Array* array : {&a, &b, &c}) (void)broadcast(*array, out);
  Kind kind = mode == TernaryMode::SELECT ? commonKind({b, c}) : commonKind({a, b, c});
  const bool divides = mode == TernaryMode::ADDCDIV || mode == TernaryMode::ADDCDIV_ALPHA;
  const bool scales = mode == TernaryMode::ADDCMUL_ALPHA || mode == TernaryMode::ADDCDIV_ALPHA;
  // Whether an element is zero must not depend on what the others are computed as.
  if (mode == TernaryMode::SELECT && !isInteger(kindOf(a.element))) {
    requireSupport(!isInteger(kind), "a choice among integers needs a condition of integers or truth values");
    if (kindOf(a.element) == Kind::kDouble) kind = Kind::kDouble;
  }
  if (isInteger(kind) && scales && !alpha.isInteger) kind = Kind::kDouble;
  return [=] {
    withKind(kind, [&]<class V>(V) {
      const V factor = scales ? numberOf<V>(alpha) : V(1);
      forElements<V>(out, {a, b, c}, [&](const V* const* in, V* to, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          const V x = in[0][i], y = in[1][i], z = in[2][i];
          if (mode == TernaryMode::SELECT)
            to[i] = x != 0 ? y : z;
          else if (mode == TernaryMode::CLAMP)
            to[i] = x < y ? y : (x > z ? z : x);
          else if (!divides)
            to[i] = static_cast<V>(x + factor * y * z);
          else if constexpr (kIsReal<V>)
            to[i] = x + factor * y / z;
          else
            to[i] = static_cast<V>(x + factor * quotientTowardZero(y, z));
        }
      });
    });
  };
}

}  // namespace musashim::mudnn
