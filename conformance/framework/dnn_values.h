// What the cases of group dnn share: a handle, descriptors of tensors and filters, values that print so that
// the order of a sum and the last bits of a function do not matter.
#pragma once

#include <cudnn.h>
#include <math.h>

#include <string>
#include <vector>

#include "device_values.h"

inline int code(cudnnStatus_t status) { return static_cast<int>(status); }

// A call whose status is a fact.
#define STATUS(key, call) OBSERVE((key), code(call))
// A call that must work for the rest of the case to mean anything.
#define SETUP_DNN(call) setupDnn((call), #call, __FILE__, __LINE__)

inline void setupDnn(cudnnStatus_t status, const char* step, const char* file, int line) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  fprintf(stderr, "setup failed: %s:%d: %s -> %d\n", file, line, step, code(status));
  fflush(stdout);
  _Exit(3);
}

// `digits` significant digits; what is nothing but the rest of a rounding is 0.
template <typename T>
std::string rounded(const std::vector<T>& values, int digits = 3) {
  std::string text;
  for (const T& value : values) {
    const double number = static_cast<double>(value);
    char one[40];
    if (number != number) {
      snprintf(one, sizeof one, "nan");
    } else {
      snprintf(one, sizeof one, "%.*g", digits, fabs(number) < 2e-6 ? 0.0 : number);
    }
    text += (text.empty() ? "" : " ") + std::string(one);
  }
  return text;
}
template <typename T>
std::string rounded(const DeviceValues<T>& values, int digits = 3) {
  return rounded(values.get(), digits);
}

inline std::string numbers(const int* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i ? " " : "") + std::to_string(values[i]);
  return text;
}

// Small whole numbers without a pattern that an error could hide in: products and sums of them are exact.
template <typename T>
std::vector<T> wholes(size_t count, int seed, int least = -3, int most = 3) {
  std::vector<T> values(count);
  unsigned state = static_cast<unsigned>(seed) * 2654435761u + 12345u;
  for (T& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<T>(least + static_cast<int>((state >> 16) % static_cast<unsigned>(most - least + 1)));
  }
  return values;
}
// The same, a tenth as large (or `unit` as large).
template <typename T>
std::vector<T> fractions(size_t count, int seed, double unit = 0.1) {
  std::vector<T> values(count);
  const std::vector<int> whole = wholes<int>(count, seed, -9, 9);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<T>(whole[i] * unit);
  return values;
}

inline cudnnHandle_t makeHandle() {
  cudnnHandle_t handle = nullptr;
  SETUP_DNN(cudnnCreate(&handle));
  return handle;
}

class Tensor {
 public:
  Tensor() { SETUP_DNN(cudnnCreateTensorDescriptor(&descriptor_)); }
  Tensor(cudnnDataType_t type, int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW)
      : Tensor() {
    SETUP_DNN(cudnnSetTensor4dDescriptor(descriptor_, format, type, n, c, h, w));
  }
  Tensor(cudnnDataType_t type, const std::vector<int>& sizes) : Tensor() {
    std::vector<int> strides(sizes.size(), 1);
    for (size_t i = sizes.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * sizes[i + 1];
    SETUP_DNN(cudnnSetTensorNdDescriptor(descriptor_, type, static_cast<int>(sizes.size()), sizes.data(),
                                         strides.data()));
  }
  ~Tensor() { cudnnDestroyTensorDescriptor(descriptor_); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  operator cudnnTensorDescriptor_t() const { return descriptor_; }

 private:
  cudnnTensorDescriptor_t descriptor_ = nullptr;
};

class Filter {
 public:
  Filter(cudnnDataType_t type, int k, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    SETUP_DNN(cudnnCreateFilterDescriptor(&descriptor_));
    SETUP_DNN(cudnnSetFilter4dDescriptor(descriptor_, type, format, k, c, h, w));
  }
  ~Filter() { cudnnDestroyFilterDescriptor(descriptor_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  operator cudnnFilterDescriptor_t() const { return descriptor_; }

 private:
  cudnnFilterDescriptor_t descriptor_ = nullptr;
};

class ConvolutionOf {
 public:
  ConvolutionOf(int pad, int stride, int dilation, int groups = 1,
                cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION,
                cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    SETUP_DNN(cudnnCreateConvolutionDescriptor(&descriptor_));
    SETUP_DNN(cudnnSetConvolution2dDescriptor(descriptor_, pad, pad, stride, stride, dilation, dilation, mode,
                                              type));
    SETUP_DNN(cudnnSetConvolutionGroupCount(descriptor_, groups));
  }
  ~ConvolutionOf() { cudnnDestroyConvolutionDescriptor(descriptor_); }
  ConvolutionOf(const ConvolutionOf&) = delete;
  ConvolutionOf& operator=(const ConvolutionOf&) = delete;
  operator cudnnConvolutionDescriptor_t() const { return descriptor_; }

 private:
  cudnnConvolutionDescriptor_t descriptor_ = nullptr;
};

class ActivationOf {
 public:
  explicit ActivationOf(cudnnActivationMode_t mode, double coefficient = 0) {
    SETUP_DNN(cudnnCreateActivationDescriptor(&descriptor_));
    SETUP_DNN(cudnnSetActivationDescriptor(descriptor_, mode, CUDNN_NOT_PROPAGATE_NAN, coefficient));
  }
  ~ActivationOf() { cudnnDestroyActivationDescriptor(descriptor_); }
  ActivationOf(const ActivationOf&) = delete;
  ActivationOf& operator=(const ActivationOf&) = delete;
  operator cudnnActivationDescriptor_t() const { return descriptor_; }

 private:
  cudnnActivationDescriptor_t descriptor_ = nullptr;
};

// Memory that a call asks for; never null, as few calls take null for 0 bytes.
class Space {
 public:
  explicit Space(size_t bytes) : bytes_(bytes) {
    SETUP(cudaMalloc(&data_, bytes + 256));
    SETUP(cudaMemset(data_, 0, bytes + 256));
  }
  ~Space() { cudaFree(data_); }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};
