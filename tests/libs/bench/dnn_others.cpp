// Pooling, softmax, activations, normalisation.
#include <musa_runtime_api.h>

#include <algorithm>
#include <memory>

#include "bench/dnn.h"

namespace musashim::bench {
namespace {

// What has one tensor in and one out.
using Call = std::function<mudnnStatus_t(mudnnTensorDescriptor_t in, const float* x,
                                         mudnnTensorDescriptor_t out, float* y)>;
void benchOther(const char* name, const Dims& x, const Dims& y, const Call& call,
                const std::shared_ptr<Direct>& direct, Worst& worst, int calls = 1) {
  const DeviceArray in(countOf(x)), out(countOf(y));
  const mudnnTensorDescriptor_t inDesc = tensorOf(x, false), outDesc = tensorOf(y, false);
  compare(
      name,
      [&] {
        for (int i = 0; i < calls; ++i) check(call(inDesc, in.data(), outDesc, out.data()), name);
        check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
      },
      {[&] {
        for (int i = 0; i < calls; ++i) direct->run();
        stream().wait();
      }},
      worst, calls);
  mudnnDestroyTensorDescriptor(inDesc);
  mudnnDestroyTensorDescriptor(outDesc);
}

void benchPooling(bool isMax, Worst& worst) {
  const Dims x{8, 64, 112, 112}, y{8, 64, 56, 56};
  const mudnnPoolingDescriptor_t how = poolingOf(isMax);
  const dnnl::pooling_forward::primitive_desc forward(
      engine(), dnnl::prop_kind::forward_inference,
      isMax ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding, layoutOf(x, false),
      layoutOf(y, false), {2, 2}, {3, 3}, {0, 0}, {1, 1}, {0, 0});
  const auto direct = std::make_shared<Direct>();
  direct->input(DNNL_ARG_SRC, layoutOf(x, false), forward.src_desc());
  direct->output(DNNL_ARG_DST, layoutOf(y, false), forward.dst_desc());
  direct->set(dnnl::pooling_forward(forward));
  const float one = 1, zero = 0;
  benchOther(
      isMax ? "maxima of 3x3 / 2" : "averages of 3x3 / 2", x, y,
      [&](mudnnTensorDescriptor_t in, const float* from, mudnnTensorDescriptor_t out, float* to) {
        return mudnnPoolingForward(handle(), how, &one, in, from, &zero, out, to);
      },
      direct, worst);
  mudnnDestroyPoolingDescriptor(how);
}

void benchSoftmax(Worst& worst, int64_t rows, int64_t length, int calls) {
  const Dims x{rows, length, 1, 1};
  const memory::desc layout = layoutOf(x, false);
  const dnnl::softmax_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_inference,
                                                      dnnl::algorithm::softmax_accurate, layout, layout, 1);
  const auto direct = std::make_shared<Direct>();
  direct->input(DNNL_ARG_SRC, layout, layout);
  direct->output(DNNL_ARG_DST, layout, layout);
  direct->set(dnnl::softmax_forward(forward));
  const float one = 1, zero = 0;
  benchOther(
      calls == 1 ? "softmax" : "softmax, small", x, x,
      [&](mudnnTensorDescriptor_t in, const float* from, mudnnTensorDescriptor_t out, float* to) {
        return mudnnSoftmaxForward(handle(), MUDNN_SOFTMAX_ACCURATE, MUDNN_SOFTMAX_MODE_INSTANCE, &one, in,
                                   from, &zero, out, to);
      },
      direct, worst, calls);
}

void benchActivation(Worst& worst, const char* name, mudnnActivationMode_t mode, dnnl::algorithm algorithm) {
  const Dims x{8, 256, 56, 56};
  const memory::desc layout = layoutOf(x, false);
  const dnnl::eltwise_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_inference, algorithm,
                                                      layout, layout);
  const auto direct = std::make_shared<Direct>();
  direct->input(DNNL_ARG_SRC, layout, layout);
  direct->output(DNNL_ARG_DST, layout, layout);
  direct->set(dnnl::eltwise_forward(forward));
  mudnnActivationDescriptor_t how = nullptr;
  check(mudnnCreateActivationDescriptor(&how), "mudnnCreateActivationDescriptor");
  check(mudnnSetActivationDescriptor(how, mode, MUDNN_PROPAGATE_NAN, 0), "mudnnSetActivationDescriptor");
  const float one = 1, zero = 0;
  benchOther(
      name, x, x,
      [&](mudnnTensorDescriptor_t in, const float* from, mudnnTensorDescriptor_t out, float* to) {
        return mudnnActivationForward(handle(), how, &one, in, from, &zero, out, to);
      },
      direct, worst);
  mudnnDestroyActivationDescriptor(how);
}

void benchBatchNorm(Worst& worst, bool trains) {
  const Dims x{8, 256, 28, 28}, c{1, 256, 1, 1};
  const memory::desc layout = layoutOf(x, false),
                     vector({256}, memory::data_type::f32, memory::format_tag::a);
  using Flags = dnnl::normalization_flags;
  Flags flags = Flags::use_scale | Flags::use_shift;
  if (!trains) flags |= Flags::use_global_stats;
  const dnnl::batch_normalization_forward::primitive_desc forward(
      engine(), trains ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference, layout,
      layout, 1e-5F, flags);
  const auto direct = std::make_shared<Direct>();
  direct->input(DNNL_ARG_SRC, layout, layout);
  for (const int argument : {DNNL_ARG_MEAN, DNNL_ARG_SCALE, DNNL_ARG_SHIFT})
    direct->own(argument, direct->array(vector));
  memory variance = direct->array(vector);
  std::fill_n(static_cast<float*>(variance.get_data_handle()), 256, 1.0F);
  direct->own(DNNL_ARG_VARIANCE, variance);
  direct->output(DNNL_ARG_DST, layout, layout);
  direct->set(dnnl::batch_normalization_forward(forward));
  const DeviceArray scale(256), bias(256), mean(256), ones(256), savedMean(256), savedInverse(256);
  const std::vector<float> one256(256, 1.0F);
  (void)musaMemcpy(ones.data(), one256.data(), 1024, musaMemcpyHostToDevice);
  const mudnnTensorDescriptor_t channels = tensorOf(c, false);
  const float one = 1, zero = 0;
  benchOther(
      trains ? "batch normalisation, training" : "batch normalisation, inference", x, x,
      [&](mudnnTensorDescriptor_t in, const float* from, mudnnTensorDescriptor_t out, float* to) {
        if (!trains)
          return mudnnBatchNormalizationForwardInference(handle(), MUDNN_BATCHNORM_SPATIAL, &one, &zero, in,
                                                         from, out, to, channels, scale.data(), bias.data(),
                                                         mean.data(), ones.data(), 1e-5);
        return mudnnBatchNormalizationForwardTraining(
            handle(), MUDNN_BATCHNORM_SPATIAL, &one, &zero, in, from, out, to, channels, scale.data(),
            bias.data(), 0.1, mean.data(), ones.data(), 1e-5, savedMean.data(), savedInverse.data());
      },
      direct, worst);
  mudnnDestroyTensorDescriptor(channels);
}

void benchLrn(Worst& worst) {
  const Dims x{8, 64, 56, 56};
  const memory::desc layout = layoutOf(x, false);
  const dnnl::lrn_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_inference,
                                                  dnnl::algorithm::lrn_across_channels, layout, layout, 5,
                                                  1e-4F, 0.75F, 2.0F);
  const auto direct = std::make_shared<Direct>();
  direct->input(DNNL_ARG_SRC, layout, layout);
  direct->output(DNNL_ARG_DST, layout, layout);
  direct->set(dnnl::lrn_forward(forward));
  mudnnLRNDescriptor_t how = nullptr;
  check(mudnnCreateLRNDescriptor(&how), "mudnnCreateLRNDescriptor");
  check(mudnnSetLRNDescriptor(how, 5, 1e-4, 0.75, 2), "mudnnSetLRNDescriptor");
  const float one = 1, zero = 0;
  benchOther(
      "LRN", x, x,
      [&](mudnnTensorDescriptor_t in, const float* from, mudnnTensorDescriptor_t out, float* to) {
        return mudnnLRNCrossChannelForward(handle(), how, MUDNN_LRN_CROSS_CHANNEL_DIM1, &one, in, from, &zero,
                                           out, to);
      },
      direct, worst);
  mudnnDestroyLRNDescriptor(how);
}

}  // namespace

void benchOthers(Worst& worst) {
  benchPooling(true, worst);
  benchPooling(false, worst);
  benchSoftmax(worst, 512, 1000, 1);
  benchActivation(worst, "ReLU", MUDNN_ACTIVATION_RELU, dnnl::algorithm::eltwise_relu);
  benchActivation(worst, "sigmoid", MUDNN_ACTIVATION_SIGMOID, dnnl::algorithm::eltwise_logistic);
  benchActivation(worst, "tanh", MUDNN_ACTIVATION_TANH, dnnl::algorithm::eltwise_tanh);
  benchBatchNorm(worst, false);
  benchBatchNorm(worst, true);
  benchLrn(worst);
}

void benchSmallOthers(Worst& worst) { benchSoftmax(worst, 1, 8, 100); }

}  // namespace musashim::bench
