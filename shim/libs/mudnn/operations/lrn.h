// Local response normalisation over channels, and divisive normalisation over places.
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

// y = x / (k + alpha / (places of the window) * sum of (element - mean)^2 in a window of n places in each
// dimension)^beta. The mean is that of the place in the middle; without memory it is 0. Windows are cut where
// the input ends.
Work divisive(const LocalResponse& norm, const Array& y, const Array& x, const Array& means);
// Gradients by x, or by the means. Of an even n, elements get theirs from the places of the window that
// begins before them, as cuDNN has it, not from those whose windows they are in.
Work divisiveBackward(const LocalResponse& norm, const Array& dx, const Array& x, const Array& means,
                      const Array& dy);
Work divisiveBackwardMeans(const LocalResponse& norm, const Array& dMeans, const Array& x, const Array& means,
                           const Array& dy);

}  // namespace musashim::mudnn
