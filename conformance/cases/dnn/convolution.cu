// links: cudnn
// Convolutions forward and backward with groups, dilation and both layouts; whole numbers, so that results
// are exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.convolution");

struct Shape {
  const char* name;
  int n, c, h, w, k, r, s, pad, stride, dilation, groups;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
};

static std::string shown(const std::vector<float>& values) {
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += values[i] * static_cast<double>(i % 17);
  }
  const std::vector<float> first(values.begin(),
                                 values.begin() + static_cast<long>(std::min<size_t>(6, values.size())));
  return rounded(first, 8) + " ... sum " + std::to_string(sum) + " weighted " + std::to_string(weighted);
}

template <typename T>
static std::vector<float> asFloats(const std::vector<T>& values) {
  std::vector<float> all;
  for (const T& value : values) all.push_back(static_cast<float>(value));
  return all;
}
template <typename T>
static std::vector<T> made(size_t count, int seed) {
  std::vector<T> all;
  for (const float value : wholes<float>(count, seed)) all.push_back(static_cast<T>(value));
  return all;
}

template <typename T, typename Scalar = float>
static void run(cudnnHandle_t handle, const std::string& key, const Shape& s, cudnnDataType_t type,
                cudnnDataType_t compute) {
  const Tensor x(type, s.n, s.c, s.h, s.w, s.format);
  const Filter w(type, s.k, s.c / s.groups, s.r, s.s, s.format);
  const ConvolutionOf convolution(s.pad, s.stride, s.dilation, s.groups, s.mode, compute);
  int size[4] = {};
  STATUS(key + ".size",
         cudnnGetConvolution2dForwardOutputDim(convolution, x, w, size, size + 1, size + 2, size + 3));
  OBSERVE(key + ".size.is", numbers(size, 4));
  const Tensor y(type, size[0], size[1], size[2], size[3], s.format);
  const size_t countX = static_cast<size_t>(s.n) * s.c * s.h * s.w,
               countW = static_cast<size_t>(s.k) * (s.c / s.groups) * s.r * s.s,
               countY = static_cast<size_t>(size[0]) * size[1] * size[2] * size[3];
  DeviceValues<T> dataX(made<T>(countX, 1)), dataW(made<T>(countW, 2)), dataY(made<T>(countY, 3));
  const Scalar one = 1, two = 2, zero = 0;
  size_t bytes = 0;
  STATUS(key + ".forward.space",
         cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, convolution, y,
                                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes));
  {
    const Space space(bytes);
    STATUS(key + ".forward", cudnnConvolutionForward(handle, &one, x, dataX, w, dataW, convolution,
                                                     CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, space.data(),
                                                     space.bytes(), &two, y, dataY));
    OBSERVE(key + ".forward.is", shown(asFloats(dataY.get())));
  }
  dataY.set(made<T>(countY, 4));
  STATUS(key + ".data.space", cudnnGetConvolutionBackwardDataWorkspaceSize(
                                  handle, w, y, convolution, x, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, &bytes));
  {
    const Space space(bytes);
    STATUS(key + ".data", cudnnConvolutionBackwardData(handle, &two, w, dataW, y, dataY, convolution,
                                                       CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, space.data(),
                                                       space.bytes(), &zero, x, dataX));
    OBSERVE(key + ".data.is", shown(asFloats(dataX.get())));
  }
  dataX.set(made<T>(countX, 5));
  STATUS(key + ".filter.space",
         cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x, y, convolution, w,
                                                        CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, &bytes));
  {
    const Space space(bytes);
    STATUS(key + ".filter", cudnnConvolutionBackwardFilter(handle, &one, x, dataX, y, dataY, convolution,
                                                           CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, space.data(),
                                                           space.bytes(), &one, w, dataW));
    OBSERVE(key + ".filter.is", shown(asFloats(dataW.get())));
  }
  const Tensor bias(type, 1, s.k, 1, 1);
  DeviceValues<T> dataB(made<T>(static_cast<size_t>(s.k), 6));
  STATUS(key + ".bias", cudnnConvolutionBackwardBias(handle, &one, y, dataY, &one, bias, dataB));
  OBSERVE(key + ".bias.is", shown(asFloats(dataB.get())));
}

static void fused(cudnnHandle_t handle) {
  const Tensor x(CUDNN_DATA_FLOAT, 1, 4, 5, 5), bias(CUDNN_DATA_FLOAT, 1, 4, 1, 1),
      y(CUDNN_DATA_FLOAT, 1, 4, 5, 5);
  const Filter w(CUDNN_DATA_FLOAT, 4, 4, 3, 3);
  const ConvolutionOf convolution(1, 1, 1);
  DeviceValues<float> dataX(wholes<float>(100, 1)), dataW(wholes<float>(144, 2)),
      dataZ(wholes<float>(100, 3)), dataB(wholes<float>(4, 4)), dataY(100);
  const float one = 1, half = 0.5f, zero = 0;
  size_t bytes = 0;
  SETUP_DNN(cudnnGetConvolutionForwardWorkspaceSize(
      handle, x, w, convolution, y, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &bytes));
  const Space space(bytes);
  const auto run = [&](const std::string& key, cudnnActivationMode_t mode,
                       cudnnConvolutionFwdAlgo_t algorithm, const float* alpha2) {
    dataY.set(std::vector<float>(100, 0));
    STATUS(key, cudnnConvolutionBiasActivationForward(handle, &one, x, dataX, w, dataW, convolution,
                                                      algorithm, space.data(), space.bytes(), alpha2, y,
                                                      dataZ, bias, dataB, ActivationOf(mode), y, dataY));
    OBSERVE(key + ".is", shown(dataY.get()));
  };
  run("fused.relu", CUDNN_ACTIVATION_RELU, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &half);
  run("fused.relu_no_z", CUDNN_ACTIVATION_RELU, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &zero);
  run("fused.identity", CUDNN_ACTIVATION_IDENTITY, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &half);
  run("fused.identity_other_algorithm", CUDNN_ACTIVATION_IDENTITY, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &half);
  run("fused.tanh", CUDNN_ACTIVATION_TANH, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &half);
  run("fused.elu", CUDNN_ACTIVATION_ELU, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &half);
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  const Shape shapes[] = {
      {"plain", 2, 3, 6, 7, 4, 3, 3, 1, 1, 1, 1},
      {"stride", 2, 3, 7, 8, 4, 3, 2, 0, 2, 1, 1},
      {"dilation", 1, 2, 9, 9, 3, 3, 3, 2, 1, 2, 1},
      {"groups", 2, 4, 6, 6, 6, 3, 3, 1, 1, 1, 2},
      {"depthwise", 1, 4, 6, 6, 4, 3, 3, 1, 2, 1, 4},
      {"flipped", 1, 2, 5, 5, 2, 3, 3, 1, 1, 1, 1, CUDNN_TENSOR_NCHW, CUDNN_CONVOLUTION},
      {"one_by_one", 2, 8, 4, 4, 8, 1, 1, 0, 1, 1, 1},
  };
  for (const Shape& shape : shapes) run<float>(handle, shape.name, shape, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT);
  run<double, double>(handle, "double", shapes[0], CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE);
  Shape channelsLast = {"nhwc", 2, 8, 6, 6, 8, 3, 3, 1, 1, 1, 1, CUDNN_TENSOR_NHWC};
  run<float>(handle, "nhwc", channelsLast, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT);
  run<__half>(handle, "half_nhwc", channelsLast, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT);
  run<__half>(handle, "half", shapes[6], CUDNN_DATA_HALF, CUDNN_DATA_FLOAT);
  run<__nv_bfloat16>(handle, "bfloat16_nhwc", channelsLast, CUDNN_DATA_BFLOAT16, CUDNN_DATA_FLOAT);
  fused(handle);
}
