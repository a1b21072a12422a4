// What the entries of graph nodes have in common.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

// Where a new node goes.
struct Place {
  musaGraphNode_t* out;
  musaGraph_t graph;
  const musaGraphNode_t* dependencies;
  size_t count;
};

// The parameters of a kernel in the driver's words, for musaKernelNodeParams and its second version.
template <class Params>
musaError_t driverKernel(const Params* params, MUSA_KERNEL_NODE_PARAMS& kernel);

}  // namespace musashim::musart
