// The same kernels compiled for several instruction sets; reduce.cpp picks one table.
#pragma once

#include "mccl/kernels/reduce.h"

namespace musashim::mccl {

struct KernelRow {
  ReduceKernel byReduction[6];
};

struct KernelTable {
  KernelRow rows[mcclNumTypes];
  PastCacheCopy copyPastCache;
};

extern const KernelTable baselineKernels;
#if defined(__x86_64__)
extern const KernelTable x86V3Kernels;  // AVX2 and F16C
#endif

}  // namespace musashim::mccl
