// What the vectors of this machine calculate.
#pragma once

#include "llvm/IR/Instruction.h"

namespace musashim::mcc {

// Of types that vectors have, by operations that they have.
bool isVectorArithmetic(const llvm::Instruction& instruction);

}  // namespace musashim::mcc
