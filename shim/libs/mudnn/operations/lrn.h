// Local response normalisation over channels.
#pragma once

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// y = x / (k + alpha / n * sum of squares of n channels around)^beta
struct LocalResponse {
  int64_t n = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};
Work localResponse(const LocalResponse& norm, const Array& y, const Array& x);
Work localResponseBackward(const LocalResponse& norm, const Array& dx, const Array& x, const Array& dy);

}  // namespace musashim::mudnn
