// links: cudnn
// Null where a descriptor or a place is needed. By itself, as what dies of one says nothing of the rest.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.null_arguments");

int main() {
  const int sizes[4] = {2, 3, 4, 5}, strides[4] = {60, 20, 5, 1};
  const cudnnHandle_t handle = makeHandle();
  STATUS("set_4d", cudnnSetTensor4dDescriptor(nullptr, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 3, 4, 5));
  STATUS("set_nd", cudnnSetTensorNdDescriptor(nullptr, CUDNN_DATA_FLOAT, 4, sizes, strides));
  const Tensor tensor(CUDNN_DATA_FLOAT, 2, 3, 4, 5);
  STATUS("set_nd_no_sizes", cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 4, nullptr, strides));
  STATUS("set_nd_no_strides", cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 4, sizes, nullptr));
  size_t bytes = 0;
  STATUS("size", cudnnGetTensorSizeInBytes(nullptr, &bytes));
  STATUS("size_no_place", cudnnGetTensorSizeInBytes(tensor, nullptr));
  STATUS("activation", cudnnSetActivationDescriptor(nullptr, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  STATUS("pooling",
         cudnnSetPooling2dDescriptor(nullptr, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  STATUS("convolution", cudnnSetConvolution2dDescriptor(nullptr, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                                        CUDNN_DATA_FLOAT));
  STATUS("lrn", cudnnSetLRNDescriptor(nullptr, 5, 1e-4, 0.75, 2));
  STATUS("property", cudnnGetProperty(MAJOR_VERSION, nullptr));
  DeviceValues<float> x(wholes<float>(120, 1)), y(120);
  const float one = 1, zero = 0;
  STATUS("softmax_no_handle", cudnnSoftmaxForward(nullptr, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL,
                                                  &one, tensor, x, &zero, tensor, y));
  STATUS("softmax_no_alpha", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL,
                                                 nullptr, tensor, x, &zero, tensor, y));
  STATUS("softmax_no_x", cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one,
                                             tensor, nullptr, &zero, tensor, y));
  STATUS("softmax_no_descriptor",
         cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, nullptr, x,
                             &zero, tensor, y));
  STATUS("activation_no_y", cudnnActivationForward(handle, ActivationOf(CUDNN_ACTIVATION_RELU), &one, tensor,
                                                   x, &zero, tensor, nullptr));
  STATUS("set_no_value", cudnnSetTensor(handle, tensor, y, nullptr));
  STATUS("set_no_memory", cudnnSetTensor(handle, tensor, nullptr, &one));
  STATUS("add_no_beta", cudnnAddTensor(handle, &one, tensor, x, nullptr, tensor, y));
}
