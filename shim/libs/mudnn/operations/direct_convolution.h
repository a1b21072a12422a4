// Convolutions in double, for types that oneDNN does not compute with. In the order N, C, places; without
// gaps. The gradient of the filter is that of the filter before it is flipped where the problem flips it.
#pragma once

#include "libs/mudnn/operations/convolution.h"

namespace musashim::mudnn {

void directForward(const ConvolutionProblem& problem, double* y);
void directBackwardData(const ConvolutionProblem& problem, double* dx);
void directBackwardFilter(const ConvolutionProblem& problem, double* dw);

}  // namespace musashim::mudnn
