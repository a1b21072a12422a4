// links: cudnn
// Descriptors of convolutions, sizes of outputs, and what a convolution of descriptors that do not fit
// answers.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.convolution_descriptors");

static void descriptors() {
  cudnnConvolutionDescriptor_t convolution = nullptr;
  STATUS("create", cudnnCreateConvolutionDescriptor(&convolution));
  const auto set = [&](const std::string& key, int pad, int stride, int dilation, int mode, int type) {
    STATUS(key, cudnnSetConvolution2dDescriptor(convolution, pad, pad, stride, stride, dilation, dilation,
                                                static_cast<cudnnConvolutionMode_t>(mode),
                                                static_cast<cudnnDataType_t>(type)));
  };
  set("set", 1, 2, 3, 1, CUDNN_DATA_FLOAT);
  int all[6];
  cudnnConvolutionMode_t mode = CUDNN_CONVOLUTION;
  cudnnDataType_t type = CUDNN_DATA_DOUBLE;
  STATUS("get", cudnnGetConvolution2dDescriptor(convolution, all, all + 1, all + 2, all + 3, all + 4, all + 5,
                                                &mode, &type));
  OBSERVE("get.is", numbers(all, 6) + " mode " + std::to_string(mode) + " type " + std::to_string(type));
  set("negative_pad", -1, 1, 1, 1, CUDNN_DATA_FLOAT);
  set("zero_stride", 0, 0, 1, 1, CUDNN_DATA_FLOAT);
  set("negative_stride", 0, -1, 1, 1, CUDNN_DATA_FLOAT);
  set("zero_dilation", 0, 1, 0, 1, CUDNN_DATA_FLOAT);
  set("mode", 0, 1, 1, 7, CUDNN_DATA_FLOAT);
  set("type", 0, 1, 1, 1, 99);
  for (const int compute : {1, 2, 3, 4, 6, 9}) set("type" + std::to_string(compute), 0, 1, 1, 1, compute);
  const int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int rank = 0; rank <= 7; ++rank)
    STATUS("nd" + std::to_string(rank),
           cudnnSetConvolutionNdDescriptor(convolution, rank, ones, ones, ones, CUDNN_CROSS_CORRELATION,
                                           CUDNN_DATA_FLOAT));
  int count = -1;
  STATUS("groups.get", cudnnGetConvolutionGroupCount(convolution, &count));
  OBSERVE("groups.first", count);
  for (const int groups : {3, 0, -1})
    STATUS("groups" + std::to_string(groups), cudnnSetConvolutionGroupCount(convolution, groups));
  STATUS("groups.get_again", cudnnGetConvolutionGroupCount(convolution, &count));
  OBSERVE("groups.is", count);
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  STATUS("math.get", cudnnGetConvolutionMathType(convolution, &math));
  OBSERVE("math.first", static_cast<int>(math));
  for (const int value : {0, 1, 2, 3, 4, -1})
    STATUS("math" + std::to_string(value),
           cudnnSetConvolutionMathType(convolution, static_cast<cudnnMathType_t>(value)));
  cudnnReorderType_t reorder = CUDNN_NO_REORDER;
  STATUS("reorder.get", cudnnGetConvolutionReorderType(convolution, &reorder));
  OBSERVE("reorder.first", static_cast<int>(reorder));
  STATUS("reorder.set", cudnnSetConvolutionReorderType(convolution, CUDNN_NO_REORDER));
  STATUS("destroy", cudnnDestroyConvolutionDescriptor(convolution));
}

static void sizes() {
  const auto size = [](const std::string& key, const Tensor& x, const Filter& w,
                       const ConvolutionOf& convolution) {
    int is[4] = {-1, -1, -1, -1};
    STATUS(key, cudnnGetConvolution2dForwardOutputDim(convolution, x, w, is, is + 1, is + 2, is + 3));
    OBSERVE(key + ".is", numbers(is, 4));
  };
  const Tensor x(CUDNN_DATA_FLOAT, 2, 6, 11, 13);
  size("size.same", x, Filter(CUDNN_DATA_FLOAT, 5, 6, 3, 3), ConvolutionOf(1, 1, 1));
  size("size.stride3", x, Filter(CUDNN_DATA_FLOAT, 5, 6, 2, 4), ConvolutionOf(0, 3, 1));
  size("size.dilation4", x, Filter(CUDNN_DATA_FLOAT, 5, 6, 3, 3), ConvolutionOf(2, 2, 4));
  size("size.groups", x, Filter(CUDNN_DATA_FLOAT, 4, 3, 3, 3), ConvolutionOf(1, 1, 1, 2));
  size("size.groups_uneven", x, Filter(CUDNN_DATA_FLOAT, 5, 3, 3, 3), ConvolutionOf(1, 1, 1, 2));
  size("size.channels", x, Filter(CUDNN_DATA_FLOAT, 5, 7, 3, 3), ConvolutionOf(1, 1, 1));
  size("size.filter_too_large", x, Filter(CUDNN_DATA_FLOAT, 5, 6, 15, 15), ConvolutionOf(0, 1, 1));
  size("size.types", x, Filter(CUDNN_DATA_HALF, 5, 6, 3, 3), ConvolutionOf(1, 1, 1));
  size("size.nhwc", Tensor(CUDNN_DATA_FLOAT, 2, 6, 11, 13, CUDNN_TENSOR_NHWC),
       Filter(CUDNN_DATA_FLOAT, 5, 6, 3, 3, CUDNN_TENSOR_NHWC), ConvolutionOf(1, 1, 1));
  int is[5] = {-1, -1, -1, -1, -1};
  const ConvolutionOf convolution(1, 1, 1);
  const Filter w(CUDNN_DATA_FLOAT, 5, 6, 3, 3);
  STATUS("size.nd", cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 4, is));
  OBSERVE("size.nd.is", numbers(is, 4));
  STATUS("size.nd5", cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 5, is));
  STATUS("size.nd3", cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 3, is));
}

static void mismatches() {
  const cudnnHandle_t handle = makeHandle();
  DeviceValues<double> x(std::vector<double>(4000, 1)), w(std::vector<double>(4000, 1)), y(4000);
  const Space space(1 << 20);
  const float one = 1, zero = 0;
  const auto forward = [&](const std::string& key, const Tensor& dx, const Filter& dw,
                           const ConvolutionOf& convolution, const Tensor& dy, int algorithm = 0) {
    STATUS(key, cudnnConvolutionForward(handle, &one, dx, x, dw, w, convolution,
                                        static_cast<cudnnConvolutionFwdAlgo_t>(algorithm), space.data(),
                                        space.bytes(), &zero, dy, y));
    SETUP(cudaDeviceSynchronize());
  };
  const cudnnDataType_t f = CUDNN_DATA_FLOAT;
  const Tensor dx(f, 1, 4, 6, 6), dy(f, 1, 4, 6, 6);
  const Filter dw(f, 4, 4, 3, 3);
  const ConvolutionOf same(1, 1, 1);
  forward("fits", dx, dw, same, dy);
  forward("output_size", dx, dw, same, Tensor(f, 1, 4, 5, 6));
  forward("output_channels", dx, dw, same, Tensor(f, 1, 5, 6, 6));
  forward("output_batch", dx, dw, same, Tensor(f, 2, 4, 6, 6));
  forward("channels", Tensor(f, 1, 3, 6, 6), dw, same, dy);
  forward("rank", Tensor(f, {1, 4, 6, 6, 1}), dw, same, dy);
  forward("types", Tensor(CUDNN_DATA_HALF, 1, 4, 6, 6), dw, same, dy);
  forward("type_of_filter", dx, Filter(CUDNN_DATA_HALF, 4, 4, 3, 3), same, dy);
  forward("type_of_output", dx, dw, same, Tensor(CUDNN_DATA_DOUBLE, 1, 4, 6, 6));
  forward("compute_type", dx, dw, ConvolutionOf(1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_HALF), dy);
  forward("compute_type_int", dx, dw, ConvolutionOf(1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_INT32),
          dy);
  forward("int8", Tensor(CUDNN_DATA_INT8, 1, 4, 6, 6), Filter(CUDNN_DATA_INT8, 4, 4, 3, 3),
          ConvolutionOf(1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_INT32),
          Tensor(CUDNN_DATA_INT8, 1, 4, 6, 6), 1);
  forward("int8_nhwc", Tensor(CUDNN_DATA_INT8, 1, 4, 6, 6, CUDNN_TENSOR_NHWC),
          Filter(CUDNN_DATA_INT8, 4, 4, 3, 3, CUDNN_TENSOR_NHWC),
          ConvolutionOf(1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_INT32),
          Tensor(CUDNN_DATA_INT8, 1, 4, 6, 6, CUDNN_TENSOR_NHWC), 1);
  forward("groups", dx, dw, ConvolutionOf(1, 1, 1, 2), dy);
  forward("direct", dx, dw, same, dy, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT);
  forward("no_such_algorithm", dx, dw, same, dy, 12);
  forward("winograd_of_5x5", dx, Filter(f, 4, 4, 5, 5), ConvolutionOf(2, 1, 1), dy,
          CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
  forward("winograd_of_stride", dx, dw, ConvolutionOf(1, 2, 1), Tensor(f, 1, 4, 3, 3),
          CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
  forward("fft_of_stride", dx, dw, ConvolutionOf(1, 2, 1), Tensor(f, 1, 4, 3, 3),
          CUDNN_CONVOLUTION_FWD_ALGO_FFT);
  const Tensor unset;
  forward("unset", unset, dw, same, dy);
  STATUS("small_space", cudnnConvolutionForward(handle, &one, dx, x, dw, w, same,
                                                CUDNN_CONVOLUTION_FWD_ALGO_GEMM, nullptr, 0, &zero, dy, y));
  size_t bytes = 7;
  STATUS("space.mismatch",
         cudnnGetConvolutionForwardWorkspaceSize(handle, dx, dw, same, Tensor(f, 1, 4, 5, 6),
                                                 CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &bytes));
  STATUS("space.direct", cudnnGetConvolutionForwardWorkspaceSize(handle, dx, dw, same, dy,
                                                                 CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, &bytes));
  STATUS("data.mismatch", cudnnConvolutionBackwardData(handle, &one, dw, w, Tensor(f, 1, 3, 6, 6), y, same,
                                                       CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, space.data(),
                                                       space.bytes(), &zero, dx, x));
  STATUS("filter.mismatch", cudnnConvolutionBackwardFilter(handle, &one, dx, x, Tensor(f, 1, 4, 6, 5), y,
                                                           same, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
                                                           space.data(), space.bytes(), &zero, dw, w));
  STATUS("bias.mismatch", cudnnConvolutionBackwardBias(handle, &one, dy, y, &zero, Tensor(f, 1, 3, 1, 1), w));
  STATUS("bias.shape", cudnnConvolutionBackwardBias(handle, &one, dy, y, &zero, Tensor(f, 1, 4, 2, 1), w));
}

int main() {
  descriptors();
  sizes();
  mismatches();
}
