// Element-wise reductions over the ranks' buffers.
//
// The ranks are combined in their order, for every element alike, and the result is
// rounded to the element type at every step, as NCCL's ring does (no wider accumulator).
#pragma once

#include <cstddef>
#include <cstdint>

#include "mccl.h"

namespace musashim::mccl {

enum class Reduction : uint8_t {
  kSum,
  kProd,
  kMax,  // a NaN loses against a number; +0 is above -0
  kMin,
  kPreMulSum,      // each rank's elements times its factor, rounded, then summed
  kSumThenDivide,  // integer average: wrapped sum, then division truncating towards zero
};

struct ReduceInputs {
  const void* const* sources = nullptr;  // one per rank
  const uint64_t* factors = nullptr;     // kPreMulSum: one per rank, an element in the low bytes
  int ranks = 0;                         // >= 1
};

// Reduces elements [first, first + count) of the sources into `out`, which overlaps none of them.
using ReduceKernel = void (*)(void* out, const ReduceInputs& inputs, size_t first, size_t count);

// The best kernel for this processor; null where the pair makes no sense (kSumThenDivide of floats).
ReduceKernel reduceKernel(mcclDataType_t type, Reduction reduction);

// Copies `bytes` to `to` without bringing it into the caches: for results that are larger than these. What
// it wrote is visible to other threads after pastCacheFence().
using PastCacheCopy = void (*)(void* to, const void* from, size_t bytes);
PastCacheCopy pastCacheCopy();
void pastCacheFence();

// An element of `type` that holds `value`, rounded, in the low bytes.
uint64_t encodeElement(mcclDataType_t type, double value);

}  // namespace musashim::mccl
