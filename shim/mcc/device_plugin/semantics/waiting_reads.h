// Plain reads by which a loop waits, as __ldcg in decoupled look-back: it goes on until others have written.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Makes them volatile, as which they are known later. A loop waits by plain reads if it writes nothing, and
// if whether it goes on depends on what it reads and on nothing that it counts or walks along.
void markWaitingReads(llvm::Function& function);

// Whether an instruction writes nothing that others see, though it may seem to: stores to variables of code
// that is not optimised, fences, and questions for indices and sizes.
bool writesNothingOfOthers(const llvm::Instruction& instruction);

}  // namespace musashim::mcc
