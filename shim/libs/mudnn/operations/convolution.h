// Convolutions by any face of the library.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

enum class Activation : uint8_t {
  kIdentity,
  kRelu,
  kSilu,
  kSigmoid,
  kTanh,
  kLeakyRelu,
  kGelu,
  kElu,
  kClippedRelu
};

// Dimensions in the order N, C, places; of w: output channels, input channels of a group, places.
struct ConvolutionProblem {
  Array x, w, y;
  int groups = 1;
  bool flips = false;  // a convolution in the mathematical sense
  std::vector<int64_t> pads, strides, dilations;
};

// y = activation(alpha * (x convolved with w) + beta * add + bias). bias and add may be without memory.
struct ConvolutionTail {
  double alpha = 1, beta = 0;
  Array add, bias;
  Activation activation = Activation::kIdentity;
  double coefficient = 0;  // of the activation
};

Work convolutionForward(const ConvolutionProblem& problem, const ConvolutionTail& tail);
// x (w) = alpha * gradient + beta * x (w).
Work convolutionBackwardData(const ConvolutionProblem& problem, double alpha, double beta);
Work convolutionBackwardFilter(const ConvolutionProblem& problem, double alpha, double beta);

// How many places there are behind a convolution or a pooling.
int64_t placesAfter(int64_t size, int64_t window, int64_t pad, int64_t stride, int64_t dilation);

template <class V>
void activate(Activation activation, double coefficient, V* values, int64_t count);
// Of all of an array, if oneDNN is better at it. If not, nothing was done.
bool activateByEngine(Activation activation, double coefficient, const Array& out, const Array& in);

}  // namespace musashim::mudnn
