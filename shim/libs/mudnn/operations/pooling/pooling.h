// Pooling by any face of the library.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// Dimensions in the order N, C, places. Without a window it is adaptive.
struct PoolingProblem {
  enum class Mode : uint8_t { kMax, kAverageWithPad, kAverageWithoutPad };
  Mode mode = Mode::kMax;
  Array x, y;
  std::vector<int64_t> window, pads, strides, dilations;
  int64_t divisor = 0;  // 0: the count
};

// y = alpha * pooled + beta * y. indices: places of the largest within a channel; it may be without memory.
Work poolingForward(const PoolingProblem& problem, const Array& indices, double alpha, double beta);
// x = alpha * gradient + beta * x, where y has the output's gradient. Largest elements are those of
// `indices`, or the first in `in`, of which `out` is what they are.
struct PoolingLargest {
  Array indices, in, out;
};
Work poolingBackward(const PoolingProblem& problem, const PoolingLargest& largest, double alpha, double beta);

}  // namespace musashim::mudnn
