// What the processor's SIMD units compute.
#pragma once

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instruction.h"

namespace musashim::mcc {

// The type has vectors, and the operation is an instruction on them.
bool isVectorArithmetic(const llvm::Instruction& instruction);

inline constexpr unsigned kAtLeastVectorBits = 256;  // two registers where they are narrower

// The width of vectors; a power of two.
unsigned vectorBits(const llvm::TargetTransformInfo& target);

}  // namespace musashim::mcc
