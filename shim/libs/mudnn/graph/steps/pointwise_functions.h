// The functions of pointwise operations.
#pragma once

#include <mudnn.h>

#include <cstdint>

namespace musashim::mudnn::graph {

struct PointwiseSettings {
  mudnnPointwiseMode_t mode{};
  double lower = 0, upper = 0, slope = 0;  // of ReLU
  double alpha = 1;                        // of ELU
  double beta = 1;                         // of softplus and Swish
};

// out = function of the inputs, which are as many as the mode takes: x and b, for gradients x and dy; of a
// selection the mask is the last. Throws Failure for modes that there are not.
template <class V>
void pointwise(const PointwiseSettings& settings, const V* const* inputs, V* out, int64_t count);

}  // namespace musashim::mudnn::graph
