// ResNet-50's convolutions, and small ones.
#include <musa_runtime_api.h>

#include <cstdio>
#include <memory>

#include "bench/dnn.h"

namespace musashim::bench {
namespace {

memory::desc anyOf(const Dims& sizes) { return {sizes, memory::data_type::f32, memory::format_tag::any}; }

enum class Pass { kForward, kData, kFilter };

struct Shape {
  int64_t channels, places, outputs, window, stride;
};

// All different convolutions of ResNet-50.
constexpr Shape kResNet[] = {
    {3, 224, 64, 7, 2},     {64, 56, 64, 1, 1},    {64, 56, 64, 3, 1},    {64, 56, 256, 1, 1},
    {256, 56, 64, 1, 1},    {256, 56, 128, 1, 1},  {128, 56, 128, 3, 2},  {128, 28, 512, 1, 1},
    {256, 56, 512, 1, 2},   {512, 28, 128, 1, 1},  {128, 28, 128, 3, 1},  {512, 28, 256, 1, 1},
    {256, 28, 256, 3, 2},   {256, 14, 1024, 1, 1}, {512, 28, 1024, 1, 2}, {1024, 14, 256, 1, 1},
    {256, 14, 256, 3, 1},   {1024, 14, 512, 1, 1}, {512, 14, 512, 3, 2},  {512, 7, 2048, 1, 1},
    {1024, 14, 2048, 1, 2}, {2048, 7, 512, 1, 1},  {512, 7, 512, 3, 1}};

std::shared_ptr<Direct> directConvolution(Pass pass, const Dims& x, const Dims& w, const Dims& y,
                                          int64_t stride, int64_t pad, bool byChannels, bool ownLayouts) {
  const memory::desc ownX = layoutOf(x, byChannels), ownY = layoutOf(y, byChannels),
                     ownW(w, memory::data_type::f32,
                          byChannels ? memory::format_tag::ohwi : memory::format_tag::oihw);
  const memory::desc wantedX = ownLayouts ? ownX : anyOf(x), wantedY = ownLayouts ? ownY : anyOf(y);
  const Dims strides{stride, stride}, pads{pad, pad}, none{0, 0};
  const auto algorithm = dnnl::algorithm::convolution_direct;
  const dnnl::convolution_forward::primitive_desc forward(engine(), dnnl::prop_kind::forward_training,
                                                          algorithm, wantedX, anyOf(w), wantedY, strides,
                                                          none, pads, pads);
  auto made = std::make_shared<Direct>();
  if (pass == Pass::kForward) {
    made->input(DNNL_ARG_SRC, ownX, forward.src_desc());
    made->input(DNNL_ARG_WEIGHTS, ownW, forward.weights_desc());
    made->output(DNNL_ARG_DST, ownY, forward.dst_desc());
    made->set(dnnl::convolution_forward(forward));
  } else if (pass == Pass::kData) {
    const dnnl::convolution_backward_data::primitive_desc data(engine(), algorithm, wantedX, anyOf(w),
                                                               wantedY, strides, none, pads, pads, forward);
    made->input(DNNL_ARG_DIFF_DST, ownY, data.diff_dst_desc());
    made->input(DNNL_ARG_WEIGHTS, ownW, data.weights_desc());
    made->output(DNNL_ARG_DIFF_SRC, ownX, data.diff_src_desc());
    made->set(dnnl::convolution_backward_data(data));
  } else {
    const dnnl::convolution_backward_weights::primitive_desc filter(
        engine(), algorithm, wantedX, anyOf(w), wantedY, strides, none, pads, pads, forward);
    made->input(DNNL_ARG_DIFF_DST, ownY, filter.diff_dst_desc());
    made->input(DNNL_ARG_SRC, ownX, filter.src_desc());
    made->output(DNNL_ARG_DIFF_WEIGHTS, ownW, filter.diff_weights_desc());
    made->set(dnnl::convolution_backward_weights(filter));
  }
  return made;
}

void benchConvolution(const Shape& shape, int64_t batch, Pass pass, bool byChannels, Worst& worst,
                      int calls = 1) {
  const int64_t pad = shape.window / 2, out = (shape.places + 2 * pad - shape.window) / shape.stride + 1;
  const Dims x{batch, shape.channels, shape.places, shape.places},
      w{shape.outputs, shape.channels, shape.window, shape.window}, y{batch, shape.outputs, out, out};
  const DeviceArray dx(countOf(x)), dw(countOf(w)), dy(countOf(y));
  const mudnnTensorDescriptor_t xDesc = tensorOf(x, byChannels), yDesc = tensorOf(y, byChannels);
  mudnnFilterDescriptor_t wDesc = nullptr;
  mudnnConvolutionDescriptor_t how = nullptr;
  check(mudnnCreateFilterDescriptor(&wDesc), "mudnnCreateFilterDescriptor");
  check(
      mudnnSetFilter4dDescriptor(wDesc, MUDNN_DATA_FLOAT, byChannels ? MUDNN_TENSOR_NHWC : MUDNN_TENSOR_NCHW,
                                 static_cast<int>(shape.outputs), static_cast<int>(shape.channels),
                                 static_cast<int>(shape.window), static_cast<int>(shape.window)),
      "mudnnSetFilter4dDescriptor");
  check(mudnnCreateConvolutionDescriptor(&how), "mudnnCreateConvolutionDescriptor");
  const int p = static_cast<int>(pad), s = static_cast<int>(shape.stride);
  check(mudnnSetConvolution2dDescriptor(how, p, p, s, s, 1, 1, MUDNN_CROSS_CORRELATION, MUDNN_DATA_FLOAT),
        "mudnnSetConvolution2dDescriptor");
  const float one = 1, zero = 0;
  const auto ours = [&] {
    for (int i = 0; i < calls; ++i) switch (pass) {
        case Pass::kForward:
          check(mudnnConvolutionForward(handle(), &one, xDesc, dx.data(), wDesc, dw.data(), how,
                                        MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &zero,
                                        yDesc, dy.data()),
                "mudnnConvolutionForward");
          break;
        case Pass::kData:
          check(mudnnConvolutionBackwardData(handle(), &one, wDesc, dw.data(), yDesc, dy.data(), how,
                                             MUDNN_CONVOLUTION_BWD_DATA_ALGO_1, nullptr, 0, &zero, xDesc,
                                             dx.data()),
                "mudnnConvolutionBackwardData");
          break;
        case Pass::kFilter:
          check(mudnnConvolutionBackwardFilter(handle(), &one, xDesc, dx.data(), yDesc, dy.data(), how,
                                               MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, nullptr, 0, &zero, wDesc,
                                               dw.data()),
                "mudnnConvolutionBackwardFilter");
      }
    check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
  };
  std::vector<std::function<void()>> direct;
  for (const bool ownLayouts : {false, true}) {
    const auto way = directConvolution(pass, x, w, y, shape.stride, pad, byChannels, ownLayouts);
    direct.emplace_back([way, calls] {
      for (int i = 0; i < calls; ++i) way->run();
      stream().wait();
    });
  }
  const char* const names[] = {"forward", "data", "filter"};
  char name[100];
  std::snprintf(name, sizeof name, "%s %s %ldx%ldx%ld -> %ld, %ldx%ld / %ld", byChannels ? "NHWC" : "NCHW",
                names[static_cast<int>(pass)], batch, shape.channels, shape.places, shape.outputs,
                shape.window, shape.window, shape.stride);
  compare(name, ours, direct, worst, calls);
  mudnnDestroyTensorDescriptor(xDesc);
  mudnnDestroyTensorDescriptor(yDesc);
  mudnnDestroyFilterDescriptor(wDesc);
  mudnnDestroyConvolutionDescriptor(how);
}

}  // namespace

void benchConvolutions(Worst& worst) {
  for (const bool byChannels : {false, true})
    for (const Shape& shape : kResNet) benchConvolution(shape, 4, Pass::kForward, byChannels, worst);
}

void benchGradients(Worst& worst) {
  for (const bool byChannels : {false, true})
    for (const Shape& shape : kResNet)
      for (const Pass pass : {Pass::kData, Pass::kFilter})
        benchConvolution(shape, 4, pass, byChannels, worst);
}

void benchSmallConvolutions(Worst& worst) {
  benchConvolution({8, 4, 8, 1, 1}, 1, Pass::kForward, false, worst, 100);
  benchConvolution({8, 4, 8, 3, 1}, 1, Pass::kForward, true, worst, 100);
}

}  // namespace musashim::bench
