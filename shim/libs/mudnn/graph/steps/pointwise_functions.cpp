#include "libs/mudnn/graph/steps/pointwise_functions.h"

#include <cmath>

#include "libs/mudnn/graph/descriptor.h"

namespace musashim::mudnn::graph {
namespace {

template <class V>
V sigmoid(V x) {
  return 1 / (1 + std::exp(-x));
}
// The distribution function of the normal distribution, and its density.
template <class V>
V normal(V x) {
  return V(0.5) * std::erfc(-x * V(0.70710678118654752));
}
template <class V>
V density(V x) {
  return std::exp(-x * x / 2) * V(0.39894228040143268);
}
// tanh() of GELU's approximation, and what is in it.
template <class V>
V inner(V x) {
  return V(0.79788456080286536) * (x + V(0.044715) * x * x * x);
}

template <class V, class Function>
void map1(const V* const* in, V* out, int64_t count, Function&& function) {
  for (int64_t i = 0; i < count; ++i) out[i] = function(in[0][i]);
}
template <class V, class Function>
void map2(const V* const* in, V* out, int64_t count, Function&& function) {
  for (int64_t i = 0; i < count; ++i) out[i] = function(in[0][i], in[1][i]);
}

template <class V>
bool forward(const PointwiseSettings& s, const V* const* in, V* out, int64_t n) {
  const V lower = static_cast<V>(s.lower), upper = static_cast<V>(s.upper), slope = static_cast<V>(s.slope),
          alpha = static_cast<V>(s.alpha), beta = static_cast<V>(s.beta);
  switch (s.mode) {
    case MUDNN_POINTWISE_SQRT:
      return map1(in, out, n, [](V x) { return std::sqrt(x); }), true;
    case MUDNN_POINTWISE_ABS:
      return map1(in, out, n, [](V x) { return std::fabs(x); }), true;
    case MUDNN_POINTWISE_CEIL:
      return map1(in, out, n, [](V x) { return std::ceil(x); }), true;
    case MUDNN_POINTWISE_COS:
      return map1(in, out, n, [](V x) { return std::cos(x); }), true;
    case MUDNN_POINTWISE_EXP:
      return map1(in, out, n, [](V x) { return std::exp(x); }), true;
    case MUDNN_POINTWISE_FLOOR:
      return map1(in, out, n, [](V x) { return std::floor(x); }), true;
    case MUDNN_POINTWISE_LOG:
      return map1(in, out, n, [](V x) { return std::log(x); }), true;
    case MUDNN_POINTWISE_NEG:
      return map1(in, out, n, [](V x) { return -x; }), true;
    case MUDNN_POINTWISE_RSQRT:
      return map1(in, out, n, [](V x) { return 1 / std::sqrt(x); }), true;
    case MUDNN_POINTWISE_SIN:
      return map1(in, out, n, [](V x) { return std::sin(x); }), true;
    case MUDNN_POINTWISE_TAN:
      return map1(in, out, n, [](V x) { return std::tan(x); }), true;
    case MUDNN_POINTWISE_ERF:
      return map1(in, out, n, [](V x) { return std::erf(x); }), true;
    case MUDNN_POINTWISE_IDENTITY:
      return map1(in, out, n, [](V x) { return x; }), true;
    case MUDNN_POINTWISE_RECIPROCAL:
      return map1(in, out, n, [](V x) { return 1 / x; }), true;
    case MUDNN_POINTWISE_LOGICAL_NOT:
      return map1(in, out, n, [](V x) { return static_cast<V>(x == 0); }), true;
    case MUDNN_POINTWISE_RELU_FWD:
      return map1(in, out, n,
                  [=](V x) { return x < lower   ? lower + slope * (x - lower)
                                    : x > upper ? upper
                                                : x; }),
             true;
    case MUDNN_POINTWISE_TANH_FWD:
      return map1(in, out, n, [](V x) { return std::tanh(x); }), true;
    case MUDNN_POINTWISE_SIGMOID_FWD:
      return map1(in, out, n, [](V x) { return sigmoid(x); }), true;
    case MUDNN_POINTWISE_ELU_FWD:
      return map1(in, out, n, [=](V x) { return x < 0 ? alpha * std::expm1(x) : x; }), true;
    case MUDNN_POINTWISE_GELU_FWD:
      return map1(in, out, n, [](V x) { return x * normal(x); }), true;
    case MUDNN_POINTWISE_SOFTPLUS_FWD:
      return map1(
                 in, out, n,
                 [=](V x) { return std::fmax(x, V(0)) + std::log1p(std::exp(-std::fabs(beta * x))) / beta; }),
             true;
    case MUDNN_POINTWISE_SWISH_FWD:
      return map1(in, out, n, [=](V x) { return x * sigmoid(beta * x); }), true;
    case MUDNN_POINTWISE_GELU_APPROX_TANH_FWD:
      return map1(in, out, n, [](V x) { return V(0.5) * x * (1 + std::tanh(inner(x))); }), true;
    default:
      return false;
  }
}

template <class V>
V floorMod(V x, V b) {
  return x - std::floor(x / b) * b;
}

template <class V>
bool binary(const PointwiseSettings& s, const V* const* in, V* out, int64_t n) {
  switch (s.mode) {
    case MUDNN_POINTWISE_ADD:
      return map2(in, out, n, [](V x, V b) { return x + b; }), true;
    case MUDNN_POINTWISE_ADD_SQUARE:
      return map2(in, out, n, [](V x, V b) { return x + b * b; }), true;
    case MUDNN_POINTWISE_DIV:
      return map2(in, out, n, [](V x, V b) { return x / b; }), true;
    case MUDNN_POINTWISE_MAX:
      return map2(in, out, n, [](V x, V b) { return x > b || std::isnan(x) ? x : b; }), true;
    case MUDNN_POINTWISE_MIN:
      return map2(in, out, n, [](V x, V b) { return x < b || std::isnan(x) ? x : b; }), true;
    case MUDNN_POINTWISE_MOD:
      return map2(in, out, n, [](V x, V b) { return std::fmod(x, b); }), true;
    case MUDNN_POINTWISE_FLOOR_MOD:
      return map2(in, out, n, [](V x, V b) { return floorMod(x, b); }), true;
    case MUDNN_POINTWISE_MUL:
      return map2(in, out, n, [](V x, V b) { return x * b; }), true;
    case MUDNN_POINTWISE_POW:
      return map2(in, out, n, [](V x, V b) { return std::pow(x, b); }), true;
    case MUDNN_POINTWISE_SUB:
      return map2(in, out, n, [](V x, V b) { return x - b; }), true;
    case MUDNN_POINTWISE_ATAN2:
      return map2(in, out, n, [](V x, V b) { return std::atan2(x, b); }), true;
    case MUDNN_POINTWISE_CMP_EQ:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x == b); }), true;
    case MUDNN_POINTWISE_CMP_NEQ:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x != b); }), true;
    case MUDNN_POINTWISE_CMP_GT:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x > b); }), true;
    case MUDNN_POINTWISE_CMP_GE:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x >= b); }), true;
    case MUDNN_POINTWISE_CMP_LT:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x < b); }), true;
    case MUDNN_POINTWISE_CMP_LE:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x <= b); }), true;
    case MUDNN_POINTWISE_LOGICAL_AND:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x != 0 && b != 0); }), true;
    case MUDNN_POINTWISE_LOGICAL_OR:
      return map2(in, out, n, [](V x, V b) { return static_cast<V>(x != 0 || b != 0); }), true;
    case MUDNN_POINTWISE_BINARY_SELECT:
      for (int64_t i = 0; i < n; ++i) out[i] = in[2][i] != 0 ? in[0][i] : in[1][i];
      return true;
    default:
      return false;
  }
}

// x, and the gradient dy of the function's value.
template <class V>
bool backward(const PointwiseSettings& s, const V* const* in, V* out, int64_t n) {
  const V lower = static_cast<V>(s.lower), upper = static_cast<V>(s.upper), slope = static_cast<V>(s.slope),
          alpha = static_cast<V>(s.alpha), beta = static_cast<V>(s.beta);
  switch (s.mode) {
    case MUDNN_POINTWISE_RELU_BWD:
      return map2(in, out, n, [=](V x, V dy) { return x > lower ? (x < upper ? dy : V(0)) : slope * dy; }),
             true;
    case MUDNN_POINTWISE_TANH_BWD:
      return map2(in, out, n,
                  [](V x, V dy) {
                    const V y = std::tanh(x);
                    return dy * (1 - y * y);
                  }),
             true;
    case MUDNN_POINTWISE_SIGMOID_BWD:
      return map2(in, out, n,
                  [](V x, V dy) {
                    const V y = sigmoid(x);
                    return dy * y * (1 - y);
                  }),
             true;
    case MUDNN_POINTWISE_ELU_BWD:
      return map2(in, out, n, [=](V x, V dy) { return x < 0 ? dy * alpha * std::exp(x) : dy; }), true;
    case MUDNN_POINTWISE_GELU_BWD:
      return map2(in, out, n, [](V x, V dy) { return dy * (normal(x) + x * density(x)); }), true;
    case MUDNN_POINTWISE_SOFTPLUS_BWD:
      return map2(in, out, n, [=](V x, V dy) { return dy * sigmoid(beta * x); }), true;
    case MUDNN_POINTWISE_SWISH_BWD:
      return map2(in, out, n,
                  [=](V x, V dy) {
                    const V y = sigmoid(beta * x);
                    return dy * (y + beta * x * y * (1 - y));
                  }),
             true;
    case MUDNN_POINTWISE_GELU_APPROX_TANH_BWD:
      return map2(in, out, n,
                  [](V x, V dy) {
                    const V y = std::tanh(inner(x));
                    const V slope = V(0.79788456080286536) * (1 + 3 * V(0.044715) * x * x);
                    return dy * V(0.5) * (1 + y + x * (1 - y * y) * slope);
                  }),
             true;
    default:
      return false;
  }
}

}  // namespace

template <class V>
void pointwise(const PointwiseSettings& settings, const V* const* inputs, V* out, int64_t count) {
  const bool isKnown = forward(settings, inputs, out, count) || binary(settings, inputs, out, count) ||
                       backward(settings, inputs, out, count);
  check(isKnown, MUDNN_STATUS_NOT_SUPPORTED, "there is no such pointwise mode");
}
template void pointwise<float>(const PointwiseSettings&, const float* const*, float*, int64_t);
template void pointwise<double>(const PointwiseSettings&, const double* const*, double*, int64_t);

}  // namespace musashim::mudnn::graph
