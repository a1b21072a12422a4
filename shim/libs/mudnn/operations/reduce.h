// Operations over dimensions.
#pragma once

#include <mudnncxx/mudnn_reduce.h>

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

struct Reduction {
  musa::dnn::Reduce::Mode mode;
  std::vector<int> axes;  // none: all
  double order = 2, correction = 1;
};
// out and indices may be without memory, not both.
Work reduce(const Reduction& reduction, const Array& out, const Array& indices, const Array& in);

// Over the dimensions `axes`.
Work softmax(musa::dnn::Softmax::Mode mode, const std::vector<int>& axes, const Array& out, const Array& in);
Work softmaxBackward(musa::dnn::Softmax::Mode mode, const std::vector<int>& axes, const Array& gradIn,
                     const Array& out, const Array& gradOut);
Work accumulate(musa::dnn::Cum::Mode mode, int axis, const Array& out, const Array& in);

// The first `count` elements of each row in order, with their places, or with `companions` in their places.
struct Sorting {
  int axis = 0;
  int64_t count = 0;
  bool descending = false;
};
Work sort(const Sorting& sorting, const Array& values, const Array& indices, const Array& in,
          const Array& companions);

}  // namespace musashim::mudnn
