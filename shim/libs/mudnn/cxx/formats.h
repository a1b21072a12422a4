// Tensors whose format names their dimensions, in the order N, C, places.
#pragma once

#include "libs/mudnn/cxx/entry.h"

namespace musashim::mudnn {

// Where the tensor's format says nothing for its rank, its dimensions are in that order already.
Array channelsSecond(const Tensor& tensor);

}  // namespace musashim::mudnn
