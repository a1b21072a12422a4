// Gradients of pooling, softmax, activations and normalisation. Where oneDNN's gradient needs what its
// training keeps, and muDNN's call has the input alone, called directly it does both.
#include <musa_runtime_api.h>

#include <algorithm>
#include <memory>

#include "bench/dnn.h"

namespace musashim::bench {
namespace {

struct Tensors {
  mudnnTensorDescriptor_t xDesc, yDesc;
  const float *x, *y, *dy;
  float* dx;
};

void benchGradient(const char* name, const Dims& x, const Dims& y,
                   const std::function<mudnnStatus_t(const Tensors&)>& call,
                   const std::vector<std::shared_ptr<Direct>>& direct, Worst& worst) {
  const DeviceArray in(countOf(x)), out(countOf(y)), gradOut(countOf(y)), gradIn(countOf(x));
  const Tensors tensors{tensorOf(x, false), tensorOf(y, false), in.data(),
                        out.data(),         gradOut.data(),     gradIn.data()};
  compare(
      name,
      [&] {
        check(call(tensors), name);
        check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
      },
      {[&] {
        for (const auto& part : direct) part->run();
        stream().wait();
      }},
      worst);
  mudnnDestroyTensorDescriptor(tensors.xDesc);
  mudnnDestroyTensorDescriptor(tensors.yDesc);
}

// The training that fills `workspace`, if there is one.
template <class Forward>
std::vector<std::shared_ptr<Direct>> trained(const typename Forward::primitive_desc& forward,
                                             const memory& workspace) {
  if (!workspace) return {};
  const auto training = std::make_shared<Direct>();
  training->own(DNNL_ARG_SRC, training->array(forward.src_desc()));
  training->own(DNNL_ARG_DST, training->array(forward.dst_desc()));
  training->own(DNNL_ARG_WORKSPACE, workspace);
  training->set(Forward(forward));
  return {training};
}

memory workspaceOf(const memory::desc& layout) {
  return layout.get_size() == 0 ? memory() : memory(layout, engine());
}

void benchPooling(bool isMax, Worst& worst) {
  const Dims x{8, 64, 112, 112}, y{8, 64, 56, 56};
  const mudnnPoolingDescriptor_t how = poolingOf(isMax);
  const auto algorithm = isMax ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding;
  const memory::desc in = layoutOf(x, false), out = layoutOf(y, false);
  const Dims strides{2, 2}, window{3, 3}, none{0, 0}, low{1, 1}, high{0, 0};
  const dnnl::pooling_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training, algorithm,
                                                      in, out, strides, window, none, low, high);
  const dnnl::pooling_backward::primitive_desc backward(engine(), algorithm, in, out, strides, window, none,
                                                        low, high, forward);
  const memory workspace = workspaceOf(forward.workspace_desc());
  auto direct = trained<dnnl::pooling_forward>(forward, workspace);
  const auto gradient = std::make_shared<Direct>();
  gradient->own(DNNL_ARG_DIFF_DST, gradient->array(out));
  gradient->own(DNNL_ARG_DIFF_SRC, gradient->array(in));
  if (workspace) gradient->own(DNNL_ARG_WORKSPACE, workspace);
  gradient->set(dnnl::pooling_backward(backward));
  direct.push_back(gradient);
  const float one = 1, zero = 0;
  benchGradient(
      isMax ? "maxima of 3x3 / 2, gradient" : "averages of 3x3 / 2, gradient", x, y,
      [&](const Tensors& t) {
        return mudnnPoolingBackward(handle(), how, &one, t.yDesc, t.y, t.yDesc, t.dy, t.xDesc, t.x, &zero,
                                    t.xDesc, t.dx);
      },
      direct, worst);
  mudnnDestroyPoolingDescriptor(how);
}

void benchSoftmax(Worst& worst) {
  const Dims x{512, 1000, 1, 1};
  const memory::desc layout = layoutOf(x, false);
  const auto algorithm = dnnl::algorithm::softmax_accurate;
  const dnnl::softmax_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training, algorithm,
                                                      layout, layout, 1);
  const auto gradient = std::make_shared<Direct>();
  for (const int argument : {DNNL_ARG_DST, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC})
    gradient->own(argument, gradient->array(layout));
  gradient->set(dnnl::softmax_backward(
      dnnl::softmax_backward::primitive_desc(engine(), algorithm, layout, layout, layout, 1, forward)));
  const float one = 1, zero = 0;
  benchGradient(
      "softmax, gradient", x, x,
      [&](const Tensors& t) {
        return mudnnSoftmaxBackward(handle(), MUDNN_SOFTMAX_ACCURATE, MUDNN_SOFTMAX_MODE_INSTANCE, &one,
                                    t.yDesc, t.y, t.yDesc, t.dy, &zero, t.xDesc, t.dx);
      },
      {gradient}, worst);
}

void benchActivation(Worst& worst, const char* name, mudnnActivationMode_t mode, dnnl::algorithm before,
                     dnnl::algorithm algorithm) {
  const Dims x{8, 256, 56, 56};
  const memory::desc layout = layoutOf(x, false);
  const dnnl::eltwise_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training, algorithm,
                                                      layout, layout);
  const auto gradient = std::make_shared<Direct>();
  const bool readsIn = before == algorithm;
  for (const int argument : {readsIn ? DNNL_ARG_SRC : DNNL_ARG_DST, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC})
    gradient->own(argument, gradient->array(layout));
  gradient->set(dnnl::eltwise_backward(
      dnnl::eltwise_backward::primitive_desc(engine(), algorithm, layout, layout, layout, forward)));
  mudnnActivationDescriptor_t how = nullptr;
  check(mudnnCreateActivationDescriptor(&how), "mudnnCreateActivationDescriptor");
  check(mudnnSetActivationDescriptor(how, mode, MUDNN_PROPAGATE_NAN, 0), "mudnnSetActivationDescriptor");
  const float one = 1, zero = 0;
  benchGradient(
      name, x, x,
      [&](const Tensors& t) {
        return mudnnActivationBackward(handle(), how, &one, t.yDesc, t.y, t.yDesc, t.dy, t.xDesc, t.x, &zero,
                                       t.xDesc, t.dx);
      },
      {gradient}, worst);
  mudnnDestroyActivationDescriptor(how);
}

void benchBatchNorm(Worst& worst) {
  const Dims x{8, 256, 28, 28};
  const memory::desc layout = layoutOf(x, false),
                     vector({256}, memory::data_type::f32, memory::format_tag::a);
  using Flags = dnnl::normalization_flags;
  const Flags flags = Flags::use_scale | Flags::use_shift;
  const dnnl::batch_normalization_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training,
                                                                  layout, layout, 1e-5F, flags);
  const auto gradient = std::make_shared<Direct>();
  for (const int argument : {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC})
    gradient->own(argument, gradient->array(layout));
  for (const int argument : {DNNL_ARG_MEAN, DNNL_ARG_SCALE, DNNL_ARG_DIFF_SCALE, DNNL_ARG_DIFF_SHIFT})
    gradient->own(argument, gradient->array(vector));
  const memory variance = gradient->array(vector);
  std::fill_n(static_cast<float*>(variance.get_data_handle()), 256, 1.0F);
  gradient->own(DNNL_ARG_VARIANCE, variance);
  gradient->set(dnnl::batch_normalization_backward(dnnl::batch_normalization_backward::primitive_desc(
      engine(), dnnl::prop_kind::backward, layout, layout, layout, 1e-5F, flags, forward)));
  const DeviceArray scale(256), mean(256), inverse(256), gradScale(256), gradBias(256);
  const mudnnTensorDescriptor_t channels = tensorOf({1, 256, 1, 1}, false);
  const float one = 1, zero = 0;
  benchGradient(
      "batch normalisation, gradient", x, x,
      [&](const Tensors& t) {
        return mudnnBatchNormalizationBackward(handle(), MUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero,
                                               t.xDesc, t.x, t.yDesc, t.dy, t.xDesc, t.dx, channels,
                                               scale.data(), gradScale.data(), gradBias.data(), 1e-5,
                                               mean.data(), inverse.data());
      },
      {gradient}, worst);
  mudnnDestroyTensorDescriptor(channels);
}

void benchLrn(Worst& worst) {
  const Dims x{8, 64, 56, 56};
  const memory::desc layout = layoutOf(x, false);
  const auto algorithm = dnnl::algorithm::lrn_across_channels;
  const dnnl::lrn_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training, algorithm,
                                                  layout, layout, 5, 1e-4F, 0.75F, 2.0F);
  const memory workspace = workspaceOf(forward.workspace_desc());
  auto direct = trained<dnnl::lrn_forward>(forward, workspace);
  const auto gradient = std::make_shared<Direct>();
  for (const int argument : {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC})
    gradient->own(argument, gradient->array(layout));
  if (workspace) gradient->own(DNNL_ARG_WORKSPACE, workspace);
  gradient->set(dnnl::lrn_backward(dnnl::lrn_backward::primitive_desc(
      engine(), algorithm, layout, layout, layout, 5, 1e-4F, 0.75F, 2.0F, forward)));
  direct.push_back(gradient);
  mudnnLRNDescriptor_t how = nullptr;
  check(mudnnCreateLRNDescriptor(&how), "mudnnCreateLRNDescriptor");
  check(mudnnSetLRNDescriptor(how, 5, 1e-4, 0.75, 2), "mudnnSetLRNDescriptor");
  const float one = 1, zero = 0;
  benchGradient(
      "LRN, gradient", x, x,
      [&](const Tensors& t) {
        return mudnnLRNCrossChannelBackward(handle(), how, MUDNN_LRN_CROSS_CHANNEL_DIM1, &one, t.yDesc, t.y,
                                            t.yDesc, t.dy, t.xDesc, t.x, &zero, t.xDesc, t.dx);
      },
      direct, worst);
  mudnnDestroyLRNDescriptor(how);
}

}  // namespace

void benchOtherGradients(Worst& worst) {
  benchPooling(true, worst);
  benchPooling(false, worst);
  benchSoftmax(worst);
  benchActivation(worst, "ReLU, gradient", MUDNN_ACTIVATION_RELU, dnnl::algorithm::eltwise_relu,
                  dnnl::algorithm::eltwise_relu);
  benchActivation(worst, "sigmoid, gradient", MUDNN_ACTIVATION_SIGMOID, dnnl::algorithm::eltwise_logistic,
                  dnnl::algorithm::eltwise_logistic_use_dst_for_bwd);
  benchActivation(worst, "tanh, gradient", MUDNN_ACTIVATION_TANH, dnnl::algorithm::eltwise_tanh,
                  dnnl::algorithm::eltwise_tanh_use_dst_for_bwd);
  benchBatchNorm(worst);
  benchLrn(worst);
}

}  // namespace musashim::bench
