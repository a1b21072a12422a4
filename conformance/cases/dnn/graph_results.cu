// links: cudnn
// Results of graphs: convolutions and products with what is fused behind them, norms, resampling.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_results");

using Sizes = std::vector<int64_t>;
static cudnnHandle_t handle = nullptr;
static const auto kHalf = CUDNN_DATA_HALF;
static const auto kFloat = CUDNN_DATA_FLOAT;

static void pointwise(Node& how, Node& operation, cudnnPointwiseMode_t mode, const TensorNode& x,
                      const TensorNode* b, const TensorNode& y) {
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
  how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, kFloat).finish();
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x).set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  if (b) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
  if (operation.finish() != CUDNN_STATUS_SUCCESS) fprintf(stderr, "pointwise operation %d failed\n", mode);
}

struct Window {
  int64_t pad, stride, dilation;
  cudnnConvolutionMode_t mode;
};
static void convolution(Node& how, const Window& window) {
  how.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, kFloat);
  how.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, window.mode);
  how.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, int64_t{2});
  how.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, Sizes(2, window.dilation));
  how.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, Sizes(2, window.stride));
  how.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, Sizes(2, window.pad));
  how.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, Sizes(2, window.pad)).finish();
}

static void forward(const std::string& key, cudnnDataType_t type, const Window& window, const Sizes& y) {
  const Sizes sizes{1, 8, 5, 5}, filters{8, 8, 3, 3};
  TensorNode x(1, type, sizes, TensorNode::kMemory, channelStrides(sizes)),
      w(2, type, filters, TensorNode::kMemory, channelStrides(filters)),
      out(3, type, y, TensorNode::kMemory, channelStrides(y));
  x.fill(quarters(x.count, 1));
  w.fill(quarters(w.count, 2));
  Node how(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR),
      operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  convolution(how, window);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, out);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0f);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0f);
  OBSERVE(key, code(operation.finish()));
  if (runGraph(observedCase, key, handle, {&operation}, {&x, &w, &out}))
    OBSERVE(key + ".values", rounded(out.fetch()));
}

static void backward(bool ofFilter) {
  const std::string key = ofFilter ? "convolution.filter" : "convolution.data";
  const Sizes sizes{1, 8, 5, 5}, filters{8, 8, 3, 3};
  TensorNode x(1, kHalf, sizes, TensorNode::kMemory, channelStrides(sizes)),
      w(2, kHalf, filters, TensorNode::kMemory, channelStrides(filters)),
      y(3, kHalf, sizes, TensorNode::kMemory, channelStrides(sizes));
  x.fill(quarters(x.count, 4));
  w.fill(quarters(w.count, 5));
  y.fill(quarters(y.count, 6));
  Node how(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR),
      operation(ofFilter ? CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR
                         : CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR);
  convolution(how, {1, 1, 1, CUDNN_CROSS_CORRELATION});
  if (ofFilter) {
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, x)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, w);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, y);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, how);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, 1.0f);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, 0.0f);
  } else {
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, x)
        .set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, w);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, y);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, how);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 1.0f);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 0.0f);
  }
  OBSERVE(key, code(operation.finish()));
  if (!runGraph(observedCase, key, handle, {&operation}, {&x, &w, &y})) return;
  std::vector<float> values = (ofFilter ? w : x).fetch();
  values.resize(64);
  OBSERVE(key + ".values", rounded(values));
}

static void convolutionBiasRelu() {
  const Sizes sizes{1, 8, 4, 4}, filters{8, 8, 3, 3}, ones{1, 8, 1, 1};
  TensorNode x(1, kHalf, sizes, TensorNode::kMemory, channelStrides(sizes)),
      w(2, kHalf, filters, TensorNode::kMemory, channelStrides(filters)),
      bias(3, kHalf, ones, TensorNode::kMemory, channelStrides(ones)),
      sum(4, kFloat, sizes, TensorNode::kVirtual, channelStrides(sizes)),
      biased(5, kFloat, sizes, TensorNode::kVirtual, channelStrides(sizes)),
      y(6, kHalf, sizes, TensorNode::kMemory, channelStrides(sizes));
  x.fill(quarters(x.count, 7));
  w.fill(quarters(w.count, 8));
  bias.fill(quarters(bias.count, 9));
  Node how(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR),
      operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR),
      add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), adding(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR),
      relu(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), activating(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  convolution(how, {1, 1, 1, CUDNN_CROSS_CORRELATION});
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, sum);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0f);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0f).finish();
  pointwise(add, adding, CUDNN_POINTWISE_ADD, sum, &bias, biased);
  pointwise(relu, activating, CUDNN_POINTWISE_RELU_FWD, biased, nullptr, y);
  if (runGraph(observedCase, "convolution.bias_relu", handle, {&operation, &adding, &activating},
               {&x, &w, &bias, &y}))
    OBSERVE("convolution.bias_relu.values", rounded(y.fetch()));
}

static void product(const std::string& key, cudnnDataType_t type, cudnnPointwiseMode_t mode, bool turned) {
  const Sizes a{2, 8, 16}, b{2, 16, 8}, c{2, 8, 8};
  TensorNode left(1, type, a),
      right(2, type, b, TensorNode::kMemory, turned ? Sizes{128, 1, 16} : Sizes{128, 8, 1}),
      sum(3, kFloat, c, TensorNode::kVirtual), bias(4, type, {1, 1, 8}),
      biased(5, kFloat, c, TensorNode::kVirtual), out(6, type, c);
  left.fill(quarters(left.count, 11));
  right.fill(quarters(right.count, 12));
  bias.fill(quarters(bias.count, 13));
  Node how(CUDNN_BACKEND_MATMUL_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR),
      add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), adding(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR),
      last(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), ending(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, kFloat).finish();
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, left).set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, right);
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, sum).set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how).finish();
  pointwise(add, adding, CUDNN_POINTWISE_ADD, sum, &bias, biased);
  pointwise(last, ending, mode, biased, nullptr, out);
  if (runGraph(observedCase, key, handle, {&operation, &adding, &ending}, {&left, &right, &bias, &out}))
    OBSERVE(key + ".values", rounded(out.fetch(), 1));
}

static void norm(const std::string& key, cudnnBackendNormMode_t mode, cudnnBackendNormFwdPhase_t phase) {
  // Rows of 128; of an instance 8 channels of 16 places.
  const bool byChannel = mode == CUDNN_INSTANCE_NORM;
  const Sizes sizes = byChannel ? Sizes{2, 8, 4, 4} : Sizes{4, 128, 1, 1};
  const Sizes scaled = byChannel ? Sizes{1, 8, 1, 1} : Sizes{1, 128, 1, 1};
  const Sizes counted = byChannel ? Sizes{2, 8, 1, 1} : Sizes{4, 1, 1, 1};
  const auto lay = [](const Sizes& s) { return channelStrides(s); };
  TensorNode x(1, kHalf, sizes, TensorNode::kMemory, lay(sizes)),
      y(2, kHalf, sizes, TensorNode::kMemory, lay(sizes)),
      scale(3, kFloat, scaled, TensorNode::kMemory, lay(scaled)),
      bias(4, kFloat, scaled, TensorNode::kMemory, lay(scaled)),
      mean(5, kFloat, counted, TensorNode::kMemory, lay(counted)),
      deviation(6, kFloat, counted, TensorNode::kMemory, lay(counted)),
      epsilon(7, kFloat, {1, 1, 1, 1}, TensorNode::kValue);
  x.fill(quarters(x.count, 21));
  scale.fill(quarters(scale.count, 22));
  bias.fill(quarters(bias.count, 23));
  epsilon.fill({1e-5f});
  Node operation(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, mode);
  operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, phase);
  operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, x).set(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y);
  operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, scale)
      .set(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, epsilon);
  operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, bias);
  if (phase == CUDNN_NORM_FWD_TRAINING) {
    if (mode != CUDNN_RMS_NORM) operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, mean);
    operation.set(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, deviation);
  }
  OBSERVE(key, code(operation.finish()));
  if (!runGraph(observedCase, key, handle, {&operation},
                {&x, &y, &scale, &bias, &mean, &deviation, &epsilon}))
    return;
  std::vector<float> values = y.fetch();
  values.resize(64);
  OBSERVE(key + ".values", rounded(values, 1));
  if (phase == CUDNN_NORM_FWD_INFERENCE) return;
  if (mode != CUDNN_RMS_NORM) OBSERVE(key + ".mean", rounded(mean.fetch(), 4));
  OBSERVE(key + ".deviation", rounded(deviation.fetch(), 4));
}

static void resample(const std::string& key, cudnnResampleMode_t mode, cudnnPaddingMode_t padding) {
  const Sizes sizes{1, 8, 6, 6}, results{1, 8, 3, 3};
  TensorNode x(1, kHalf, sizes, TensorNode::kMemory, channelStrides(sizes)),
      y(2, kHalf, results, TensorNode::kMemory, channelStrides(results));
  x.fill(quarters(x.count, 31));
  Node how(CUDNN_BACKEND_RESAMPLE_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR);
  how.set(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE, mode)
      .set(CUDNN_ATTR_RESAMPLE_COMP_TYPE, kFloat);
  how.set(CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, CUDNN_PROPAGATE_NAN);
  how.set(CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE, padding);
  how.set(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, int64_t{2});
  const cudnnFraction_t three[2] = {{3, 1}, {3, 1}}, two[2] = {{2, 1}, {2, 1}}, one[2] = {{1, 1}, {1, 1}};
  how.put(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, CUDNN_TYPE_FRACTION, 2, three);
  how.put(CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_TYPE_FRACTION, 2, two);
  how.put(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, CUDNN_TYPE_FRACTION, 2, one);
  how.put(CUDNN_ATTR_RESAMPLE_POST_PADDINGS, CUDNN_TYPE_FRACTION, 2, one);
  OBSERVE(key + ".how", code(how.finish()));
  operation.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, x).set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, y);
  operation.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, how);
  operation.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_ALPHA, 1.0)
      .set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_BETA, 0.0);
  OBSERVE(key, code(operation.finish()));
  if (runGraph(observedCase, key, handle, {&operation}, {&x, &y}))
    OBSERVE(key + ".values", rounded(y.fetch(), 1));
}

int main() {
  if (cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS) return 3;
  forward("convolution.half", kHalf, {1, 1, 1, CUDNN_CROSS_CORRELATION}, {1, 8, 5, 5});
  forward("convolution.float", kFloat, {1, 1, 1, CUDNN_CROSS_CORRELATION}, {1, 8, 5, 5});
  forward("convolution.stride", kHalf, {1, 2, 1, CUDNN_CROSS_CORRELATION}, {1, 8, 3, 3});
  forward("convolution.dilation", kHalf, {2, 1, 2, CUDNN_CROSS_CORRELATION}, {1, 8, 5, 5});
  forward("convolution.flipped", kHalf, {1, 1, 1, CUDNN_CONVOLUTION}, {1, 8, 5, 5});
  backward(false);
  backward(true);
  convolutionBiasRelu();
  product("product.relu", kHalf, CUDNN_POINTWISE_RELU_FWD, false);
  product("product.turned", kHalf, CUDNN_POINTWISE_RELU_FWD, true);
  product("product.gelu", kHalf, CUDNN_POINTWISE_GELU_FWD, false);
  product("product.tanh", kHalf, CUDNN_POINTWISE_TANH_FWD, false);
  product("product.swish", kHalf, CUDNN_POINTWISE_SWISH_FWD, false);
  norm("norm.layer", CUDNN_LAYER_NORM, CUDNN_NORM_FWD_TRAINING);
  norm("norm.layer_inference", CUDNN_LAYER_NORM, CUDNN_NORM_FWD_INFERENCE);
  norm("norm.rms", CUDNN_RMS_NORM, CUDNN_NORM_FWD_TRAINING);
  norm("norm.instance", CUDNN_INSTANCE_NORM, CUDNN_NORM_FWD_TRAINING);
  resample("resample.largest", CUDNN_RESAMPLE_MAXPOOL, CUDNN_NEG_INF_PAD);
  resample("resample.average", CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING, CUDNN_ZERO_PAD);
  resample("resample.average_without", CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING, CUDNN_ZERO_PAD);
  cudnnDestroy(handle);
  return 0;
}
