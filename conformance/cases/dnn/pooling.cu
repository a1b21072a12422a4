// links: cudnn
// Pooling: sizes, values and gradients by mode, NaN, what descriptors refuse.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.pooling");

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnPoolingDescriptor_t pooling = nullptr;
  STATUS("create", cudnnCreatePoolingDescriptor(&pooling));
  const Tensor x(CUDNN_DATA_FLOAT, 1, 2, 5, 6);
  const float one = 1, zero = 0, two = 2;
  for (const int mode : {0, 1, 2, 3}) {
    for (const int pad : {0, 1}) {
      const std::string key = "mode" + std::to_string(mode) + ".pad" + std::to_string(pad);
      STATUS(key + ".set", cudnnSetPooling2dDescriptor(pooling, static_cast<cudnnPoolingMode_t>(mode),
                                                       CUDNN_NOT_PROPAGATE_NAN, 3, 2, pad, pad, 2, 2));
      int size[4] = {};
      STATUS(key + ".size",
             cudnnGetPooling2dForwardOutputDim(pooling, x, size, size + 1, size + 2, size + 3));
      OBSERVE(key + ".size.is", numbers(size, 4));
      const Tensor y(CUDNN_DATA_FLOAT, size[0], size[1], size[2], size[3]);
      const size_t count = static_cast<size_t>(size[0]) * size[1] * size[2] * size[3];
      DeviceValues<float> dataX(wholes<float>(60, 1, -20, 20)), dataY(wholes<float>(count, 2)),
          dataDx(wholes<float>(60, 3)), dataDy(wholes<float>(count, 4));
      STATUS(key + ".forward", cudnnPoolingForward(handle, pooling, &one, x, dataX, &zero, y, dataY));
      OBSERVE(key + ".forward.is", rounded(dataY, 5));
      STATUS(key + ".backward",
             cudnnPoolingBackward(handle, pooling, &two, y, dataY, y, dataDy, x, dataX, &one, x, dataDx));
      OBSERVE(key + ".backward.is", rounded(dataDx, 5));
    }
  }
  for (const int nan : {0, 1}) {
    SETUP_DNN(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, static_cast<cudnnNanPropagation_t>(nan),
                                          2, 2, 0, 0, 2, 2));
    std::vector<float> values = wholes<float>(60, 1, -20, 20);
    values[1] = nanf("");
    DeviceValues<float> dataX(values), dataY(12);
    const Tensor y(CUDNN_DATA_FLOAT, 1, 2, 2, 3);
    STATUS("nan" + std::to_string(nan),
           cudnnPoolingForward(handle, pooling, &one, x, dataX, &zero, y, dataY));
    OBSERVE("nan" + std::to_string(nan) + ".is", rounded(dataY, 5));
  }
  const auto set = [&](const std::string& key, int mode, int nan, int window, int pad, int stride) {
    STATUS(key, cudnnSetPooling2dDescriptor(pooling, static_cast<cudnnPoolingMode_t>(mode),
                                            static_cast<cudnnNanPropagation_t>(nan), window, window, pad, pad,
                                            stride, stride));
  };
  set("refuses.mode", 9, 0, 2, 0, 2);
  set("refuses.nan", 0, 7, 2, 0, 2);
  set("refuses.window_zero", 0, 0, 0, 0, 2);
  set("refuses.window_negative", 0, 0, -2, 0, 2);
  set("refuses.pad_negative", 0, 0, 2, -1, 2);
  set("refuses.stride_zero", 0, 0, 2, 0, 0);
  set("refuses.stride_negative", 0, 0, 2, 0, -1);
  set("pad_as_window", 0, 0, 2, 2, 2);
  const int window[8] = {2, 2, 2, 2, 2, 2, 2, 2}, pads[8] = {};
  for (int rank = 0; rank <= 7; ++rank)
    STATUS("nd" + std::to_string(rank),
           cudnnSetPoolingNdDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, rank, window, pads,
                                       window));
  SETUP_DNN(
      cudnnSetPoolingNdDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 3, window, pads, window));
  int size[5] = {};
  const Tensor cube(CUDNN_DATA_FLOAT, {1, 2, 4, 6, 8});
  STATUS("nd.size", cudnnGetPoolingNdForwardOutputDim(pooling, cube, 5, size));
  OBSERVE("nd.size.is", numbers(size, 5));
  STATUS("nd.size_of_4d", cudnnGetPoolingNdForwardOutputDim(pooling, x, 4, size));
  int one2d[7];
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t nan = CUDNN_PROPAGATE_NAN;
  STATUS("nd.as_2d", cudnnGetPooling2dDescriptor(pooling, &mode, &nan, one2d, one2d + 1, one2d + 2, one2d + 3,
                                                 one2d + 4, one2d + 5));
  SETUP_DNN(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  DeviceValues<float> dataX(std::vector<float>(200, 1)), dataY(200);
  STATUS("mismatch.size", cudnnPoolingForward(handle, pooling, &one, x, dataX, &zero,
                                              Tensor(CUDNN_DATA_FLOAT, 1, 2, 3, 3), dataY));
  STATUS("mismatch.channels", cudnnPoolingForward(handle, pooling, &one, x, dataX, &zero,
                                                  Tensor(CUDNN_DATA_FLOAT, 1, 3, 2, 3), dataY));
  STATUS("mismatch.type", cudnnPoolingForward(handle, pooling, &one, x, dataX, &zero,
                                              Tensor(CUDNN_DATA_HALF, 1, 2, 2, 3), dataY));
  STATUS("destroy", cudnnDestroyPoolingDescriptor(pooling));
}
