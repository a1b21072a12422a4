// links: cudnn
// Activations forward and backward, softmax, and what both refuse.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.activation");

static void activations(cudnnHandle_t handle) {
  const Tensor t(CUDNN_DATA_FLOAT, 1, 2, 2, 3), wide(CUDNN_DATA_DOUBLE, 1, 2, 2, 3);
  const float one = 1, zero = 0, half = 0.5f;
  const double oneWide = 1, zeroWide = 0;
  const std::vector<double> values = {-3, -1.5, -0.25, 0, 0.25, 1, 1.5, 2.5, 4, 7, -8, 0.125};
  for (const int mode : {0, 1, 2, 3, 4, 5, 6}) {
    const std::string key = "mode" + std::to_string(mode);
    cudnnActivationDescriptor_t activation = nullptr;
    SETUP_DNN(cudnnCreateActivationDescriptor(&activation));
    STATUS(key + ".set", cudnnSetActivationDescriptor(activation, static_cast<cudnnActivationMode_t>(mode),
                                                      CUDNN_NOT_PROPAGATE_NAN, 2));
    DeviceValues<float> x(std::vector<float>(values.begin(), values.end())), y(std::vector<float>(12, 1)),
        dy(wholes<float>(12, 1)), dx(std::vector<float>(12, 1));
    STATUS(key + ".forward", cudnnActivationForward(handle, activation, &one, t, x, &zero, t, y));
    OBSERVE(key + ".forward.is", rounded(y));
    STATUS(key + ".backward",
           cudnnActivationBackward(handle, activation, &half, t, y, t, dy, t, x, &one, t, dx));
    OBSERVE(key + ".backward.is", rounded(dx));
    DeviceValues<double> xWide(values), yWide(std::vector<double>(12, 1));
    STATUS(key + ".double",
           cudnnActivationForward(handle, activation, &oneWide, wide, xWide, &zeroWide, wide, yWide));
    OBSERVE(key + ".double.is", rounded(yWide, 6));
    cudnnDestroyActivationDescriptor(activation);
  }
  cudnnActivationDescriptor_t activation = nullptr;
  SETUP_DNN(cudnnCreateActivationDescriptor(&activation));
  STATUS("refuses.mode", cudnnSetActivationDescriptor(activation, static_cast<cudnnActivationMode_t>(9),
                                                      CUDNN_NOT_PROPAGATE_NAN, 0));
  STATUS("refuses.nan", cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU,
                                                     static_cast<cudnnNanPropagation_t>(9), 0));
  STATUS("clip_negative", cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_CLIPPED_RELU,
                                                       CUDNN_NOT_PROPAGATE_NAN, -1));
  STATUS("swish.set",
         cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_SWISH, CUDNN_NOT_PROPAGATE_NAN, 0));
  double beta = -1;
  STATUS("swish.get_beta", cudnnGetActivationDescriptorSwishBeta(activation, &beta));
  OBSERVE("swish.first_beta", beta);
  STATUS("swish.set_beta", cudnnSetActivationDescriptorSwishBeta(activation, 0.5));
  DeviceValues<float> x(std::vector<float>(values.begin(), values.end())), y(std::vector<float>(12, 1));
  STATUS("swish.forward", cudnnActivationForward(handle, activation, &one, t, x, &zero, t, y));
  OBSERVE("swish.forward.is", rounded(y));
  std::vector<float> withNan(values.begin(), values.end());
  withNan[2] = nanf("");
  x.set(withNan);
  for (const int nan : {0, 1}) {
    const std::string key = "nan" + std::to_string(nan);
    SETUP_DNN(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU,
                                           static_cast<cudnnNanPropagation_t>(nan), 0));
    STATUS(key, cudnnActivationForward(handle, activation, &one, t, x, &zero, t, y));
    OBSERVE(key + ".is", rounded(y));
  }
  const ActivationOf relu(CUDNN_ACTIVATION_RELU);
  STATUS("mismatch.type",
         cudnnActivationForward(handle, relu, &one, t, x, &zero, Tensor(CUDNN_DATA_HALF, 1, 2, 2, 3), y));
  STATUS("mismatch.size",
         cudnnActivationForward(handle, relu, &one, t, x, &zero, Tensor(CUDNN_DATA_FLOAT, 1, 2, 3, 2), y));
  STATUS("mismatch.layout",
         cudnnActivationForward(handle, relu, &one, t, x, &zero,
                                Tensor(CUDNN_DATA_FLOAT, 1, 2, 2, 3, CUDNN_TENSOR_NHWC), y));
  STATUS("int32", cudnnActivationForward(handle, relu, &one, Tensor(CUDNN_DATA_INT32, 1, 2, 2, 3), x, &zero,
                                         Tensor(CUDNN_DATA_INT32, 1, 2, 2, 3), y));
  STATUS("in_place", cudnnActivationForward(handle, relu, &one, t, x, &zero, t, x));
  cudnnDestroyActivationDescriptor(activation);
}

static void softmax(cudnnHandle_t handle) {
  const Tensor t(CUDNN_DATA_FLOAT, 2, 3, 1, 2);
  const float one = 1, zero = 0, half = 0.5f;
  for (const int algorithm : {0, 1, 2}) {
    for (const int mode : {0, 1}) {
      const std::string key = "softmax" + std::to_string(algorithm) + "." + std::to_string(mode);
      DeviceValues<float> x(fractions<float>(12, 3, 0.3)), y(std::vector<float>(12, 1)),
          dy(fractions<float>(12, 4)), dx(std::vector<float>(12, 1));
      const auto a = static_cast<cudnnSoftmaxAlgorithm_t>(algorithm);
      const auto m = static_cast<cudnnSoftmaxMode_t>(mode);
      STATUS(key, cudnnSoftmaxForward(handle, a, m, &one, t, x, &zero, t, y));
      OBSERVE(key + ".is", rounded(y));
      STATUS(key + ".backward", cudnnSoftmaxBackward(handle, a, m, &half, t, y, t, dy, &one, t, dx));
      OBSERVE(key + ".backward.is", rounded(dx));
    }
  }
  DeviceValues<float> x(std::vector<float>{100, 101, 102, -1000, 0, 1000, 1, 2, 3, 4, 5, 6}),
      y(std::vector<float>(12, 1));
  STATUS("softmax.large", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE,
                                              &one, t, x, &zero, t, y));
  OBSERVE("softmax.large.is", rounded(y));
  STATUS("softmax.algorithm", cudnnSoftmaxForward(handle, static_cast<cudnnSoftmaxAlgorithm_t>(9),
                                                  CUDNN_SOFTMAX_MODE_INSTANCE, &one, t, x, &zero, t, y));
  STATUS("softmax.mode", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_FAST, static_cast<cudnnSoftmaxMode_t>(9),
                                             &one, t, x, &zero, t, y));
  STATUS("softmax.size", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_INSTANCE, &one, t,
                                             x, &zero, Tensor(CUDNN_DATA_FLOAT, 2, 3, 2, 1), y));
  STATUS("softmax.types", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_INSTANCE, &one,
                                              t, x, &zero, Tensor(CUDNN_DATA_HALF, 2, 3, 1, 2), y));
  STATUS("softmax.int32", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_INSTANCE, &one,
                                              Tensor(CUDNN_DATA_INT32, 2, 3, 1, 2), x, &zero,
                                              Tensor(CUDNN_DATA_INT32, 2, 3, 1, 2), y));
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  activations(handle);
  softmax(handle);
}
