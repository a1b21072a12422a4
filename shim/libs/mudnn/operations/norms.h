// Normalisation by any face of the library. Arrays that an operation may do without have no memory then.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// Rows over the dimensions `axes`; groups > 0: over groups of the dimension `axis` and all behind the first.
struct RowNorm {
  std::vector<int> axes;
  double epsilon = 0;
  bool centers = true;  // else by the root of the mean square
};
struct RowNormArrays {
  Array out, mean, inverse, in, gamma, beta;
};
Work rowNorm(const RowNorm& norm, const RowNormArrays& arrays);
struct RowNormGradients {
  Array in, gamma, beta;
};
// arrays.out has the output's gradient.
Work rowNormBackward(const RowNorm& norm, const RowNormGradients& gradients, const RowNormArrays& arrays);
Work groupNorm(int axis, int groups, double epsilon, const RowNormArrays& arrays);

// Dimensions in the order N, C, places.
struct BatchNormArrays {
  Array out, in, mean, variance, scale, bias;  // inference
  Array savedMean, savedInverse;               // training writes them
  bool perActivation = false;
  double epsilon = 0, alpha = 1, beta = 0;  // out = alpha * result + beta * out
};
Work batchNormInference(const BatchNormArrays& arrays);
// mean and variance are running ones, of which `momentum` is renewed.
Work batchNormTraining(const BatchNormArrays& arrays, double momentum);
struct BatchNormGradients {
  Array in, mean, variance, scale, bias;
  double scaleAlpha = 1, scaleBeta = 0;  // of scale and bias
};
// arrays.out has the output's gradient. ofBatch: mean and variance were the batch's own. Without saved ones
// they are computed anew, by epsilon.
Work batchNormBackward(const BatchNormArrays& arrays, const BatchNormGradients& gradients, bool ofBatch);

}  // namespace musashim::mudnn
