// links: cudnn
// Null where a descriptor or a place is needed. Each call in a process of its own, as some die of it.
#include <sys/wait.h>
#include <unistd.h>

#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.null_arguments");

// The status of call(), or "dies".
template <typename Call>
static void alone(const std::string& key, const Call& call) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    STATUS(key, call());
    _Exit(0);
  }
  int ended = 0;
  waitpid(child, &ended, 0);
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) OBSERVE(key, "dies");
}

int main() {
  const int sizes[4] = {2, 3, 4, 5}, strides[4] = {60, 20, 5, 1};
  const float one = 1, zero = 0;
  alone("set_4d",
        [] { return cudnnSetTensor4dDescriptor(nullptr, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 3, 4, 5); });
  alone("set_nd", [&] { return cudnnSetTensorNdDescriptor(nullptr, CUDNN_DATA_FLOAT, 4, sizes, strides); });
  alone("set_nd_no_sizes",
        [&] { return cudnnSetTensorNdDescriptor(Tensor(), CUDNN_DATA_FLOAT, 4, nullptr, strides); });
  alone("set_nd_no_strides",
        [&] { return cudnnSetTensorNdDescriptor(Tensor(), CUDNN_DATA_FLOAT, 4, sizes, nullptr); });
  alone("size", [] {
    size_t bytes = 0;
    return cudnnGetTensorSizeInBytes(nullptr, &bytes);
  });
  alone("size_no_place",
        [] { return cudnnGetTensorSizeInBytes(Tensor(CUDNN_DATA_FLOAT, 2, 3, 4, 5), nullptr); });
  alone("filter",
        [] { return cudnnSetFilter4dDescriptor(nullptr, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 3, 2, 5); });
  alone("activation",
        [] { return cudnnSetActivationDescriptor(nullptr, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0); });
  alone("pooling", [] {
    return cudnnSetPooling2dDescriptor(nullptr, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
  });
  alone("convolution", [] {
    return cudnnSetConvolution2dDescriptor(nullptr, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                           CUDNN_DATA_FLOAT);
  });
  alone("groups", [] { return cudnnSetConvolutionGroupCount(nullptr, 2); });
  alone("lrn", [] { return cudnnSetLRNDescriptor(nullptr, 5, 1e-4, 0.75, 2); });
  alone("op", [] {
    return cudnnSetOpTensorDescriptor(nullptr, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN);
  });
  alone("property", [] { return cudnnGetProperty(MAJOR_VERSION, nullptr); });
  alone("derive", [] {
    return cudnnDeriveBNTensorDescriptor(nullptr, Tensor(CUDNN_DATA_FLOAT, 2, 3, 4, 5),
                                         CUDNN_BATCHNORM_SPATIAL);
  });
  // What follows has a handle, memory and tensors.
  const auto softmax = [&](const std::string& key, bool handle, const float* alpha, bool tensor,
                           bool memory) {
    alone(key, [&] {
      const cudnnHandle_t made = makeHandle();
      const Tensor t(CUDNN_DATA_FLOAT, 2, 3, 4, 5);
      DeviceValues<float> x(wholes<float>(120, 1)), y(120);
      const cudnnStatus_t status =
          cudnnSoftmaxForward(handle ? made : nullptr, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL,
                              alpha, tensor ? static_cast<cudnnTensorDescriptor_t>(t) : nullptr,
                              memory ? static_cast<float*>(x) : nullptr, &zero, t, y);
      return status;
    });
  };
  softmax("softmax_no_handle", false, &one, true, true);
  softmax("softmax_no_alpha", true, nullptr, true, true);
  softmax("softmax_no_x", true, &one, true, false);
  softmax("softmax_no_descriptor", true, &one, false, true);
  alone("activation_no_y", [&] {
    const Tensor t(CUDNN_DATA_FLOAT, 2, 3, 4, 5);
    DeviceValues<float> x(wholes<float>(120, 1));
    return cudnnActivationForward(makeHandle(), ActivationOf(CUDNN_ACTIVATION_RELU), &one, t, x, &zero, t,
                                  nullptr);
  });
  alone("set_no_value", [&] {
    DeviceValues<float> y(120);
    return cudnnSetTensor(makeHandle(), Tensor(CUDNN_DATA_FLOAT, 2, 3, 4, 5), y, nullptr);
  });
  alone("add_no_beta", [&] {
    const Tensor t(CUDNN_DATA_FLOAT, 2, 3, 4, 5);
    DeviceValues<float> x(wholes<float>(120, 1)), y(120);
    return cudnnAddTensor(makeHandle(), &one, t, x, nullptr, t, y);
  });
}
