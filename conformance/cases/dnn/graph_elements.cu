// links: cudnn
// Pointwise operations of every mode, and reductions of every operator, as graphs of one operation.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_elements");

using Sizes = std::vector<int64_t>;
static cudnnHandle_t handle = nullptr;
static const auto kFloat = CUDNN_DATA_FLOAT;
static const Sizes kSizes{1, 16, 4, 4};

static std::vector<float> inputs(unsigned seed, bool positive) {
  std::vector<float> values = quarters(256, seed);
  if (positive)
    for (float& v : values) v = fabsf(v) + 0.25f;
  return values;
}

static void pointwise(const std::string& name, int mode, int count, bool positive, bool backward) {
  const auto strides = channelStrides(kSizes);
  TensorNode x(1, kFloat, kSizes, TensorNode::kMemory, strides),
      b(2, kFloat, kSizes, TensorNode::kMemory, strides), y(3, kFloat, kSizes, TensorNode::kMemory, strides);
  x.fill(inputs(41, positive));
  b.fill(inputs(42, positive));
  Node how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, static_cast<cudnnPointwiseMode_t>(mode));
  how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, kFloat);
  if (mode == CUDNN_POINTWISE_RELU_FWD) how.set(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, 1.5);
  const std::string key = "pointwise." + name;
  OBSERVE(key + ".how", code(how.finish()));
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  if (backward) {
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, b).set(CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, y);
  } else {
    if (count > 1) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  }
  OBSERVE(key, code(operation.finish()));
  const bool ran = count > 1 || backward ? runGraph(observedCase, key, handle, {&operation}, {&x, &b, &y})
                                         : runGraph(observedCase, key, handle, {&operation}, {&x, &y});
  if (!ran) return;
  std::vector<float> values = y.fetch();
  values.resize(24);
  OBSERVE(key + ".values", rounded(values, 3));
}

static void reduction(const std::string& name, cudnnReduceTensorOp_t op, const Sizes& kept) {
  TensorNode x(1, kFloat, kSizes, TensorNode::kMemory, channelStrides(kSizes)),
      y(2, kFloat, kept, TensorNode::kMemory, channelStrides(kept));
  std::vector<float> values = quarters(256, 51);
  if (op == CUDNN_REDUCE_TENSOR_MUL || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS)
    for (float& v : values) v = v > 0 ? 1.0f : v < -1 ? -1.0f : 0.5f;
  x.fill(values);
  Node how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, op);
  how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, kFloat);
  const std::string key = "reduction." + name;
  OBSERVE(key + ".how", code(how.finish()));
  operation.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x).set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
  operation.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
  OBSERVE(key, code(operation.finish()));
  if (runGraph(observedCase, key, handle, {&operation}, {&x, &y}))
    OBSERVE(key + ".values", rounded(y.fetch(), 2));
}

int main() {
  if (cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS) return 3;
  struct Mode {
    const char* name;
    int mode, count;
    bool positive;
  };
  const Mode modes[] = {{"add", CUDNN_POINTWISE_ADD, 2, false},
                        {"mul", CUDNN_POINTWISE_MUL, 2, false},
                        {"min", CUDNN_POINTWISE_MIN, 2, false},
                        {"max", CUDNN_POINTWISE_MAX, 2, false},
                        {"sqrt", CUDNN_POINTWISE_SQRT, 1, true},
                        {"add_square", CUDNN_POINTWISE_ADD_SQUARE, 2, false},
                        {"div", CUDNN_POINTWISE_DIV, 2, true},
                        {"mod", CUDNN_POINTWISE_MOD, 2, true},
                        {"pow", CUDNN_POINTWISE_POW, 2, true},
                        {"sub", CUDNN_POINTWISE_SUB, 2, false},
                        {"abs", CUDNN_POINTWISE_ABS, 1, false},
                        {"ceil", CUDNN_POINTWISE_CEIL, 1, false},
                        {"cos", CUDNN_POINTWISE_COS, 1, false},
                        {"exp", CUDNN_POINTWISE_EXP, 1, false},
                        {"floor", CUDNN_POINTWISE_FLOOR, 1, false},
                        {"log", CUDNN_POINTWISE_LOG, 1, true},
                        {"neg", CUDNN_POINTWISE_NEG, 1, false},
                        {"rsqrt", CUDNN_POINTWISE_RSQRT, 1, true},
                        {"sin", CUDNN_POINTWISE_SIN, 1, false},
                        {"tan", CUDNN_POINTWISE_TAN, 1, false},
                        {"erf", CUDNN_POINTWISE_ERF, 1, false},
                        {"identity", CUDNN_POINTWISE_IDENTITY, 1, false},
                        {"reciprocal", CUDNN_POINTWISE_RECIPROCAL, 1, true},
                        {"relu", CUDNN_POINTWISE_RELU_FWD, 1, false},
                        {"tanh", CUDNN_POINTWISE_TANH_FWD, 1, false},
                        {"sigmoid", CUDNN_POINTWISE_SIGMOID_FWD, 1, false},
                        {"elu", CUDNN_POINTWISE_ELU_FWD, 1, false},
                        {"gelu", CUDNN_POINTWISE_GELU_FWD, 1, false},
                        {"softplus", CUDNN_POINTWISE_SOFTPLUS_FWD, 1, false},
                        {"swish", CUDNN_POINTWISE_SWISH_FWD, 1, false},
                        {"gelu_tanh", CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, 1, false},
                        {"equal", CUDNN_POINTWISE_CMP_EQ, 2, false},
                        {"greater", CUDNN_POINTWISE_CMP_GT, 2, false},
                        {"less_equal", CUDNN_POINTWISE_CMP_LE, 2, false}};
  for (const Mode& one : modes) pointwise(one.name, one.mode, one.count, one.positive, false);
  const Mode gradients[] = {{"relu_bwd", CUDNN_POINTWISE_RELU_BWD, 1, false},
                            {"tanh_bwd", CUDNN_POINTWISE_TANH_BWD, 1, false},
                            {"sigmoid_bwd", CUDNN_POINTWISE_SIGMOID_BWD, 1, false},
                            {"elu_bwd", CUDNN_POINTWISE_ELU_BWD, 1, false},
                            {"gelu_bwd", CUDNN_POINTWISE_GELU_BWD, 1, false},
                            {"softplus_bwd", CUDNN_POINTWISE_SOFTPLUS_BWD, 1, false},
                            {"swish_bwd", CUDNN_POINTWISE_SWISH_BWD, 1, false},
                            {"gelu_tanh_bwd", CUDNN_POINTWISE_GELU_APPROX_TANH_BWD, 1, false}};
  for (const Mode& one : gradients) pointwise(one.name, one.mode, one.count, one.positive, true);

  const Sizes channels{1, 16, 1, 1}, one{1, 1, 1, 1};
  reduction("add", CUDNN_REDUCE_TENSOR_ADD, channels);
  reduction("add_all", CUDNN_REDUCE_TENSOR_ADD, one);
  reduction("mul", CUDNN_REDUCE_TENSOR_MUL, channels);
  reduction("min", CUDNN_REDUCE_TENSOR_MIN, channels);
  reduction("max", CUDNN_REDUCE_TENSOR_MAX, channels);
  reduction("amax", CUDNN_REDUCE_TENSOR_AMAX, channels);
  reduction("amax_all", CUDNN_REDUCE_TENSOR_AMAX, one);
  reduction("avg", CUDNN_REDUCE_TENSOR_AVG, channels);
  reduction("norm1", CUDNN_REDUCE_TENSOR_NORM1, channels);
  reduction("norm2", CUDNN_REDUCE_TENSOR_NORM2, channels);
  reduction("mul_no_zeros", CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS, channels);
  cudnnDestroy(handle);
  return 0;
}
