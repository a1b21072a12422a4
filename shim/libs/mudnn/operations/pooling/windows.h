// Which places of the input a pooling's window has.
#pragma once

#include <algorithm>

#include "libs/mudnn/operations/pooling/pooling.h"

namespace musashim::mudnn {

// Places as three dimensions.
struct Windows {
  explicit Windows(const PoolingProblem& problem) : isAdaptive(problem.window.empty()) {
    const auto count = static_cast<size_t>(problem.x.rank - 2);
    for (size_t i = 0; i < 3; ++i) {
      const bool there = i + count >= 3;
      const size_t d = there ? i + count - 3 : 0;
      in[i] = there ? problem.x.sizes[d + 2] : 1;
      out[i] = there ? problem.y.sizes[d + 2] : 1;
      const bool set = there && !isAdaptive;
      window[i] = set ? problem.window[d] : 1;
      pad[i] = set ? problem.pads[d] : 0;
      stride[i] = set ? problem.strides[d] : 1;
      dilation[i] = set ? problem.dilations[d] : 1;
    }
  }

  struct Range {
    int64_t begin, end, step, padded;  // padded: how many there are with the padding
  };
  Range range(int dimension, int64_t at) const {
    const int64_t size = in[dimension];
    if (isAdaptive) {
      const int64_t begin = at * size / out[dimension],
                    end = ((at + 1) * size + out[dimension] - 1) / out[dimension];
      return {begin, end, 1, end - begin};
    }
    const int64_t first = at * stride[dimension] - pad[dimension], step = dilation[dimension];
    const int64_t last = std::min(first + window[dimension] * step, size + pad[dimension]);
    const int64_t begin = first < 0 ? first + (-first + step - 1) / step * step : first;
    return {begin, std::min(last, size), step, (last - first + step - 1) / step};
  }

  // each(place in the channel) for all of the window at an output's place; returns the divisor of an average.
  template <class Each>
  int64_t forWindow(int64_t place, PoolingProblem::Mode mode, Each&& each) const {
    const Range c = range(2, place % out[2]), b = range(1, place / out[2] % out[1]),
                a = range(0, place / out[2] / out[1]);
    int64_t count = 0;
    for (int64_t i = a.begin; i < a.end; i += a.step)
      for (int64_t j = b.begin; j < b.end; j += b.step)
        for (int64_t k = c.begin; k < c.end; k += c.step) {
          each((i * in[1] + j) * in[2] + k);
          ++count;
        }
    return mode == PoolingProblem::Mode::kAverageWithPad ? a.padded * b.padded * c.padded : count;
  }

  int64_t inPlaces() const { return in[0] * in[1] * in[2]; }
  int64_t outPlaces() const { return out[0] * out[1] * out[2]; }

  int64_t in[3], out[3], window[3], pad[3], stride[3], dilation[3];
  bool isAdaptive;
};

}  // namespace musashim::mudnn
