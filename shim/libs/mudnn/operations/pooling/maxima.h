// Maxima of windows, of floats in vectors.
#pragma once

#include "libs/mudnn/operations/pooling/pooling.h"

namespace musashim::mudnn {

// Whether the problem is of floats that lie row by row, or channel beside channel, in x and y alike, without
// dilation; if not, nothing was done. What is no number is larger than all numbers.
bool maximaOfWindows(const PoolingProblem& problem);

}  // namespace musashim::mudnn
