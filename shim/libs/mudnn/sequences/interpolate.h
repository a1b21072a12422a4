// Images made larger or smaller.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

struct Interpolation {
  enum class Mode : uint8_t { kNearest, kNearestExact, kLinear, kCubic };
  Mode mode = Mode::kNearest;
  std::vector<double> scales;  // places of the small image for one of the large; none: by the sizes
  bool alignsCorners = false, antialias = false;
};
// Both in the order N, C, places.
Work interpolate(const Interpolation& settings, const Array& out, const Array& in);
Work interpolateBackward(const Interpolation& settings, const Array& gradIn, const Array& gradOut);

}  // namespace musashim::mudnn
