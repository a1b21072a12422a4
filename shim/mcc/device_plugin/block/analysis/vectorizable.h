// What the vectors of this machine calculate.
#pragma once

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instruction.h"

namespace musashim::mcc {

// Of types that vectors have, by operations that they have.
bool isVectorArithmetic(const llvm::Instruction& instruction);

inline constexpr unsigned kAtLeastVectorBits = 256;  // two vectors where the processor has half as long ones

// How long they are; a power of two.
unsigned vectorBits(const llvm::TargetTransformInfo& target);

}  // namespace musashim::mcc
