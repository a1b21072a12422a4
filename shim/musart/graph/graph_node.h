// Parameters of graph nodes in the driver's words and back.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

// musaKernelNodeParams and its second version have the same members.
template <class Params>
musaError_t driverKernel(const Params* params, MUSA_KERNEL_NODE_PARAMS& kernel);
template <class Params>
void runtimeKernel(const MUSA_KERNEL_NODE_PARAMS& kernel, Params& params);

// A plain copy; `kind` is checked as by musaMemcpy.
musaError_t driverCopy1D(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                         MUSA_MEMCPY3D& copy);
void runtimeCopy(const MUSA_MEMCPY3D& copy, struct musaMemcpy3DParms& params);

}  // namespace musashim::musart
