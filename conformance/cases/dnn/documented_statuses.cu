// links: cudnn
// What cuDNN's documentation says that calls answer where descriptors do not go together: its conditions,
// call by call, as far as no other case of the group has them.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.documented_statuses");

static const float kOne = 1, kZero = 0;
static const cudnnDataType_t kFloat = CUDNN_DATA_FLOAT, kHalf = CUDNN_DATA_HALF, kDouble = CUDNN_DATA_DOUBLE;

// Memory that is large enough for whatever is asked.
struct Memory {
  Space a{1 << 16}, b{1 << 16}, c{1 << 16}, d{1 << 16}, e{1 << 16}, space{8 << 20};
};

// A descriptor with strides of its own.
class Strided {
 public:
  Strided(int n, int c, int h, int w, int ofN, int ofC, int ofH, int ofW) {
    SETUP_DNN(cudnnSetTensor4dDescriptorEx(tensor_, kFloat, n, c, h, w, ofN, ofC, ofH, ofW));
  }
  operator cudnnTensorDescriptor_t() const { return tensor_; }

 private:
  Tensor tensor_;
};

static void activations(cudnnHandle_t handle, const Memory& m) {
  const ActivationOf relu(CUDNN_ACTIVATION_RELU);
  const Tensor t(kFloat, 2, 3, 4, 4), other(kFloat, 2, 3, 4, 2), half(kHalf, 2, 3, 4, 4);
  const Strided spread(2, 3, 4, 4, 96, 32, 8, 2);
  const auto forward = [&](const std::string& key, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y,
                           bool inPlace) {
    STATUS("activation.forward." + key, cudnnActivationForward(handle, relu, &kOne, x, m.a.data(), &kZero, y,
                                                               inPlace ? m.a.data() : m.b.data()));
  };
  forward("in_place", t, t, true);
  forward("strides", t, spread, false);
  forward("strides_in_place", t, spread, true);
  const auto backward = [&](const std::string& key, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t dy,
                            cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dx, bool inPlace) {
    STATUS("activation.backward." + key,
           cudnnActivationBackward(handle, relu, &kOne, y, m.a.data(), dy, m.b.data(), x, m.c.data(), &kZero,
                                   dx, inPlace ? m.b.data() : m.d.data()));
  };
  backward("fits", t, t, t, t, false);
  backward("size_of_y", other, t, t, t, false);
  backward("size_of_dy", t, other, t, t, false);
  backward("size_of_x", t, t, other, t, false);
  backward("size_of_dx", t, t, t, other, false);
  backward("type_of_y", half, t, t, t, false);
  backward("type_of_dx", t, t, t, half, false);
  backward("strides_of_y", spread, t, t, t, false);
  backward("strides_of_dy", t, spread, t, t, false);
  backward("strides_of_x", t, t, spread, t, false);
  backward("strides_of_dx", t, t, t, spread, false);
  backward("strides_of_dx_in_place", t, t, t, spread, true);
}

static void softmaxes(cudnnHandle_t handle, const Memory& m) {
  const Tensor t(kFloat, 2, 3, 4, 4), other(kFloat, 2, 3, 4, 2), half(kHalf, 2, 3, 4, 4);
  const auto backward = [&](const std::string& key, int algorithm, int mode, cudnnTensorDescriptor_t y,
                            cudnnTensorDescriptor_t dy, cudnnTensorDescriptor_t dx) {
    STATUS("softmax.backward." + key,
           cudnnSoftmaxBackward(handle, static_cast<cudnnSoftmaxAlgorithm_t>(algorithm),
                                static_cast<cudnnSoftmaxMode_t>(mode), &kOne, y, m.a.data(), dy, m.b.data(),
                                &kZero, dx, m.c.data()));
  };
  backward("fits", 1, 0, t, t, t);
  backward("algorithm", 7, 0, t, t, t);
  backward("mode", 1, 7, t, t, t);
  backward("size_of_y", 1, 0, other, t, t);
  backward("size_of_dy", 1, 0, t, other, t);
  backward("size_of_dx", 1, 0, t, t, other);
  backward("type_of_y", 1, 0, half, t, t);
  backward("type_of_dx", 1, 0, t, t, half);
}

static void poolings(cudnnHandle_t handle, const Memory& m) {
  cudnnPoolingDescriptor_t pooling = nullptr;
  SETUP_DNN(cudnnCreatePoolingDescriptor(&pooling));
  SETUP_DNN(
      cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  const Tensor x(kFloat, 2, 3, 4, 4), y(kFloat, 2, 3, 2, 2), half(kHalf, 2, 3, 2, 2);
  STATUS("pooling.forward.batch", cudnnPoolingForward(handle, pooling, &kOne, x, m.a.data(), &kZero,
                                                      Tensor(kFloat, 1, 3, 2, 2), m.b.data()));
  STATUS("pooling.forward.size", cudnnPoolingForward(handle, pooling, &kOne, x, m.a.data(), &kZero,
                                                     Tensor(kFloat, 2, 3, 3, 2), m.b.data()));
  STATUS("pooling.forward.rank", cudnnPoolingForward(handle, pooling, &kOne, Tensor(kFloat, {2, 3, 4, 4, 4}),
                                                     m.a.data(), &kZero, y, m.b.data()));
  const auto backward = [&](const std::string& key, cudnnTensorDescriptor_t dY, cudnnTensorDescriptor_t ofY,
                            cudnnTensorDescriptor_t dX, cudnnTensorDescriptor_t ofX) {
    STATUS("pooling.backward." + key,
           cudnnPoolingBackward(handle, pooling, &kOne, dY, m.a.data(), ofY, m.b.data(), dX, m.c.data(),
                                &kZero, ofX, m.d.data()));
  };
  backward("fits", y, y, x, x);
  backward("size_of_dy", y, Tensor(kFloat, 2, 3, 2, 1), x, x);
  backward("size_of_dx", y, y, x, Tensor(kFloat, 2, 3, 4, 3));
  backward("channels", y, y, Tensor(kFloat, 2, 2, 4, 4), Tensor(kFloat, 2, 2, 4, 4));
  backward("type_of_y", half, y, x, x);
  backward("type_of_dy", y, half, x, x);
  backward("type_of_dx", y, y, x, Tensor(kHalf, 2, 3, 4, 4));
  backward("strides_of_dy", y, Strided(2, 3, 2, 2, 24, 8, 4, 2), x, x);
  backward("strides_of_dx", y, y, x, Strided(2, 3, 4, 4, 96, 32, 8, 2));
  STATUS("pooling.destroy", cudnnDestroyPoolingDescriptor(pooling));
}

static void batchNorms(cudnnHandle_t handle, const Memory& m) {
  const Tensor x(kFloat, 2, 3, 4, 4), channels(kFloat, 1, 3, 1, 1), other(kFloat, 2, 3, 4, 2);
  const auto training = [&](const std::string& key, int mode, cudnnTensorDescriptor_t in,
                            cudnnTensorDescriptor_t out, cudnnTensorDescriptor_t parameters, void* saved,
                            void* inverse, double epsilon) {
    STATUS("batch_norm.training." + key, cudnnBatchNormalizationForwardTraining(
                                             handle, static_cast<cudnnBatchNormMode_t>(mode), &kOne, &kZero,
                                             in, m.a.data(), out, m.b.data(), parameters, m.c.data(),
                                             m.c.data(), 0.5, nullptr, nullptr, epsilon, saved, inverse));
  };
  void* const saved = m.d.data();
  void* const inverse = m.e.data();
  training("fits", 1, x, x, channels, saved, inverse, 1e-5);
  training("one_saved", 1, x, x, channels, saved, nullptr, 1e-5);
  training("rank_3", 1, Tensor(kFloat, {2, 3, 4}), Tensor(kFloat, {2, 3, 4}), Tensor(kFloat, {1, 3, 1}),
           saved, inverse, 1e-5);
  training("size", 1, x, other, channels, saved, inverse, 1e-5);
  training("type_of_y", 1, x, Tensor(kHalf, 2, 3, 4, 4), channels, saved, inverse, 1e-5);
  training("channels", 1, x, x, Tensor(kFloat, 1, 2, 1, 1), saved, inverse, 1e-5);
  training("parameters_of_activation", 1, x, x, Tensor(kFloat, 1, 3, 4, 4), saved, inverse, 1e-5);
  training("parameters_of_channels", 0, x, x, channels, saved, inverse, 1e-5);
  training("type_of_parameters", 1, x, x, Tensor(kDouble, 1, 3, 1, 1), saved, inverse, 1e-5);
  training("half_parameters", 1, Tensor(kHalf, 2, 3, 4, 4), Tensor(kHalf, 2, 3, 4, 4),
           Tensor(kHalf, 1, 3, 1, 1), saved, inverse, 1e-5);
  training("epsilon", 1, x, x, channels, saved, inverse, -1e-5);
  const auto backward = [&](const std::string& key, cudnnTensorDescriptor_t in, cudnnTensorDescriptor_t dy,
                            cudnnTensorDescriptor_t dx, cudnnTensorDescriptor_t parameters, void* mean,
                            void* deviation) {
    STATUS("batch_norm.backward." + key,
           cudnnBatchNormalizationBackward(handle, CUDNN_BATCHNORM_SPATIAL, &kOne, &kZero, &kOne, &kZero, in,
                                           m.a.data(), dy, m.b.data(), dx, m.c.data(), parameters, m.a.data(),
                                           m.space.data(), m.space.data(), 1e-5, mean, deviation));
  };
  backward("fits", x, x, x, channels, saved, inverse);
  backward("one_saved", x, x, x, channels, saved, nullptr);
  backward("size_of_dy", x, other, x, channels, saved, inverse);
  backward("size_of_dx", x, x, other, channels, saved, inverse);
  backward("channels", x, x, x, Tensor(kFloat, 1, 2, 1, 1), saved, inverse);
  const Tensor derived;
  STATUS("batch_norm.derive.mode",
         cudnnDeriveBNTensorDescriptor(derived, x, static_cast<cudnnBatchNormMode_t>(9)));
  STATUS("batch_norm.derive.rank_3",
         cudnnDeriveBNTensorDescriptor(derived, Tensor(kFloat, {2, 3, 4}), CUDNN_BATCHNORM_SPATIAL));
}

static void channelNorms(cudnnHandle_t handle, const Memory& m) {
  cudnnLRNDescriptor_t norm = nullptr;
  SETUP_DNN(cudnnCreateLRNDescriptor(&norm));
  SETUP_DNN(cudnnSetLRNDescriptor(norm, 3, 1e-4, 0.75, 2));
  const Tensor x(kFloat, 2, 3, 4, 4), other(kFloat, 2, 3, 4, 2), half(kHalf, 2, 3, 4, 4);
  const auto forward = [&](const std::string& key, int mode, cudnnTensorDescriptor_t in,
                           cudnnTensorDescriptor_t out) {
    STATUS("lrn.forward." + key, cudnnLRNCrossChannelForward(handle, norm, static_cast<cudnnLRNMode_t>(mode),
                                                             &kOne, in, m.a.data(), &kZero, out, m.b.data()));
  };
  forward("fits", 0, x, x);
  forward("mode", 5, x, x);
  forward("type", 0, x, half);
  forward("rank_3", 0, Tensor(kFloat, {2, 3, 4}), Tensor(kFloat, {2, 3, 4}));
  forward("strides", 0, x, Strided(2, 3, 4, 4, 96, 32, 8, 2));
  STATUS("lrn.backward.size",
         cudnnLRNCrossChannelBackward(handle, norm, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, x, m.a.data(), other,
                                      m.b.data(), x, m.c.data(), &kZero, x, m.d.data()));
  STATUS("lrn.destroy", cudnnDestroyLRNDescriptor(norm));
}

static void convolutions(cudnnHandle_t handle, const Memory& m) {
  const Tensor x(kFloat, 1, 4, 6, 6), y(kFloat, 1, 4, 6, 6), bias(kFloat, 1, 4, 1, 1);
  const Filter w(kFloat, 4, 4, 3, 3);
  const ConvolutionOf same(1, 1, 1);
  const auto data = [&](const std::string& key, cudnnFilterDescriptor_t filter, cudnnTensorDescriptor_t dy,
                        cudnnTensorDescriptor_t dx, int algorithm) {
    STATUS("convolution.data." + key,
           cudnnConvolutionBackwardData(handle, &kOne, filter, m.a.data(), dy, m.b.data(), same,
                                        static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm), m.space.data(),
                                        m.space.bytes(), &kZero, dx, m.c.data()));
  };
  data("fits", w, y, x, 1);
  data("batch", w, Tensor(kFloat, 2, 4, 6, 6), x, 1);
  data("channels_of_filter", Filter(kFloat, 4, 3, 3, 3), y, x, 1);
  data("outputs_of_filter", Filter(kFloat, 5, 4, 3, 3), y, x, 1);
  data("type_of_filter", Filter(kHalf, 4, 4, 3, 3), y, x, 1);
  data("type_of_dx", w, y, Tensor(kHalf, 1, 4, 6, 6), 1);
  data("rank", w, Tensor(kFloat, {1, 4, 6, 6, 1}), x, 1);
  data("size", w, y, Tensor(kFloat, 1, 4, 7, 6), 1);
  data("algorithm", w, y, x, 11);
  const auto filter = [&](const std::string& key, cudnnTensorDescriptor_t in, cudnnTensorDescriptor_t dy,
                          cudnnFilterDescriptor_t dw, int algorithm) {
    STATUS("convolution.filter." + key,
           cudnnConvolutionBackwardFilter(handle, &kOne, in, m.a.data(), dy, m.b.data(), same,
                                          static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm),
                                          m.space.data(), m.space.bytes(), &kZero, dw, m.c.data()));
  };
  filter("fits", x, y, w, 1);
  filter("batch", x, Tensor(kFloat, 2, 4, 6, 6), w, 1);
  filter("channels_of_filter", x, y, Filter(kFloat, 4, 3, 3, 3), 1);
  filter("outputs_of_filter", x, y, Filter(kFloat, 5, 4, 3, 3), 1);
  filter("type_of_filter", x, y, Filter(kHalf, 4, 4, 3, 3), 1);
  filter("type_of_dy", x, Tensor(kHalf, 1, 4, 6, 6), w, 1);
  filter("size", x, Tensor(kFloat, 1, 4, 5, 6), w, 1);
  filter("algorithm", x, y, w, 11);
  const auto fused = [&](const std::string& key, cudnnActivationMode_t mode, cudnnTensorDescriptor_t z,
                         cudnnTensorDescriptor_t b, cudnnTensorDescriptor_t out, int algorithm) {
    STATUS("convolution.fused." + key,
           cudnnConvolutionBiasActivationForward(handle, &kOne, x, m.a.data(), w, m.a.data(), same,
                                                 static_cast<cudnnConvolutionFwdAlgo_t>(algorithm),
                                                 m.space.data(), m.space.bytes(), &kZero, z, m.b.data(), b,
                                                 m.c.data(), ActivationOf(mode), out, m.d.data()));
  };
  fused("fits", CUDNN_ACTIVATION_RELU, y, bias, y, 1);
  fused("sigmoid", CUDNN_ACTIVATION_SIGMOID, y, bias, y, 1);
  fused("identity_by_implicit", CUDNN_ACTIVATION_IDENTITY, y, bias, y, 0);
  fused("identity_by_precomputed", CUDNN_ACTIVATION_IDENTITY, y, bias, y, 1);
  fused("size_of_z", CUDNN_ACTIVATION_RELU, Tensor(kFloat, 1, 4, 6, 5), bias, y, 1);
  fused("type_of_z", CUDNN_ACTIVATION_RELU, Tensor(kHalf, 1, 4, 6, 6), bias, y, 1);
  fused("channels_of_bias", CUDNN_ACTIVATION_RELU, y, Tensor(kFloat, 1, 3, 1, 1), y, 1);
  fused("shape_of_bias", CUDNN_ACTIVATION_RELU, y, Tensor(kFloat, 1, 4, 2, 1), y, 1);
  fused("size_of_y", CUDNN_ACTIVATION_RELU, y, bias, Tensor(kFloat, 1, 4, 6, 5), 1);
  STATUS("convolution.bias.rank", cudnnConvolutionBackwardBias(handle, &kOne, y, m.a.data(), &kZero,
                                                               Tensor(kFloat, {1, 4, 1, 1, 1}), m.b.data()));
  STATUS("convolution.bias.type", cudnnConvolutionBackwardBias(handle, &kOne, y, m.a.data(), &kZero,
                                                               Tensor(kHalf, 1, 4, 1, 1), m.b.data()));
  STATUS("convolution.bias.batch", cudnnConvolutionBackwardBias(handle, &kOne, y, m.a.data(), &kZero,
                                                                Tensor(kFloat, 2, 4, 1, 1), m.b.data()));
}

static void others(cudnnHandle_t handle, const Memory& m) {
  const Tensor t(kFloat, 2, 3, 4, 4), rows(kFloat, 2, 1, 4, 4);
  cudnnReduceTensorDescriptor_t reduce = nullptr;
  SETUP_DNN(cudnnCreateReduceTensorDescriptor(&reduce));
  SETUP_DNN(cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_MAX, kFloat, CUDNN_NOT_PROPAGATE_NAN,
                                           CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_32BIT_INDICES));
  STATUS("reduce.small_indices",
         cudnnReduceTensor(handle, reduce, m.d.data(), 4, m.space.data(), m.space.bytes(), &kOne, t,
                           m.a.data(), &kZero, rows, m.b.data()));
  STATUS("reduce.type",
         cudnnReduceTensor(handle, reduce, m.d.data(), 4096, m.space.data(), m.space.bytes(), &kOne,
                           Tensor(kHalf, 2, 3, 4, 4), m.a.data(), &kZero, rows, m.b.data()));
  STATUS("reduce.set.type",
         cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_MAX, static_cast<cudnnDataType_t>(77),
                                        CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES,
                                        CUDNN_32BIT_INDICES));
  STATUS("reduce.set.nan", cudnnSetReduceTensorDescriptor(
                               reduce, CUDNN_REDUCE_TENSOR_MAX, kFloat, static_cast<cudnnNanPropagation_t>(7),
                               CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
  STATUS("reduce.set.indices",
         cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_MAX, kFloat, CUDNN_NOT_PROPAGATE_NAN,
                                        static_cast<cudnnReduceTensorIndices_t>(7), CUDNN_32BIT_INDICES));
  STATUS("reduce.set.bits",
         cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_MAX, kFloat, CUDNN_NOT_PROPAGATE_NAN,
                                        CUDNN_REDUCE_TENSOR_NO_INDICES, static_cast<cudnnIndicesType_t>(7)));
  STATUS("reduce.destroy", cudnnDestroyReduceTensorDescriptor(reduce));
  cudnnDropoutDescriptor_t dropout = nullptr;
  SETUP_DNN(cudnnCreateDropoutDescriptor(&dropout));
  STATUS("dropout.unset",
         cudnnDropoutForward(handle, dropout, t, m.a.data(), t, m.b.data(), m.space.data(), m.space.bytes()));
  SETUP_DNN(cudnnSetDropoutDescriptor(dropout, handle, 0.5f, m.space.data(), m.space.bytes(), 1));
  STATUS("dropout.type", cudnnDropoutForward(handle, dropout, t, m.a.data(), Tensor(kHalf, 2, 3, 4, 4),
                                             m.b.data(), m.d.data(), 4096));
  STATUS("dropout.strides",
         cudnnDropoutForward(handle, dropout, t, m.a.data(), Strided(2, 3, 4, 4, 96, 32, 8, 2), m.b.data(),
                             m.d.data(), 4096));
  STATUS("dropout.backward.size",
         cudnnDropoutBackward(handle, dropout, t, m.a.data(), Tensor(kFloat, 2, 3, 4, 2), m.b.data(),
                              m.d.data(), 4096));
  STATUS("dropout.backward.reserve",
         cudnnDropoutBackward(handle, dropout, t, m.a.data(), t, m.b.data(), m.d.data(), 1));
  STATUS("dropout.destroy", cudnnDestroyDropoutDescriptor(dropout));
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  const Memory memory;
  activations(handle, memory);
  softmaxes(handle, memory);
  poolings(handle, memory);
  batchNorms(handle, memory);
  channelNorms(handle, memory);
  convolutions(handle, memory);
  others(handle, memory);
}
